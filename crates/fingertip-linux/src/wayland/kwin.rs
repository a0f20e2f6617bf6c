//! KWin, the compositor of KDE Plasma, as a [`DisplayServer`].
//!
//! Which windows there are and where, and acting on them, it gives to every program of the session, by a [`script`] in it.
//! Pointer, keys and pictures it gives to programs alone that a desktop entry of the user's names: [`GRANT`]. That entry is
//! a grant, which this crate never writes. Without it the tools that need them are not there.

mod devices;
mod keys;
mod pictures;
mod report;
mod script;
mod windows;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Direction, Expected, KeyPress, Pixels, WindowAction};
use fingertip_core::{Deadline, Error, Finding, Point, Reason, Rect, Result};
use fingertip_desktop::ListedWindow;
use tokio::runtime::Handle;

use super::clipboard::Clipboard;
use super::viewer::Viewer;
use super::{input, runtime_of};
use crate::display::error::{Failure, Outcome};
use crate::display::worker::{CancelToken, Worker};
use crate::display::{DisplayServer, Offers};
use crate::environment::Environment;
use crate::place::Placing;
use devices::{Devices, FAKE_INPUT, Guided};
#[cfg(feature = "fuzzing")]
pub(crate) use keys::keys_of_bytes;
#[cfg(feature = "fuzzing")]
pub(crate) use report::layout_of_bytes;
use script::Script;

/// What only KWin offers.
const ITS_OWN: &str = "org_kde_plasma_shell";
/// How long KWin may take to tell what it gives.
const ASKED_WITHIN: Duration = Duration::from_secs(4);

/// What each part of what we give is called.
const NAMES: [(Offers, &str); 5] = [
    (Offers::POINTER, "pointer"),
    (Offers::KEYBOARD, "keyboard"),
    (Offers::PICTURES, "screenshots"),
    (Offers::CLIPBOARD, "clipboard"),
    (Offers::WINDOWS, "window positions"),
];

/// What the grant is: the lines of a desktop entry that allow the program it starts what KWin keeps from others.
pub const GRANT: [(&str, &str); 2] = [
    ("X-KDE-Wayland-Interfaces", FAKE_INPUT),
    ("X-KDE-DBUS-Restricted-Interfaces", "org.kde.KWin.ScreenShot2"),
];

/// The KWin of this session.
#[derive(Debug)]
pub(super) struct Kwin {
    given: Given,
    script: Arc<Script>,
    /// Our pointer and keyboard: what takes time, one after another.
    input: Worker<Devices>,
    clipboard: Arc<Clipboard>,
}

/// What a KWin gives, and why not the rest.
#[derive(Debug)]
struct Given {
    offers: Offers,
    /// Why it does not tell its windows.
    windows: Option<Error>,
    /// Why it gives no pictures, where it gives the rest.
    pictures: Option<Error>,
}

/// Whether this compositor is a KWin.
pub(super) fn is_kwin(compositor: &Viewer) -> bool {
    compositor.offers(ITS_OWN)
}

impl Kwin {
    /// The KWin at this socket. It is asked for a moment what it gives; pointer and keyboard are made now, so that
    /// applications know them when they are first used.
    pub(super) fn open(compositor: &Viewer, socket: &Path, environment: &Environment) -> Outcome<Self> {
        let folder = runtime_of(socket);
        let given = Given::asked(compositor, &Script::new(environment, compositor.peer(), folder))?;
        let server = Self {
            script: Arc::new(Script::new(environment, compositor.peer(), folder)),
            input: Worker::new("kwin-input", PathBuf::from(socket)),
            clipboard: Arc::new(Clipboard::new(socket)),
            given,
        };
        if server.offers().contains(Offers::POINTER | Offers::KEYBOARD) {
            server.input.connect_early();
        }
        Ok(server)
    }

    /// Does something with pointer and keyboard.
    async fn with_hands<T: Send + 'static>(
        &self,
        deadline: Deadline,
        job: impl FnOnce(&mut Guided<'_>, &CancelToken) -> Outcome<T> + Send + 'static,
    ) -> Result<T> {
        let (script, clipboard, runtime) =
            (Arc::clone(&self.script), Arc::clone(&self.clipboard), Handle::current());
        let guided = move |devices: &mut Devices, cancel: &CancelToken| {
            let mut hands = Guided::new(devices, &script, &clipboard, &runtime, cancel);
            job(&mut hands, cancel)
        };
        self.input.run(deadline, guided).await
    }
}

