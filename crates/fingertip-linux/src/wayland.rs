//! A Wayland compositor as a [`DisplayServer`]: what it gives to programs, by the protocols of wlroots and sway's IPC;
//! KWin has its own: [`kwin`].
//!
//! Wayland gives programs nothing of others by itself; what serves is asked for by name, and what is missing is said with its
//! reason. Pointer and keys serve only where it is known which windows there are: otherwise nobody could say who receives
//! them.
//!
//! Rules, as of the X server: nothing here knows AT-SPI; blocking requests run on threads of their own ([`Worker`]), and
//! every call ends by its deadline. One connection looks, one has the pointer and the keyboard, one keeps the clipboard.
//!
//! Pure Rust: the protocol is spoken here, and no library of the system is loaded.

mod clipboard;
mod devices;
mod hands;
mod input;
pub(crate) mod keymap;
pub(crate) mod kwin;
pub(crate) mod link;
mod sway;
mod viewer;
mod windows;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::channel;
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Direction, Expected, KeyPress, Pixels, WindowAction};
use fingertip_core::{Deadline, Error, Finding, Point, Reason, Rect, Result};
use fingertip_desktop::ListedWindow;

use crate::apps::program;
use crate::display::error::{Failure, Outcome};
use crate::display::worker::{Connect, Worker};
use crate::display::{DisplayServer, Offers};
use crate::environment::Environment;
use crate::place::Placing;
use clipboard::Clipboard;
use devices::Devices;
use kwin::Kwin;
use sway::Sway;
use viewer::Viewer;

/// What this server is called in errors.
const SERVER: &str = "Wayland compositor";
/// How long a compositor may take to tell what it offers.
const ASKED_WITHIN: Duration = Duration::from_secs(5);

/// What a compositor must offer for each of what we give, and what that is called. Pointer and keyboard are made together.
const NEEDED: [(Offers, &str, &[&str]); 5] = [
    (
        Offers::POINTER,
        "pointer",
        &["zwlr_virtual_pointer_manager_v1", "zwp_virtual_keyboard_manager_v1", "wl_seat"],
    ),
    (
        Offers::KEYBOARD,
        "keyboard",
        &["zwp_virtual_keyboard_manager_v1", "zwlr_virtual_pointer_manager_v1", "wl_seat"],
    ),
    (Offers::PICTURES, "screenshots", &["zwlr_screencopy_manager_v1", "zxdg_output_manager_v1", "wl_shm"]),
    (Offers::CLIPBOARD, "clipboard", &["zwlr_data_control_manager_v1", "wl_seat"]),
    (Offers::WINDOWS, "window positions", &[]),
];

/// The compositor of this session.
#[derive(Debug)]
pub(crate) struct Wayland {
    compositor: Compositor,
    /// Looks: at windows, at pixels.
    reader: Worker<Viewer>,
    /// Our pointer and keyboard: what takes time, one after another.
    input: Worker<Devices>,
    clipboard: Clipboard,
}

/// What a compositor told of itself when it was asked.
#[derive(Debug, Clone)]
struct Compositor {
    /// What its program is called.
    name: String,
    /// The version of sway, where it is one.
    sway: Option<String>,
    offers: Offers,
    /// Why it told nothing.
    silent: Option<Error>,
}

/// The compositor at this socket, by what it is.
pub(crate) fn open(socket: &Path, environment: &Environment) -> Arc<dyn DisplayServer> {
    let (path, session) = (socket.to_owned(), environment.clone());
    let kwin = asked(move || {
        let compositor = Viewer::connect(&path)?;
        let is_kwin = kwin::is_kwin(&compositor);
        is_kwin.then(|| Kwin::open(&compositor, &path, &session)).transpose()
    });
    match kwin {
        Ok(Some(kwin)) => Arc::new(kwin),
        Ok(None) | Err(_) => Arc::new(Wayland::open(socket)),
    }
}

