//! `select_menu`: an item of a menu, by the way to it.

use async_trait::async_trait;
use fingertip_core::target::{AppRef, Capabilities};
use fingertip_core::{Error, Reason, Result};

use super::BASE;
use super::shared::OPTIONAL_APP;
use crate::apps;
use crate::call::Call;
use crate::interact::{MAX_STEPS, select_menu};
use crate::params::{Arguments, Param, Text, WantedApp};
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const PATH: Text =
    Text::required("path", "The labels on the way, as in \"File > Save As…\"; mnemonics do not matter")
        .not_empty();

/// The tool.
pub(crate) struct SelectMenu;

/// The way, and whose menu.
pub(crate) struct Input {
    path: Vec<String>,
    app: Option<WantedApp>,
}

#[async_trait]
impl Tool for SelectMenu {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "select_menu",
        title: "Select menu item",
        description: "Chooses an item of a menu bar, a menu button or an open menu by its path, opening what is closed \
            step by step, and says what changed. An item that is missing, disabled or not the only one is an error \
            that tells what is there; the menu is closed again.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::SNAPSHOT.union(Capabilities::POINTER),
        params: &[&PATH, &OPTIONAL_APP],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        let path: Vec<String> = PATH.read(arguments)?.split('>').map(|step| step.trim().to_owned()).collect();
        if path.len() > MAX_STEPS || path.iter().any(String::is_empty) {
            return Err(Error::invalid(format!(
                "Parameter '{}' must be 1 to {MAX_STEPS} labels with '>' between them, none of them empty.",
                PATH.name()
            )));
        }
        Ok(Input { path, app: OPTIONAL_APP.read(arguments)? })
    }

    fn charge(input: &Input) -> Charge {
        Charge::Steps(u32::try_from(input.path.len()).unwrap_or(u32::MAX))
    }

    async fn run(Input { path, app }: Input, call: &Call) -> Result<Reply> {
        let app = match &app {
            Some(wanted) => apps::find(call, wanted, call.deadline()).await?.reference(),
            None => in_front(call).await?,
        };
        let became = select_menu(call, app, &path).await?;
        Ok(Reply::quoting(&format!("Chose {:?}. {became}", path.join(" > "))))
    }
}

async fn in_front(call: &Call) -> Result<AppRef> {
    let all = apps::all(call, call.deadline()).await?;
    all.first().filter(|app| app.focused).map(fingertip_core::target::App::reference).ok_or_else(|| {
        Error::new(Reason::NotFound, "No application is in front; nothing was done.")
            .with_guidance("Name it with 'app'; list_windows lists them.")
    })
}