#[async_trait]
impl DisplayServer for Kwin {
    fn offers(&self) -> Offers {
        self.given.offers
    }

    fn shortcoming(&self) -> Option<Error> {
        self.given.shortcoming()
    }

    fn placing(&self) -> Placing {
        Placing::InListedSurfaces
    }

    async fn examine(&self, _: Deadline) -> Vec<Finding> {
        self.given.findings()
    }

    async fn screen(&self, deadline: Deadline) -> Result<Rect> {
        Ok(self.script.layout(deadline).await?.screen)
    }

    async fn windows(&self, deadline: Deadline) -> Result<Vec<ListedWindow>> {
        Ok(self.script.layout(deadline).await?.windows)
    }

    async fn look(&self, deadline: Deadline) -> Result<(Rect, Vec<ListedWindow>)> {
        let layout = self.script.layout(deadline).await?;
        Ok((layout.screen, layout.windows))
    }

    async fn activate(&self, window: u32, deadline: Deadline) -> Result<()> {
        windows::activate(&self.script, window, deadline).await
    }

    async fn act_on(
        &self,
        window: u32,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<ListedWindow>> {
        windows::act(&self.script, window, action, deadline).await
    }

    async fn ask_to_close(&self, window: u32, deadline: Deadline) -> Result<()> {
        windows::ask_to_close(&self.script, window, deadline).await
    }

    async fn drag(
        &self,
        gesture: &Gesture,
        to: &Expected,
        onto: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let (gesture, to, onto) = (gesture.clone(), to.clone(), onto.clone());
        self.with_hands(deadline, move |hands, cancel| input::play(hands, &gesture, &to, &onto, cancel)).await
    }

    async fn hover(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.with_hands(deadline, move |hands, cancel| input::hover(hands, at, &to, cancel)).await
    }

    async fn open_menu(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.with_hands(deadline, move |hands, cancel| input::open_menu(hands, at, &to, cancel)).await
    }

    async fn scroll(
        &self,
        at: Point,
        direction: Direction,
        notches: u32,
        to: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let to = to.clone();
        let act = move |hands: &mut Guided<'_>, cancel: &CancelToken| {
            input::scroll(hands, at, direction, notches, &to, cancel)
        };
        self.with_hands(deadline, act).await
    }

    async fn press(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        let to = to.clone();
        self.with_hands(deadline, move |hands, cancel| input::press(hands, press, &to, cancel)).await
    }

    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        let (text, to) = (text.to_owned(), to.clone());
        self.with_hands(deadline, move |hands, cancel| input::type_text(hands, &text, &to, cancel)).await
    }

    async fn shoot(&self, area: Option<Rect>, deadline: Deadline) -> Result<Pixels> {
        pictures::shoot(&self.script, area, deadline).await
    }

    async fn clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.clipboard.read(deadline).await
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.clipboard.write(text, deadline).await
    }
}