/// Asks on a thread of its own, which is waited for no longer than a compositor may take.
fn asked<T: Send + 'static>(question: impl FnOnce() -> Outcome<T> + Send + 'static) -> Outcome<T> {
    let (told, answer) = channel();
    let asked = std::thread::Builder::new().name("wayland-probe".to_owned()).spawn(move || {
        // Nobody listens any more once the time is up.
        let _ = told.send(question());
    });
    match asked {
        Ok(_) => answer.recv_timeout(ASKED_WITHIN).unwrap_or(Err(Failure::Over)),
        Err(error) => Err(Failure::Lost(error.to_string())),
    }
}

impl Wayland {
    /// The compositor at this socket. It is asked for a moment what it offers; pointer and keyboard are made now, so that
    /// applications know them when they are first used.
    pub(crate) fn open(socket: &Path) -> Self {
        let compositor = Compositor::asked(socket);
        let server = Self {
            reader: Worker::new("wayland-reader", socket.to_owned()),
            input: Worker::new("wayland-input", socket.to_owned()),
            clipboard: Clipboard::new(socket),
            compositor,
        };
        if server.offers().contains(Offers::POINTER | Offers::KEYBOARD) {
            server.input.connect_early();
        }
        server
    }

    /// Asks sway.
    async fn sway<T: Send + 'static>(
        &self,
        deadline: Deadline,
        question: impl Fn(&mut Sway) -> Outcome<T> + Send + 'static,
    ) -> Result<T> {
        let asked = move |viewer: &mut Viewer| question(viewer.sway.as_mut().ok_or_else(no_windows)?);
        self.reader.ask(deadline, asked).await
    }
}

#[async_trait]
impl DisplayServer for Wayland {
    fn offers(&self) -> Offers {
        self.compositor.offers
    }

    fn shortcoming(&self) -> Option<Error> {
        self.compositor.shortcoming()
    }

    fn placing(&self) -> Placing {
        Placing::InSurfaces
    }

    async fn examine(&self, _: Deadline) -> Vec<Finding> {
        self.compositor.findings()
    }

    async fn screen(&self, deadline: Deadline) -> Result<Rect> {
        self.reader.ask(deadline, Viewer::screen).await
    }

    async fn windows(&self, deadline: Deadline) -> Result<Vec<ListedWindow>> {
        self.sway(deadline, |sway| Ok(sway.layout()?.windows)).await
    }

    async fn look(&self, deadline: Deadline) -> Result<(Rect, Vec<ListedWindow>)> {
        let look = |sway: &mut Sway| sway.layout().map(|layout| (layout.screen, layout.windows));
        self.sway(deadline, look).await
    }

    async fn activate(&self, window: u32, deadline: Deadline) -> Result<()> {
        let act = move |viewer: &mut Viewer, cancel: &_| {
            windows::activate(viewer.sway.as_mut().ok_or_else(no_windows)?, window, cancel)
        };
        self.reader.run(deadline, act).await
    }

    async fn act_on(
        &self,
        window: u32,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<ListedWindow>> {
        let act = move |viewer: &mut Viewer, cancel: &_| {
            windows::act(viewer.sway.as_mut().ok_or_else(no_windows)?, window, action, cancel)
        };
        self.reader.run(deadline, act).await
    }

    async fn ask_to_close(&self, window: u32, deadline: Deadline) -> Result<()> {
        let ask = move |viewer: &mut Viewer, _: &_| {
            windows::ask_to_close(viewer.sway.as_mut().ok_or_else(no_windows)?, window)
        };
        self.reader.run(deadline, ask).await
    }

    async fn drag(
        &self,
        gesture: &Gesture,
        to: &Expected,
        onto: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let (gesture, to, onto) = (gesture.clone(), to.clone(), onto.clone());
        let act = move |devices: &mut Devices, cancel: &_| input::play(devices, &gesture, &to, &onto, cancel);
        self.input.run(deadline, act).await
    }

    async fn hover(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.input.run(deadline, move |devices, cancel| input::hover(devices, at, &to, cancel)).await
    }

    async fn open_menu(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.input.run(deadline, move |devices, cancel| input::open_menu(devices, at, &to, cancel)).await
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
        let act = move |devices: &mut Devices, cancel: &_| {
            input::scroll(devices, at, direction, notches, &to, cancel)
        };
        self.input.run(deadline, act).await
    }

    async fn press(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        let to = to.clone();
        self.input.run(deadline, move |devices, cancel| input::press(devices, press, &to, cancel)).await
    }

    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        let (text, to) = (text.to_owned(), to.clone());
        self.input.run(deadline, move |devices, cancel| input::type_text(devices, &text, &to, cancel)).await
    }

