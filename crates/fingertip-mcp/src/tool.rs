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
use fingertip_core::target::{Capabilities, LaunchRequest};
use rmcp::model::{Tool as WireTool, ToolAnnotations};
use serde_json::Value;

use crate::call::Call;
use crate::params::{Arguments, Meaning, Param, object_schema};
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::surroundings::Surroundings;
use crate::targets::Targets;
use crate::windows::WantedWindow;

/// How long a call may take unless its tool says otherwise.
pub const TIME_LIMIT: Duration = Duration::from_secs(15);

/// A family of tools: one folder under `tools/`.
#[derive(Debug)]
pub struct Toolset {
    /// Its name on the command line and in the reference.
    pub name: &'static str,
    /// Where its tools are offered unless the owner chose tools by name.
    pub offered: Offered,
    /// Its tools, in the order of the reference.
    pub(crate) tools: fn() -> Vec<Entry>,
}

/// Where tools are offered unless the owner chose tools by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Offered {
    /// On every target.
    Everywhere,
    /// On desktops.
    OnDesktops,
    /// Beside all others, and also where those were chosen by name.
    BesideOthers,
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

/// What a call acts on as a whole, where that is neither an element nor a place on the screen.
#[derive(Debug, Clone)]
pub(crate) enum Subject {
    /// A program that is to be started.
    Launch(LaunchRequest),
    /// A window, or all those of an application.
    Windows(WantedWindow),
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
    pub toolset: &'static Toolset,
    /// What it does to its target.
    pub effect: Effect,
    /// What a target must be able to do for the tool to be listed.
    pub needs: Capabilities,
    /// Its parameters.
    pub params: &'static [&'static dyn Param],
    /// The schema of its structured reply, where that is JSON.
    pub output: Option<fn() -> Value>,
    /// How long it may take on a desktop, where the owner can choose that; see [`crate::timeouts`].
    pub limit: Option<Duration>,
    /// Whether it is meant to bring something else to the front, so that this is no surprise.
    pub leads_away: bool,
}

impl Definition {
    /// A tool of this set that only looks, takes no parameters and answers with text. What it is called is for the tool.
    #[must_use]
    pub const fn of(toolset: &'static Toolset) -> Self {
        Self {
            name: "",
            title: "",
            description: "",
            toolset,
            effect: Effect::Read,
            needs: Capabilities::empty(),
            params: &[],
            output: None,
            limit: None,
            leads_away: false,
        }
    }

    /// The parameters that calls can have while this is attached.
    pub fn params_in(&self, surroundings: Surroundings) -> Vec<&'static dyn Param> {
        self.params.iter().copied().filter(|param| param.is_offered(surroundings)).collect()
    }

    /// What the parameter of this name is to others than the tool.
    #[must_use]
    pub fn meaning(&self, name: &str) -> Meaning {
        let param = self.params.iter().find(|param| param.name() == name);
        param.map_or(Meaning::Plain, |param| param.meaning())
    }

    /// Whether it only looks.
    #[must_use]
    pub fn is_read(&self) -> bool {
        self.effect == Effect::Read
    }

    /// The tool as MCP lists it while this is attached, with `common` parameters after its own.
    #[must_use]
    pub fn to_wire(
        &self,
        common: impl Iterator<Item = &'static dyn Param>,
        surroundings: Surroundings,
    ) -> WireTool {
        let mut params = self.params_in(surroundings);
        params.extend(common);
        let mut tool =
            WireTool::new(self.name, self.description, Arc::new(object_schema(&params, surroundings)));
        tool.title = Some(self.title.to_owned());
        tool.annotations = Some(self.annotations());
        if let Some(Value::Object(schema)) = self.output.map(|schema| schema()) {
            tool.output_schema = Some(Arc::new(schema));
        }
        tool
    }

    /// Hints for clients; the title is beside them, and what they need not say is the default.
    fn annotations(&self) -> ToolAnnotations {
        let annotations = ToolAnnotations::new();
        match self.effect {
            Effect::Read => annotations.read_only(true).destructive(false),
            Effect::Write { destructive, idempotent: true } => {
                annotations.read_only(false).destructive(destructive).idempotent(true)
            }
            Effect::Write { destructive, idempotent: false } => {
                annotations.read_only(false).destructive(destructive)
            }
        }
    }
}

/// One tool.
#[async_trait]
pub(crate) trait Tool: Send + Sync + 'static {
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

    /// What a call with this input acts on as a whole.
    fn subject(_input: &Self::Input) -> Option<Subject> {
        None
    }

    /// Does it.
    ///
    /// # Errors
    /// Whatever kept it from being done, in terms the caller can act on.
    async fn run(input: Self::Input, call: &Call) -> Result<Reply>;
}

/// A tool about the server itself, which needs no target.
pub(crate) trait ServerTool {
    /// All that is known of it before it is called.
    const DEFINITION: &'static Definition;

    /// Does it.
    ///
    /// # Errors
    /// Names the parameter that is wrong.
    fn run(arguments: Arguments<'_>, targets: &Targets) -> Result<Reply>;
}

/// A call whose input was checked.
pub(crate) struct Prepared {
    /// How long it may take.
    pub time_limit: Duration,
    /// How many writes it counts as, and when they come.
    pub charge: Charge,
    /// What it acts on as a whole.
    pub subject: Option<Subject>,
    run: Box<dyn FnOnce(Arc<Call>) -> Running + Send>,
}

type Running = Pin<Box<dyn Future<Output = Result<Reply>> + Send>>;

impl Prepared {
    /// Runs it.
    pub(crate) fn run(self, call: Arc<Call>) -> impl Future<Output = Result<Reply>> + Send {
        (self.run)(call)
    }
}

/// A tool without its type, as the registry keeps it.
#[derive(Clone, Copy)]
pub(crate) struct Entry {
    /// All that is known of it before it is called.
    pub definition: &'static Definition,
    /// Where it runs.
    pub run: Run,
}

/// Where a tool runs.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// On a target, once its input was checked.
    OnTarget(Prepare),
    /// In the server.
    InServer(fn(Arguments<'_>, &Targets) -> Result<Reply>),
    /// As calls of other tools.
    Steps,
}

/// Checks the input of a call.
pub(crate) type Prepare = fn(Arguments<'_>) -> Result<Prepared>;

impl Entry {
    /// The entry of a tool that runs on a target.
    #[must_use]
    pub(crate) fn of<T: Tool>() -> Self {
        Self { definition: T::DEFINITION, run: Run::OnTarget(prepare::<T>) }
    }

    /// The entry of a tool that runs in the server.
    #[must_use]
    pub(crate) fn in_server<T: ServerTool>() -> Self {
        Self { definition: T::DEFINITION, run: Run::InServer(T::run) }
    }

    /// Whether it runs on a target, so that a call can name the one it means.
    #[must_use]
    pub(crate) fn takes_device(&self) -> bool {
        matches!(self.run, Run::OnTarget(_) | Run::Steps)
    }
}

fn prepare<T: Tool>(arguments: Arguments<'_>) -> Result<Prepared> {
    let input = T::parse(arguments)?;
    Ok(Prepared {
        time_limit: T::time_limit(&input),
        charge: T::charge(&input),
        subject: T::subject(&input),
        run: Box::new(move |call| Box::pin(async move { T::run(input, &call).await })),
    })
}
