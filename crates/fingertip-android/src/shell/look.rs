//! Looking at the screen: tree, focus, size and rotation in one stream.
//!
//! `uiautomator dump` waits until nothing has changed for a second, ten at the most, then prints the tree or a sentence. Failures
//! that pass (no root during an animation, another reader) are tried again while there is time; those that stay
//! are answered with their reason.

use std::mem::discriminant;
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{Deadline, Error, Reason, Result, Screen, Snapshot, Window};

use super::{ShellDriver, receivers};
use crate::apps::Front;
use crate::channel::Output;
use crate::driver::Driver;
use crate::parse::display::{self, Display};
use crate::parse::focus::{self, Focus};
use crate::parse::hierarchy::{self, DumpError};
use crate::wait::{crowded, pause};
use crate::{lock, screen, tree};

/// The line between the tree and what follows it. The tree cannot hold it: it has no line ends of its own.
const DIVIDER: &str = "@fingertip: focus and screen";
/// Where the tree is put on phones that cannot print it.
const FILE: &str = "/data/local/tmp/fingertip-screen.xml";
/// The lines wanted of `dumpsys window displays`.
const WINDOW_LINES: &str = "mDisplayId=|mCurrentFocus=|mFocusedApp=|cur=|mRotation=|mCurrentRotation=";
/// The first interface level that prints the focus with the displays: Android 10.
const FOCUS_OF_DISPLAYS_SDK: u32 = 29;
/// How often in a row asking for all windows may give less than asking for one, until it is given up.
const MAX_DISAPPOINTMENTS: u8 = 3;
/// What all the rest can come to, beside the tree, in bytes.
const MAX_REST: usize = 1024 * 1024;
/// The time between two attempts.
const PAUSE: Duration = Duration::from_millis(100);

/// How a phone is read, as learnt from earlier reads.
///
/// Releases that do not know `--windows` overlook it and give the focused window. Those that do ask the system
/// for its windows too early and often get none, or not all: then the focused window alone is read after all,
/// and in the end only that.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    /// Whether all windows are asked for.
    windows: bool,
    /// Whether the tree comes by way of a file, because the phone cannot print it.
    filed: bool,
    /// How often in a row asking for all windows gave less than asking for one.
    disappointments: u8,
}

impl Default for Form {
    fn default() -> Self {
        Self { windows: true, filed: false, disappointments: 0 }
    }
}

impl Form {
    fn command(self) -> String {
        let option = if self.windows { "--windows " } else { "" };
        if self.filed {
            format!("rm -f {FILE}; uiautomator dump {option}{FILE}; cat {FILE}; rm -f {FILE}")
        } else {
            format!("uiautomator dump {option}/dev/tty")
        }
    }

    /// The next way to try when nothing like a tree came; `None` when all were tried.
    fn next(self) -> Option<Self> {
        match self {
            Self { filed: false, .. } => Some(Self { filed: true, ..self }),
            Self { windows: true, .. } => Some(Self { windows: false, filed: false, ..self }),
            _ => None,
        }
    }

    /// Notes that the focused window was there when it was asked for alone, and not among all.
    fn disappoint(&mut self) {
        self.disappointments += 1;
        self.windows = self.disappointments < MAX_DISAPPOINTMENTS;
    }
}

/// What a dump gave.
type Dumped = std::result::Result<Snapshot, DumpError>;

/// Focus and screen at one moment.
#[derive(Debug, Clone, Default)]
pub(super) struct Look {
    pub(super) focus: Focus,
    pub(super) display: Display,
}

impl Look {
    fn of(text: &str) -> Self {
        Self { focus: focus::parse(text), display: display::parse(text) }
    }
}

/// How often a failure that may pass is tried again.
const fn attempts(error: &DumpError) -> u32 {
    match error {
        // An animation passes in a second or two.
        DumpError::NullRoot => 30,
        // Each attempt takes ten seconds on a phone.
        DumpError::NeverIdle => 2,
        // A reader whose caller has left goes on for ten seconds at the most.
        DumpError::Busy | DumpError::Killed => 20,
        _ => 3,
    }
}

#[async_trait]
impl Driver for ShellDriver {
    fn capabilities(&self) -> Capabilities {
        Self::capabilities_at(self.facts.sdk)
    }

    async fn snapshot(&self, deadline: Deadline) -> Result<Snapshot> {
        let entering = self.reading.enter(deadline.claim());
        let _reading = tokio::time::timeout_at(deadline.instant().into(), entering)
            .await
            .map_err(|_| crowded("waiting for other looks at the screen", self.reading.waiting()))?;
        let mut form = *lock(&self.form);
        let read = self.read_as(&mut form, deadline).await;
        *lock(&self.form) = form;
        read
    }

    async fn receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        let mut windows = receivers::listed(&self.device, deadline).await?;
        if windows.is_empty() {
            // A phone that lists them in a way not known here still shows its tree.
            windows = self.snapshot(deadline).await?.windows().to_vec();
            windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
        }
        Ok(windows)
    }

    async fn screen(&self, deadline: Deadline) -> Result<Screen> {
        screen::of(self.look(deadline).await?.display, None).ok_or_else(|| {
            Error::new(Reason::ActionFailed, "The phone does not say how large its screen is.")
        })
    }
}

impl ShellDriver {
    /// Reads focus and screen, without the tree.
    pub(super) async fn look(&self, deadline: Deadline) -> Result<Look> {
        let output = self.device.run(&self.surroundings(), MAX_REST, deadline).await?;
        Ok(Look::of(&output.text()))
    }

