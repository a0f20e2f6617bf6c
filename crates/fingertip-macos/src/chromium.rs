//! Applications on Chromium, which build no tree until one is asked for.
//!
//! Electron listens for `AXManualAccessibility`, the browsers for `AXEnhancedUserInterface`. Either is set once for each process:
//! newer Electron waits two seconds after each set, so that setting it again only prolongs the wait. Until the page is there
//! the tree is reported as incomplete, never as all there is. The second attribute makes windows stutter while they are moved, so
//! it is taken back for that ([`Waking::without_enhancement`]).

use std::sync::Mutex;
use std::time::{Duration, Instant};

use fingertip_core::sync::lock;

use crate::attributes::{ENHANCED_INTERFACE, MANUAL_ACCESSIBILITY};
use crate::client::Client;
use crate::element::Setting;
use crate::failure::{Answer, Failure};
use crate::read::RawTree;
use crate::roles;

/// How long a process may take to build its tree.
const BUILT_WITHIN: Duration = Duration::from_secs(8);
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(150);
/// The part of a call's time that may be spent waiting for it: half of it.
const SHARE: u32 = 2;
/// What is said of a tree that is not there yet.
const INCOMPLETE: &str =
    "incomplete: the application is still building its accessibility tree; look again in a moment";
/// The beginnings of the bundle ids of browsers that listen for the second attribute alone.
const BROWSERS: [&str; 9] = [
    "com.google.Chrome",
    "org.chromium.",
    "com.microsoft.edgemac",
    "com.brave.Browser",
    "company.thebrowser.",
    "com.vivaldi.",
    "com.operasoftware.",
    "com.openai.atlas",
    "ai.perplexity.comet",
];

/// How far an application is woken.
#[derive(Debug, Default)]
pub(crate) struct Waking(Mutex<State>);

#[derive(Debug, Clone, Copy, Default)]
enum State {
    /// Not asked yet.
    #[default]
    Unknown,
    /// It need not be woken.
    Native,
    /// It was asked to build its tree, by this attribute.
    Woken { at: Instant, by: &'static str },
    /// Its page was there.
    Built { by: &'static str },
}

impl Waking {
    /// Wakes an application that needs it, and reads it until its page is there or enough of the call's time is spent.
    pub(crate) fn woken(&self, client: &Client<'_>, read: impl Fn() -> Answer<RawTree>) -> Answer<RawTree> {
        if let State::Unknown = self.state() {
            self.wake(client)?;
        }
        let mut raw = read()?;
        let State::Woken { at, by } = self.state() else { return Ok(raw) };
        let share = client.cancel.slice(client.cancel.deadline.remaining() / SHARE);
        while !has_page(&raw) {
            if at.elapsed() >= BUILT_WITHIN {
                // A browser without a page, or one that has none to show.
                self.set(State::Built { by });
                return Ok(raw);
            }
            if share.pause(LOOK_EVERY).is_err() {
                raw.walked.tree.cut = Some(INCOMPLETE.to_owned());
                return Ok(raw);
            }
            raw = read()?;
        }
        self.set(State::Built { by });
        Ok(raw)
    }

    /// Does something while the attribute that makes windows stutter is off.
    pub(crate) fn without_enhancement<T>(&self, client: &Client<'_>, act: impl FnOnce() -> T) -> T {
        let is_awake = matches!(
            self.state(),
            State::Woken { by: ENHANCED_INTERFACE, .. } | State::Built { by: ENHANCED_INTERFACE }
        );
        if !is_awake {
            return act();
        }
        let switch = |on| {
            if let Err(failure) = client.app.root.set(ENHANCED_INTERFACE, Setting::Bool(on)) {
                tracing::debug!(%failure, on, "the enhanced user interface could not be switched");
            }
        };
        switch(false);
        let acted = act();
        switch(true);
        acted
    }

    fn wake(&self, client: &Client<'_>) -> Answer<()> {
        let root = &client.app.root;
        let bundle = client.app.bundle_id.as_deref().unwrap_or_default();
        let is_browser = BROWSERS.iter().any(|known| bundle.starts_with(known));
        let by = if is_browser { ENHANCED_INTERFACE } else { MANUAL_ACCESSIBILITY };
        self.set(match root.set(by, Setting::Bool(true)) {
            Ok(()) => State::Woken { at: Instant::now(), by },
            Err(Failure::NoAnswer) => return Err(Failure::NoAnswer),
            Err(Failure::NotTrusted) => return Err(Failure::NotTrusted),
            // No other toolkit knows the attribute.
            Err(_) => State::Native,
        });
        Ok(())
    }

    fn state(&self) -> State {
        *lock(&self.0)
    }

    fn set(&self, state: State) {
        *lock(&self.0) = state;
    }
}

/// Whether a page is there, with something in it.
fn has_page(raw: &RawTree) -> bool {
    let objects = &raw.walked.tree.objects;
    objects.iter().any(|object| &*object.facts.role == roles::WEB_AREA && object.listed.total > 0)
}