    async fn shoot(&self, area: Option<Rect>, deadline: Deadline) -> Result<Pixels> {
        self.reader.run(deadline, move |viewer, cancel| viewer.shoot(area, cancel)).await
    }

    async fn clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.clipboard.read(deadline).await
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        self.clipboard.write(text, deadline).await
    }
}

impl Compositor {
    /// Asks a compositor what it offers; one that does not answer in time offers nothing.
    fn asked(socket: &Path) -> Self {
        let path = socket.to_owned();
        let answer = asked(move || Self::ask(&path));
        answer.unwrap_or_else(|failure| Self {
            name: "compositor".to_owned(),
            sway: None,
            offers: Offers::empty(),
            silent: Some(failure.into_error(SERVER)),
        })
    }

    fn ask(socket: &PathBuf) -> Outcome<Self> {
        let mut viewer = Viewer::connect(socket)?;
        let sway = viewer.sway.as_mut().map(Sway::version).transpose()?;
        let name = viewer.peer().and_then(program).map_or_else(|| "compositor".to_owned(), Into::into);
        let offers = offers(sway.is_some(), |interface| viewer.offers(interface));
        Ok(Self { name, sway, offers, silent: None })
    }

    /// What it is called, with its version where that is known.
    fn title(&self) -> String {
        match &self.sway {
            Some(version) => format!("{} {version}", self.name),
            None => self.name.clone(),
        }
    }

    /// The names of what it gives, or does not.
    fn names(&self, given: bool) -> Vec<&'static str> {
        let named = NEEDED.iter().filter(|(offer, ..)| self.offers.contains(*offer) == given);
        named.map(|(_, name, _)| *name).collect()
    }

    fn shortcoming(&self) -> Option<Error> {
        if let Some(error) = &self.silent {
            return Some(error.clone());
        }
        let missing = self.names(false);
        if missing.is_empty() {
            return None;
        }
        let message = format!(
            "Not available in this Wayland session: {}. Its compositor, {}, does not give programs access to them.",
            missing.join(", "),
            self.title()
        );
        Some(
            Error::new(Reason::Unsupported, message).with_guidance(format!(
                "Reading elements and their own actions work. {}",
                advice(&self.name)
            )),
        )
    }

    fn findings(&self) -> Vec<Finding> {
        let title = format!("Wayland compositor {}", self.title());
        if let Some(error) = &self.silent {
            return vec![Finding::failed("Wayland compositor", error)];
        }
        let (given, missing) = (self.names(true), self.names(false));
        let mut findings = Vec::new();
        if !given.is_empty() {
            findings.push(Finding::fine(format!("{title} gives {}", given.join(", "))));
        }
        if !missing.is_empty() {
            let what = format!("{title} does not give {}", missing.join(", "));
            findings.push(Finding::wrong(what, advice(&self.name)));
        }
        findings
    }
}

/// What is given where these interfaces are offered.
fn offers(knows_windows: bool, is_offered: impl Fn(&str) -> bool) -> Offers {
    let mut offers = Offers::empty();
    for (offer, _, needed) in NEEDED {
        if needed.iter().all(|interface| is_offered(interface)) {
            offers.insert(offer);
        }
    }
    if !knows_windows {
        // Nobody could say who receives what is pressed.
        offers.remove(Offers::WINDOWS | Offers::POINTER | Offers::KEYBOARD);
    }
    offers
}

