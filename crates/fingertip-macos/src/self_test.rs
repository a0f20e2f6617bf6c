//! Proof on a Mac in hand: the operations of the tools against the applications that every Mac has, each effect seen by a
//! second look.
//!
//! Rules: what was not running is closed again, the clipboard is put back, the text that is typed goes into a new document of
//! TextEdit and is removed; a step that fails does not stop the others; the report holds no text of the screen, so that it can be
//! attached to an issue as it is.

use std::fmt;
use std::time::{Duration, Instant};

use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, LaunchRequest, NodeAction, Part, Scope, ScreenshotRequest};
use fingertip_core::{Deadline, Error, Flags, NodeIndex, Reason, Result, Snapshot};

use crate::target::Desktop;

/// How long one step may take.
const STEP_WITHIN: Duration = Duration::from_secs(30);
/// The applications that are read.
const READ: [&str; 4] = ["TextEdit", "Finder", "System Settings", "Safari"];
/// The application that is written into.
const EDITOR: &str = "TextEdit";
/// What is written: every kind of character that was ever lost.
const TEXT: &str = "Fingertip self-test: äöü – 漢字 – 😀👩‍👩‍👧";

/// One step of the test, done.
#[derive(Debug, Clone)]
pub struct Step {
    /// What was tried.
    pub name: String,
    /// How long it took.
    pub took: Duration,
    /// What was seen, or what went wrong.
    pub outcome: std::result::Result<String, Error>,
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (took, name) = (self.took.as_millis(), &self.name);
        match &self.outcome {
            Ok(seen) => write!(f, "ok   {took:>6} ms  {name}: {seen}"),
            Err(error) => write!(f, "FAIL {took:>6} ms  {name}: {error:?}"),
        }
    }
}

/// Tries everything; `report` gets each step as it ends. Returns how many failed.
pub async fn run(desktop: &Desktop, mut report: impl FnMut(&Step)) -> usize {
    let mut failed = 0;
    let mut done = |name: String, start: Instant, outcome: Result<String>| {
        let step = Step { name, took: start.elapsed(), outcome };
        failed += usize::from(step.outcome.is_err());
        report(&step);
    };
    macro_rules! step {
        ($name:expr, $work:expr) => {{
            let start = Instant::now();
            let outcome = $work.await;
            done($name.to_owned(), start, outcome);
        }};
    }
    step!("applications", applications(desktop));
    step!("windows", windows(desktop));
    for app in READ {
        step!(format!("{app}: tree, search and focus").as_str(), read(desktop, app));
    }
    step!("write, watch and undo in TextEdit", write(desktop));
    step!("clipboard", clipboard(desktop));
    step!("picture", picture(desktop));
    failed
}

fn soon() -> Deadline {
    Deadline::after(STEP_WITHIN)
}

async fn applications(desktop: &Desktop) -> Result<String> {
    let apps = desktop.apps(soon()).await?;
    match apps.first() {
        Some(first) if first.focused => Ok(format!("{} run, one in front", apps.len())),
        Some(_) => Ok(format!("{} run, none in front", apps.len())),
        None => Err(failure("No application is listed.")),
    }
}

async fn windows(desktop: &Desktop) -> Result<String> {
    let windows = desktop.windows(soon()).await?;
    let joined = windows.iter().filter(|window| window.handle.is_some()).count();
    Ok(format!("{} listed, {joined} of them joined with the window server's", windows.len()))
}

/// Reads an application, opened for it where it does not run, and closes it again then.
async fn read(desktop: &Desktop, app: &str) -> Result<String> {
    let was_running = is_running(desktop, app).await?;
    open(desktop, app).await?;
    let start = Instant::now();
    let snapshot = desktop.snapshot(&scope(app, Part::Visible), soon()).await?;
    let took = start.elapsed();
    let focused = if snapshot.focused_node().is_some() { "a focus" } else { "no focus" };
    let cut = snapshot.cut.as_deref().map(|why| format!(", cut: {why}")).unwrap_or_default();
    let seen = format!("{} elements in {} ms, {focused}{cut}", snapshot.nodes().len(), took.as_millis());
    if !was_running {
        desktop.close_app(&AppRef::named(app), soon()).await?;
    }
    if snapshot.nodes().is_empty() {
        Err(failure(&format!("No element was read: {seen}.")))
    } else {
        Ok(seen)
    }
}