impl Given {
    /// Asks a KWin by a script of its own, which lives as long as the runtime that it is asked in.
    fn asked(compositor: &Viewer, script: &Script) -> Outcome<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
        let runtime = runtime.map_err(|error| Failure::Lost(error.to_string()))?;
        let (windows, pictures) = runtime.block_on(async {
            let deadline = Deadline::after(ASKED_WITHIN);
            let windows = script.layout(deadline).await.err();
            let pictures = match &windows {
                None => pictures::are_given(script, deadline).await.err(),
                Some(_) => None,
            };
            script.end().await;
            (windows, pictures)
        });
        Ok(Self::of(|interface| compositor.offers(interface), windows, pictures))
    }

    fn of(is_offered: impl Fn(&str) -> bool, windows: Option<Error>, pictures: Option<Error>) -> Self {
        let mut offers = Offers::empty();
        offers
            .set(Offers::CLIPBOARD, ["zwlr_data_control_manager_v1", "wl_seat"].into_iter().all(&is_offered));
        // Without known windows nobody could say who receives what is pressed.
        if windows.is_none() {
            offers |= Offers::WINDOWS;
            offers.set(Offers::POINTER | Offers::KEYBOARD, is_offered(FAKE_INPUT));
            offers.set(Offers::PICTURES, pictures.is_none());
        }
        Self { offers, windows, pictures }
    }

    /// The names of what it gives, or does not.
    fn names(&self, given: bool) -> String {
        let named = NAMES.iter().filter(|(offer, _)| self.offers.contains(*offer) == given);
        named.map(|(_, name)| *name).collect::<Vec<_>>().join(", ")
    }

    fn shortcoming(&self) -> Option<Error> {
        if self.offers.is_all() {
            return None;
        }
        let message = format!("Not available in this Plasma session: {}. {}.", self.names(false), self.why());
        Some(
            Error::new(Reason::Unsupported, message)
                .with_guidance(format!("Reading elements and their own actions work. {}", self.advice())),
        )
    }

    fn findings(&self) -> Vec<Finding> {
        let mut findings = Vec::new();
        if !self.offers.is_empty() {
            findings.push(Finding::fine(format!("Wayland compositor KWin gives {}", self.names(true))));
        }
        if !self.offers.is_all() {
            let what = format!("Wayland compositor KWin does not give {}. {}", self.names(false), self.why());
            findings.push(Finding::wrong(what, self.advice()));
        }
        findings
    }

    fn is_granted(&self) -> bool {
        self.offers.contains(Offers::POINTER)
    }

    fn why(&self) -> String {
        match (&self.windows, &self.pictures) {
            (Some(error), _) => error.message().trim_end_matches('.').to_owned(),
            (None, Some(error)) if self.is_granted() => {
                format!(
                    "KWin gives the program pointer and keys, and no pictures: {}",
                    error.message().trim_end_matches('.')
                )
            }
            _ => {
                let lines = GRANT.map(|(key, value)| format!("{key}={value}"));
                format!(
                    "KWin gives them to programs alone that a desktop entry of yours allows them, by the lines {}",
                    lines.join(" and ")
                )
            }
        }
    }

    fn advice(&self) -> String {
        match &self.windows {
            Some(error) => error.guidance().unwrap_or_default().to_owned(),
            None if self.is_granted() => {
                "Pictures need a KWin that draws by OpenGL; without a graphics card: KWIN_COMPOSE=O2.".to_owned()
            }
            None => "`fingertip init --kde` shows that entry, writes it after you agree, and `fingertip init --kde --undo` \
                     takes it back. Then start the server anew."
                .to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FREE: [&str; 2] = ["zwlr_data_control_manager_v1", "wl_seat"];

    fn error() -> Error {
        Error::new(Reason::ActionFailed, "KWin refused that (NoAuthorized).")
    }

    fn given(offered: &[&str], windows: Option<Error>, pictures: Option<Error>) -> Given {
        Given::of(|interface| offered.contains(&interface), windows, pictures)
    }

    #[test]
    fn with_the_grant_kwin_gives_everything() {
        let given = given(&[&FREE[..], &[FAKE_INPUT]].concat(), None, None);
        assert_eq!(given.offers, Offers::all());
        assert_eq!(given.shortcoming().map(|error| error.reason()), None);
        assert!(given.findings().iter().all(|finding| finding.ok));
    }

    #[test]
    fn without_it_there_are_windows_and_the_clipboard_and_what_helps_is_said() {
        let given = given(&FREE, None, Some(error()));
        assert_eq!(given.offers, Offers::WINDOWS | Offers::CLIPBOARD);
        let error = given.shortcoming().unwrap();
        assert!(error.message().contains("pointer, keyboard, screenshots"), "{error}");
        assert!(error.guidance().unwrap().contains("fingertip init --kde"), "{error}");
        let findings = given.findings();
        assert!(findings[0].ok && findings[0].what.contains("clipboard, window positions"), "{findings:?}");
        assert!(!findings[1].ok && findings[1].what.contains("X-KDE-Wayland-Interfaces"), "{findings:?}");
        assert!(findings[1].advice.as_ref().unwrap().contains("--undo"), "{findings:?}");
    }

    #[test]
    fn without_known_windows_nothing_is_pressed() {
        let given = given(&[&FREE[..], &[FAKE_INPUT]].concat(), Some(error()), None);
        assert_eq!(given.offers, Offers::CLIPBOARD);
        assert!(given.shortcoming().unwrap().message().contains("NoAuthorized"));
    }

    #[test]
    fn pictures_alone_may_be_missing() {
        let given = given(&[&FREE[..], &[FAKE_INPUT]].concat(), None, Some(error()));
        assert_eq!(given.offers, Offers::all().difference(Offers::PICTURES));
        assert!(given.shortcoming().unwrap().guidance().unwrap().contains("OpenGL"));
    }
}