/// What helps with this compositor.
fn advice(compositor: &str) -> &'static str {
    match compositor {
        "gnome-shell" | "mutter" => {
            "GNOME gives this to no program by Wayland itself, and without GNOME Shell nobody tells where windows are: log in \
             to a session of GNOME, on Wayland or on Xorg, or of sway."
        }
        "sway" => {
            "sway gives it to every program outside of a sandbox: start the server without one, and check that SWAYSOCK or \
             XDG_RUNTIME_DIR lead to this session."
        }
        _ => {
            "Pointer, keys and window positions need sway, which tells where its windows are: log in to it, or to an X11 session."
        }
    }
}

/// The runtime directory that a socket lies in.
fn runtime_of(socket: &Path) -> &Path {
    socket.parent().unwrap_or(Path::new("."))
}

fn no_windows() -> Failure {
    Failure::Reported(
        Error::new(
            Reason::Unsupported,
            "This Wayland compositor does not tell which windows there are and where.",
        )
        .with_guidance(
            "Reading elements and their own actions work; `fingertip doctor` tells what else does.",
        ),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What compositors were seen to offer.
    const SWAY: [&str; 8] = [
        "wl_shm",
        "wl_seat",
        "wl_output",
        "zxdg_output_manager_v1",
        "zwlr_virtual_pointer_manager_v1",
        "zwp_virtual_keyboard_manager_v1",
        "zwlr_screencopy_manager_v1",
        "zwlr_data_control_manager_v1",
    ];
    const CLIPBOARD: [&str; 5] =
        ["wl_shm", "wl_seat", "wl_output", "zxdg_output_manager_v1", "zwlr_data_control_manager_v1"];
    const MUTTER: [&str; 4] = ["wl_shm", "wl_seat", "wl_output", "zxdg_output_manager_v1"];

    fn compositor(name: &str, knows_windows: bool, offered: &[&str]) -> Compositor {
        let offers = offers(knows_windows, |interface| offered.contains(&interface));
        let sway = knows_windows.then(|| "1.7".to_owned());
        Compositor { name: name.to_owned(), sway, offers, silent: None }
    }

    #[test]
    fn a_compositor_gives_what_it_offers() {
        assert_eq!(compositor("sway", true, &SWAY).offers, Offers::all());
        assert_eq!(compositor("sway", true, &SWAY).shortcoming().map(|error| error.reason()), None);
        assert_eq!(compositor("labwc", false, &CLIPBOARD).offers, Offers::CLIPBOARD);
        assert_eq!(compositor("gnome-shell", false, &MUTTER).offers, Offers::empty());
    }

    #[test]
    fn without_known_windows_nothing_is_pressed() {
        let river = compositor("river", false, &SWAY);
        assert_eq!(river.offers, Offers::PICTURES | Offers::CLIPBOARD);
        let findings = river.findings();
        assert_eq!(findings.len(), 2, "{findings:?}");
        assert!(findings[0].ok && findings[0].what.contains("screenshots, clipboard"), "{findings:?}");
        assert!(!findings[1].ok && findings[1].what.contains("pointer, keyboard, window positions"));
    }

    #[test]
    fn what_is_missing_comes_with_what_helps() {
        for (name, offered, word) in [("gnome-shell", &MUTTER[..], "Xorg"), ("labwc", &CLIPBOARD, "X11")] {
            let compositor = compositor(name, false, offered);
            let error = compositor.shortcoming().unwrap();
            assert!(error.message().contains("pointer") && error.message().contains(name), "{error}");
            assert!(error.guidance().unwrap().contains(word));
            assert!(compositor.findings().iter().any(|finding| !finding.ok && finding.advice.is_some()));
        }
    }

    #[test]
    fn a_compositor_that_is_not_there_gives_nothing_and_says_why() {
        let directory = tempfile::tempdir().unwrap();
        let server = Wayland::open(&directory.path().join("wayland-9"));
        assert_eq!(server.offers(), Offers::empty());
        let error = server.shortcoming().unwrap();
        assert!(error.message().contains("wayland-9") && error.guidance().is_some(), "{error}");
    }
}