/// Writes into a text of TextEdit, sees it there and in a notification, and puts back what it held.
async fn write(desktop: &Desktop) -> Result<String> {
    let was_running = is_running(desktop, EDITOR).await?;
    open(desktop, EDITOR).await?;
    let before = desktop.snapshot(&scope(EDITOR, Part::Visible), soon()).await?;
    let area = text_area(&before)?;
    let held = before.node(area).text.clone().unwrap_or_default();
    desktop.act(&before, area, &NodeAction::Focus, soon()).await?;
    let mut watch = desktop.watch(Some(&AppRef::named(EDITOR)), soon()).await?;
    desktop.set_text(&before, area, TEXT, soon()).await?;
    let notified = watch.next(Deadline::after(Duration::from_secs(3))).await.is_ok();
    drop(watch);
    let after = desktop.snapshot(&scope(EDITOR, Part::Visible), soon()).await?;
    let index = text_area(&after)?;
    let is_there = after.node(index).text.as_deref() == Some(TEXT);
    desktop.set_text(&after, index, &held, soon()).await?;
    if !was_running {
        desktop.close_app(&AppRef::named(EDITOR), soon()).await?;
    }
    if !is_there {
        return Err(failure("The text was set and is not there."));
    }
    Ok(format!(
        "written and put back; {}",
        if notified { "a notification came" } else { "no notification came" }
    ))
}

async fn clipboard(desktop: &Desktop) -> Result<String> {
    let before = desktop.get_clipboard(soon()).await?;
    desktop.set_clipboard(TEXT, soon()).await?;
    let held = desktop.get_clipboard(soon()).await?;
    desktop.set_clipboard(before.as_deref().unwrap_or_default(), soon()).await?;
    if held.as_deref() == Some(TEXT) {
        Ok("written, read back, put back".to_owned())
    } else {
        Err(failure("The clipboard does not hold what was written."))
    }
}

async fn picture(desktop: &Desktop) -> Result<String> {
    let request = ScreenshotRequest { region: None, longest_side: None, quality: 80 };
    match desktop.screenshot(request, soon()).await? {
        fingertip_core::target::Screenshot::Raw(pixels) => {
            let first = pixels.data.first_chunk::<4>();
            let is_plain =
                pixels.data.chunks_exact(4).all(|pixel| Some(pixel) == first.map(|first| &first[..]));
            let how = if is_plain { "of one colour" } else { "with something on it" };
            Ok(format!("{} x {} pixels, {how}", pixels.width, pixels.height))
        }
        _ => Err(failure("The picture is of an unknown kind.")),
    }
}

async fn is_running(desktop: &Desktop, app: &str) -> Result<bool> {
    Ok(desktop.apps(soon()).await?.iter().any(|running| &*running.name == app))
}

/// Opens an application, or brings it to the front.
async fn open(desktop: &Desktop, app: &str) -> Result<()> {
    let request = LaunchRequest { app: app.to_owned(), ..LaunchRequest::default() };
    let plan = desktop.plan_launch(&request, soon()).await?;
    desktop.launch(&plan, soon()).await.map(drop)
}

fn scope(app: &str, part: Part) -> Scope {
    Scope::App { app: AppRef::named(app), part }
}

fn text_area(snapshot: &Snapshot) -> Result<NodeIndex> {
    let is_area = |index: &NodeIndex| snapshot.node(*index).class.as_deref() == Some("AXTextArea");
    let found = snapshot.indices().find(|index| is_area(index) && snapshot.node(*index).is(Flags::VISIBLE));
    found.ok_or_else(|| failure("TextEdit shows no text; open a new document in it first."))
}

fn failure(message: &str) -> Error {
    Error::new(Reason::ActionFailed, message)
}
