//! `close_app`: closes an application as its user would, and looks whether it went.

use async_trait::async_trait;
use fingertip_core::target::{AppRef, Capabilities, ClosedApp};
use fingertip_core::{Error, Reason, Result};
use serde_json::{Value, json};

use super::BASE;
use crate::apps;
use crate::call::Call;
use crate::nearest::nearest;
use crate::params::{AppName, Arguments, WantedApp};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Subject, Tool};
use crate::windows::WantedWindow;

/// How many applications an error names.
const MOST_NAMED: usize = 5;

const APP: AppName = AppName::required(
    "The application: its name or PID as list_windows and list_apps tell it; on a phone its package",
);

/// The tool.
pub(crate) struct CloseApp;

#[async_trait]
impl Tool for CloseApp {
    type Input = WantedApp;

    const DEFINITION: &'static Definition = &Definition {
        name: "close_app",
        title: "Close app",
        description: "Closes an application and looks whether it went. On a desktop all its windows are asked to close, as \
            by their close buttons, and nothing is killed: an application that asks whether to save stays open, and the \
            reply names its dialog for you to answer. On a phone the application is stopped.",
        effect: Effect::Write { destructive: true, idempotent: true },
        needs: Capabilities::CLOSE_APPS,
        params: &[&APP],
        output: Some(output),
        leads_away: true,
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<WantedApp> {
        APP.read(arguments)
    }

    fn subject(wanted: &WantedApp) -> Option<Subject> {
        Some(Subject::Windows(WantedWindow { name: None, app: Some(wanted.clone()) }))
    }

    async fn run(wanted: WantedApp, call: &Call) -> Result<Reply> {
        let app = if call.kind().addresses_processes() {
            apps::find(call, &wanted, call.deadline()).await?.reference()
        } else {
            package(call, &wanted).await?
        };
        let ClosedApp { windows, left, still_running } =
            call.app_closer()?.close_app(&app, call.deadline()).await?;
        let mut reply = json!({ "app": app.name, "closed": left.is_empty(), "windowsClosed": windows });
        if !left.is_empty() {
            let windows = left.iter().map(|window| {
                json!({ "title": window.title, "type": window.kind.name(), "frontmost": window.focused })
            });
            reply["windowsLeft"] = windows.collect();
            reply["note"] = json!(
                "It is still open: look at the windows that are left; one of them may ask whether to save. Nothing was \
                 killed."
            );
        } else if still_running {
            reply["note"] = json!("All its windows are closed; its process goes on without one.");
        }
        Ok(Reply::json(reply).untrusted())
    }
}

/// The package that is meant: one that can be opened, by its id or name. Parts of the system are none.
async fn package(call: &Call, wanted: &WantedApp) -> Result<AppRef> {
    let WantedApp::Named(name) = wanted else {
        return Err(Error::invalid("Parameter 'app' must be a package on a phone, not a process."));
    };
    let installed = call.applications()?.installed(call.deadline()).await?.apps;
    let by_id = installed.iter().find(|app| *app.id == **name);
    let mut by_name = installed.iter().filter(|app| app.name.eq_ignore_ascii_case(name));
    let found = match by_id {
        Some(found) => Some(found),
        None => by_name.next().filter(|_| by_name.next().is_none()),
    };
    found.map(|app| AppRef::named(&app.id)).ok_or_else(|| {
        let near = nearest(name, installed.iter().map(|app| &*app.id), MOST_NAMED);
        Error::new(
            Reason::NotFound,
            format!("'{wanted}' is no application of this phone; nothing was closed."),
        )
        .with_guidance(format!("Name it by its package, such as: {}.", near.join(", ")))
    })
}

fn output() -> Value {
    json!({
        "type": "object",
        "properties": {
            "app": { "type": "string" },
            "closed": { "type": "boolean", "description": "Whether all its windows are gone" },
            "windowsClosed": { "type": "integer" },
            "windowsLeft": { "type": "array", "items": { "type": "object" } },
            "note": { "type": "string" },
        },
        "required": ["app", "closed", "windowsClosed"],
    })
}
