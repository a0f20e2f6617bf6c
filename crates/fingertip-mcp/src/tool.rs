//! What a tool is: a definition (all that a client sees), a check of its input, and a run.
//!
//! One tool is one file under `tools/<toolset>/`, with one type that implements [`Tool`]. The definition is
//! the only source of its schema, of its limits and of its page in `docs/tools.md`.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::Capabilities;
use rmcp::model::{Tool as WireTool, ToolAnnotations};
use serde_json::{Map, Value};

use crate::call::Call;
use crate::params::{Arguments, Param, object_schema};
use crate::policy::pace::Charge;
use crate::reply::Reply;
use crate::surroundings::Surroundings;

/// How long a call may take unless its tool says otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(15);

/// Which family a tool belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Toolset {
    /// The tools of a phone.
    Device,
    /// The tools of a desktop.
    Desktop,
    /// About the server itself; needs no target.
    Server,
}

impl Toolset {
    /// All of them, in the order of the reference.
    pub const ALL: [Self; 3] = [Self::Device, Self::Desktop, Self::Server];

    /// Its name on the command line and in the reference.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Device => "device",
            Self::Desktop => "desktop",
            Self::Server => "server",
        }
    }
}

/// What a tool does to its target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Effect {
    /// Only looks.
    Read,
    /// Acts.
    Write {
        /// May change or lose something of the user's.
        destructive: bool,
        /// Twice is the same as once.
        idempotent: bool,
    },
}

/// What a call acts on as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Subject {
    /// A program that is to be started.
    Launch,
    /// An application with all its windows.
    App,
    /// One window.
    Window,
}

/// All that is known of a tool before it is called.
pub struct Definition {
    /// Its name on the wire.
    pub name: &'static str,
    /// A short title for people.
    pub title: &'static str,
    /// For a model that must choose the right tool.
    pub description: &'static str,
    /// Which family it belongs to.
    pub toolset: Toolset,
    /// What it does to its target.
    pub effect: Effect,
    /// What a target must be able to do for the tool to be listed.
    pub needs: Capabilities,
    /// Its parameters.
    pub params: &'static [&'static dyn Param],
    /// The schema of its structured reply, where that is JSON.
    pub output: Option<fn() -> Value>,
}

impl Definition {
    /// Whether it only looks.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.effect == Effect::Read
    }

    /// Whether a call can name the target it means.
    #[must_use]
    pub fn takes_device(&self) -> bool {
        self.toolset != Toolset::Server
    }

    /// Whether a call can name the application it means although the tool itself knows none: the device tools that
    /// look around, while a desktop is attached.
    #[must_use]
    pub fn takes_app(&self) -> bool {
        matches!(self.name, "get_screen_state" | "find_elements" | "wait_for_element" | "wait_for_idle")
    }

    /// What a call acts on, where that is neither an element nor a place on the screen.
    #[must_use]
    pub fn subject(&self) -> Option<Subject> {
        match self.name {
            "open_app" => Some(Subject::Launch),
            "close_app" => Some(Subject::App),
            "window_action" => Some(Subject::Window),
            _ => None,
        }
    }

    /// The tool as MCP lists it while this is attached, with `extra` parameters beside its own.
    #[must_use]
    pub fn to_wire(&self, extra: &[&dyn Param], surroundings: Surroundings) -> WireTool {
        let params: Vec<&dyn Param> = self.params.iter().copied().chain(extra.iter().copied()).collect();
        let mut tool =
            WireTool::new(self.name, self.description, Arc::new(object_schema(&params, surroundings)));
        tool.title = Some(self.title.to_owned());
        tool.annotations = Some(self.annotations());
        if let Some(Value::Object(schema)) = self.output.map(|schema| schema()) {
            tool.output_schema = Some(Arc::new(schema));
        }
        tool
    }

    fn annotations(&self) -> ToolAnnotations {
        let annotations = ToolAnnotations::with_title(self.title);
        match self.effect {
            Effect::Read => annotations.read_only(true).destructive(false).idempotent(true),
            Effect::Write { destructive, idempotent } => {
                annotations.read_only(false).destructive(destructive).idempotent(idempotent)
            }
        }
    }
}

/// One tool.
#[async_trait]
pub trait Tool: Send + Sync + 'static {
    /// Its checked input.
    type Input: Send + Sync + 'static;

    /// All that is known of it before it is called.
    const DEFINITION: &'static Definition;

    /// Checks the arguments; nothing has reached the target yet.
    ///
    /// # Errors
    /// Names the parameter that is wrong.
    fn parse(arguments: Arguments<'_>) -> Result<Self::Input>;

    /// How long a call with this input may take.
    fn time_limit(_input: &Self::Input) -> Duration {
        TIME_LIMIT
    }

    /// How many writes a call with this input counts as, and when they come.
    fn charge(_input: &Self::Input) -> Charge {
        Charge::ONE
    }

    /// Does it.
    ///
    /// # Errors
    /// Whatever kept it from being done, in terms the caller can act on.
    async fn run(input: Self::Input, call: &Call) -> Result<Reply>;
}

/// A call whose input was checked.
pub struct Prepared {
    /// How long it may take.
    pub time_limit: Duration,
    /// How many writes it counts as, and when they come.
    pub charge: Charge,
    run: Box<dyn FnOnce(Arc<Call>) -> Running + Send>,
}

type Running = Pin<Box<dyn Future<Output = Result<Reply>> + Send>>;

impl Prepared {
    /// Runs it.
    pub fn run(self, call: Arc<Call>) -> impl Future<Output = Result<Reply>> + Send {
        (self.run)(call)
    }
}

/// A tool without its type, as the registry keeps it.
#[derive(Clone, Copy)]
pub struct Entry {
    /// All that is known of it before it is called.
    pub definition: &'static Definition,
    prepare: fn(&Map<String, Value>) -> Result<Prepared>,
}

impl Entry {
    /// The entry of a tool.
    #[must_use]
    pub fn of<T: Tool>() -> Self {
        Self { definition: T::DEFINITION, prepare: prepare::<T> }
    }

    /// Checks the arguments of a call.
    ///
    /// # Errors
    /// Names the parameter that is wrong.
    pub fn prepare(&self, arguments: &Map<String, Value>) -> Result<Prepared> {
        (self.prepare)(arguments)
    }
}

fn prepare<T: Tool>(arguments: &Map<String, Value>) -> Result<Prepared> {
    let input = T::parse(Arguments::new(arguments, T::DEFINITION.params)?)?;
    Ok(Prepared {
        time_limit: T::time_limit(&input),
        charge: T::charge(&input),
        run: Box::new(move |call| Box::pin(async move { T::run(input, &call).await })),
    })
}