    /// Reads everything, as this phone is known to be read.
    async fn read_as(&self, form: &mut Form, deadline: Deadline) -> Result<Snapshot> {
        let mut failure: Option<(DumpError, u32)> = None;
        let mut alone = false;
        loop {
            let asked = Form { windows: form.windows && !alone, ..*form };
            let error = match self.read_once(asked, deadline).await {
                Err(error) => return Err(timed_out(error, failure.as_ref())),
                Ok(read) if asked.windows && self.lacks_its_front(&read) => {
                    alone = true;
                    continue;
                }
                Ok(Err(error)) => error,
                Ok(Ok(snapshot)) => {
                    self.learn(form, alone, &snapshot);
                    return Ok(snapshot);
                }
            };
            if let DumpError::NoDump(_) = error
                && let Some(next) = asked.next()
            {
                *form = next;
                continue;
            }
            let again = failure.as_ref().filter(|(known, _)| discriminant(known) == discriminant(&error));
            let failed = again.map_or(0, |(_, count)| *count) + 1;
            if failed >= attempts(&error) || deadline.passed() {
                if matches!(error, DumpError::NoDump(_)) {
                    *form = Form::default();
                }
                return Err(explained(&error));
            }
            failure = Some((error, failed));
            pause(PAUSE, deadline).await;
        }
    }

    /// Remembers what reading the focused window alone, after all windows had lacked it, has shown.
    fn learn(&self, form: &mut Form, alone: bool, snapshot: &Snapshot) {
        if !alone {
            form.disappointments = 0;
        } else if self.shows_its_front(snapshot) {
            form.disappoint();
        } else {
            lock(&self.faceless).clone_from(&snapshot.app);
        }
    }

    /// Whether the application in front has a window in the snapshot. Some applications, such as games, never
    /// have one; the last of those is remembered and not looked for.
    fn shows_its_front(&self, snapshot: &Snapshot) -> bool {
        let faceless = lock(&self.faceless);
        snapshot.app.is_none()
            || *faceless == snapshot.app
            || snapshot.windows().iter().any(|window| window.app == snapshot.app)
    }

    fn lacks_its_front(&self, read: &Dumped) -> bool {
        match read {
            Ok(snapshot) => !self.shows_its_front(snapshot),
            Err(error) => *error == DumpError::NullRoot,
        }
    }

    async fn read_once(&self, form: Form, deadline: Deadline) -> Result<Dumped> {
        let script = format!("{}; echo; echo '{DIVIDER}'; {}", form.command(), self.surroundings());
        let output = self.device.run(&script, hierarchy::MAX_BYTES + MAX_REST, deadline).await?;
        let (dump, rest) = divided(&output);
        // A dump longer than any that is read leaves no room for what follows it.
        let look = match rest {
            Some(rest) => Look::of(&String::from_utf8_lossy(rest)),
            None if output.cut => self.look(deadline).await?,
            None => Look::default(),
        };
        let hierarchy = match hierarchy::parse(dump) {
            Err(DumpError::NoDump(_)) => hierarchy::parse(&[dump, b"\n", &output.stderr].concat()),
            parsed => parsed,
        };
        Ok(hierarchy.map(|mut hierarchy| {
            self.hints.apply(&mut hierarchy);
            let screen = screen::of(look.display, hierarchy.rotation);
            tree::snapshot(hierarchy, screen, Front::of(&look.focus).as_ref())
        }))
    }

    fn surroundings(&self) -> String {
        let focus_of_old = if self.facts.sdk < FOCUS_OF_DISPLAYS_SDK {
            "dumpsys window windows | grep -E 'mCurrentFocus=|mFocusedApp='; "
        } else {
            ""
        };
        format!("{focus_of_old}dumpsys window displays | grep -E '{WINDOW_LINES}'; wm size; wm density")
    }
}

/// The tree, and what follows it where that was read.
fn divided(output: &Output) -> (&[u8], Option<&[u8]>) {
    let bytes = &output.stdout;
    let divider = DIVIDER.as_bytes();
    let start = bytes.len().saturating_sub(MAX_REST);
    match bytes[start..].windows(divider.len()).rposition(|window| window == divider) {
        Some(at) => (&bytes[..start + at], Some(&bytes[start + at + divider.len()..])),
        None => (bytes, None),
    }
}

/// The time ran out; why the attempts before did not succeed says more.
fn timed_out(error: Error, failure: Option<&(DumpError, u32)>) -> Error {
    match failure {
        Some((failure, _)) if error.reason() == Reason::Timeout => {
            Error::new(Reason::Timeout, format!("The screen could not be read in time: {failure}."))
        }
        _ => error,
    }
}

fn explained(error: &DumpError) -> Error {
    let reason = if *error == DumpError::NeverIdle { Reason::Timeout } else { Reason::ActionFailed };
    let advice = match error {
        DumpError::NullRoot => "Wake and unlock the phone, or wait a moment and try again.",
        DumpError::NeverIdle => {
            "Without the agent on the phone only an idle screen can be read: stop what moves, or take a screenshot."
        }
        DumpError::Busy | DumpError::Killed => "Stop other automation tools on the phone, then try again.",
        _ => "Try again; if it stays so, restart the phone.",
    };
    Error::new(reason, format!("The screen could not be read: {error}.")).with_guidance(advice)
}
