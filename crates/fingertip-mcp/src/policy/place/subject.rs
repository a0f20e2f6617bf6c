//! Where a call would act that starts a program, or is for windows as a whole.

use fingertip_core::target::LaunchRequest;
use fingertip_core::{Deadline, Rect, Window};
use serde_json::json;
use sha2::{Digest, Sha256};

use super::super::confirm::Place;
use super::super::guard::Agreed;
use super::super::shown::quoted;
use crate::attached::Attached;
use crate::call::within;
use crate::params::WantedApp;
use crate::secrets::{Said, Secrets};
use crate::windows::WantedWindow;

/// The most words of a command line that a question shows.
const MOST_WORDS: usize = 24;

/// What would be started. Where that is not known the question has less in it, and the call will fail.
pub(super) async fn launch(
    attached: &Attached,
    request: &LaunchRequest,
    secrets: &Secrets,
    deadline: Deadline,
) -> Place {
    let quoted = |text: &str| quoted(&secrets.redact(text.to_owned(), &Said::default()));
    let planned = attached.plan_launch(request, deadline);
    let planned = within(deadline, "finding the application", planned).await;
    let mut place = Place { target: attached.info().name, ..Place::default() };
    if let Ok(plan) = planned {
        let mut words: Vec<String> = plan.words.iter().take(MOST_WORDS).map(|word| quoted(word)).collect();
        if plan.words.len() > MOST_WORDS {
            words.push(format!("and {} more words, which are not shown", plan.words.len() - MOST_WORDS));
        }
        place.starts = Some(format!("{} by {}", quoted(&plan.name), words.join(" ")));
        place.bound = Sha256::digest(json!([plan.id, plan.words]).to_string()).into();
        place.agreed = Agreed { launch: Some(plan), ..Agreed::default() };
    }
    place
}

/// The windows it is for.
pub(super) async fn windows(
    attached: &Attached,
    wanted: &WantedWindow,
    secrets: &Secrets,
    deadline: Deadline,
) -> Place {
    let quoted = |text: &str| quoted(&secrets.redact(text.to_owned(), &Said::default()));
    let info = attached.info();
    let found =
        within(deadline, "finding the windows", wanted.all(attached.survey(), info.kind, deadline)).await;
    let windows = match found {
        Ok(windows) => windows,
        // On a phone an application is stopped that need not be on the screen.
        Err(_) if !info.kind.addresses_processes() => wanted.app.iter().map(unseen).collect(),
        Err(_) => Vec::new(),
    };
    let titles: Vec<String> =
        windows.iter().filter_map(|window| window.title.as_deref().map(&quoted)).collect();
    let identity = |window: &Window| json!([window.app, window.pid, window.handle, window.title]);
    let identities: Vec<_> = windows.iter().map(identity).collect();
    Place {
        target: info.name,
        app: windows.first().and_then(|window| window.app.as_deref()).map(str::to_owned),
        in_front: windows.iter().any(|window| window.focused),
        element: (!titles.is_empty()).then(|| format!("the window {}", titles.join(" and "))),
        bound: Sha256::digest(json!(identities).to_string()).into(),
        agreed: Agreed { named: windows, ..Agreed::default() },
        ..Place::default()
    }
}

fn unseen(app: &WantedApp) -> Window {
    Window::new(&app.to_string(), Rect::default())
}
