//! GNOME Shell as a [`DisplayServer`]: windows from the shell's own accessibility tree; pointer, keys, pictures and the clipboard
//! by a session of remote control.
//!
//! GNOME gives programs nothing of this by Wayland itself. The session is had by its portal, where a person agrees in a dialog
//! ([`portal`]), or, where the owner of this program chose so, by the compositor's own interface that asks nobody
//! ([`mutter`]). It is asked for by the first call that needs it. Reading, and what elements do by themselves, needs none.
//!
//! Rules: those of [`crate::display`]; and a dialog that asks the person is never answered here.
//!
//! Pictures come by PipeWire, a library of the system, and are there only where this was built with it (feature `pipewire`).
//!
//! Not here: windows of applications without an accessibility tree; places where the screen is scaled.

mod access;
mod clipboard;
mod input;
mod layout;
mod mutter;
#[cfg(feature = "pipewire")]
mod pictures;
#[cfg(not(feature = "pipewire"))]
#[path = "gnome/pictures/no_pipewire.rs"]
mod pictures;
mod portal;
mod runtime;
mod session;
mod shell;
mod text;
mod token;
mod viewer;
mod windows;

use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Direction, Expected, KeyPress, Pixels, WindowAction};
use fingertip_core::{Deadline, Error, Finding, Point, Reason, Rect, Result};
use fingertip_desktop::ListedWindow;

use crate::apps::program;
use crate::display::canvas::outside;
use crate::display::error::{Failure, Outcome};
use crate::display::worker::Worker;
use crate::display::{DisplayServer, Offers};
use crate::environment::Environment;
use crate::handle::Handle;
use crate::place::Placing;
use crate::wayland::link::peer;
use access::Access;
use input::Hands;
use layout::Layout;
use pictures::Camera;
use portal::{KEEPS_CONSENT, Offered};
use runtime::Background;
use session::Way;
use viewer::{SharedNumbers, Viewer};

/// What this server is called in errors.
const SERVER: &str = "GNOME desktop";
/// The program of the compositor.
const SHELL: &str = "gnome-shell";
/// How long the portal may take to say what it can do: it may have to start.
const ASKED_WITHIN: Duration = Duration::from_secs(3);

/// The compositor at this socket, where it is GNOME Shell.
pub(crate) fn at(socket: &Path) -> Option<u32> {
    let compositor = peer(UnixStream::connect(socket).ok()?)?;
    (program(compositor).as_deref() == Some(SHELL)).then_some(compositor)
}

/// GNOME.
#[derive(Debug)]
pub(crate) struct Gnome {
    shared: Arc<Shared>,
    reader: Worker<Viewer>,
    /// Pointer and keyboard: what takes time, one after another.
    input: Worker<Hands>,
    pictures: Worker<Camera>,
    /// What the portal can do, or why there is none; where the compositor's own interface is used, nobody asked.
    portal: Option<std::result::Result<Offered, String>>,
}

/// What all threads share.
#[derive(Debug)]
struct Shared {
    environment: Environment,
    /// The process of GNOME Shell.
    compositor: u32,
    access: Arc<Access>,
    numbers: SharedNumbers,
    runtime: Background,
}

impl Shared {
    /// The window of this number, as its application names it.
    fn handle_of(&self, window: u32) -> Option<Handle> {
        self.numbers.lock().unwrap_or_else(PoisonError::into_inner).handle(window)
    }
}

impl Gnome {
    /// The GNOME Shell that is this process. Its portal is asked for a moment what it can do; nobody else is asked anything.
    ///
    /// # Errors
    /// When no thread can be started.
    pub(crate) fn open(environment: &Environment, compositor: u32) -> Result<Self> {
        let runtime = Background::start()?;
        let access = Access::new(environment);
        let portal = (access.way == Way::Portal).then(|| asked(&runtime, &access));
        let shared = Arc::new(Shared {
            environment: environment.clone(),
            compositor,
            access,
            numbers: SharedNumbers::default(),
            runtime,
        });
        Ok(Self {
            reader: Worker::new("gnome-reader", Arc::clone(&shared)),
            input: Worker::new("gnome-input", Arc::clone(&shared)),
            pictures: Worker::new("gnome-pictures", Arc::clone(&shared)),
            shared,
            portal,
        })
    }

    /// Looks at the screen.
    async fn layout<T: Send + 'static>(
        &self,
        deadline: Deadline,
        told: impl Fn(Layout) -> T + Send + 'static,
    ) -> Result<T> {
        self.reader.ask(deadline, move |viewer| viewer.layout().map(&told)).await
    }

    /// Does something to a window.
    async fn act<T: Send + 'static>(
        &self,
        deadline: Deadline,
        act: impl FnOnce(&mut Hands, &crate::display::worker::CancelToken) -> Outcome<T> + Send + 'static,
    ) -> Result<T> {
        self.input.run(deadline, act).await
    }
}

/// What the portal can do. Asked on a thread of its own: who opens this may be in the middle of something else.
fn asked(runtime: &Background, access: &Arc<Access>) -> std::result::Result<Offered, String> {
    let (told, answer) = std::sync::mpsc::channel();
    let access = Arc::clone(access);
    runtime.handle().spawn(async move {
        let offered = async { portal::offered(&access.bus().await?).await };
        // Nobody listens any more once the time is up.
        let _ = told.send(offered.await);
    });
    match answer.recv_timeout(ASKED_WITHIN) {
        Ok(Ok(offered)) => Ok(offered),
        Ok(Err(Failure::Lost(why) | Failure::Refused(why))) => Err(why),
        Ok(Err(_)) | Err(_) => Err("it did not answer".to_owned()),
    }
}

#[async_trait]
impl DisplayServer for Gnome {
    fn offers(&self) -> Offers {
        offers(self.portal.as_ref())
    }

    fn shortcoming(&self) -> Option<Error> {
        let missing = missing(self.offers());
        if missing.is_empty() {
            return None;
        }
        let message = format!("Not available in this GNOME session: {}.", missing.join(", "));
        Some(Error::new(Reason::Unsupported, message).with_guidance(format!(
            "Reading elements and their own actions work. {}",
            advice(self.portal.as_ref())
        )))
    }

    fn placing(&self) -> Placing {
        Placing::InBuffers
    }

    async fn examine(&self, deadline: Deadline) -> Vec<Finding> {
        let windows = match self.layout(deadline, |layout| layout.windows.len()).await {
            Ok(count) => Finding::fine(format!("GNOME Shell tells where windows are ({count} now)")),
            Err(error) => Finding::failed("windows of GNOME", &error),
        };
        let mut findings = vec![windows];
        findings.extend(findings_of(self.portal.as_ref(), self.shared.access.tokens.is_kept()));
        if self.offers().contains(Offers::PICTURES) {
            findings.push(match self.pictures.run(deadline, pictures::answers).await {
                Ok(()) => Finding::fine("GNOME gives screenshots by PipeWire, with the same consent"),
                Err(error) => Finding::failed("screenshots of GNOME, by PipeWire", &error),
            });
        }
        findings
    }

    async fn screen(&self, deadline: Deadline) -> Result<Rect> {
        self.layout(deadline, |layout| layout.screen).await
    }

    async fn windows(&self, deadline: Deadline) -> Result<Vec<ListedWindow>> {
        self.layout(deadline, |layout| layout.windows).await
    }

    async fn look(&self, deadline: Deadline) -> Result<(Rect, Vec<ListedWindow>)> {
        self.layout(deadline, |layout| (layout.screen, layout.windows)).await
    }

    async fn activate(&self, window: u32, deadline: Deadline) -> Result<()> {
        self.act(deadline, move |hands, cancel| windows::activate(hands, window, cancel)).await
    }

    async fn act_on(
        &self,
        window: u32,
        action: WindowAction,
        deadline: Deadline,
    ) -> Result<Option<ListedWindow>> {
        self.act(deadline, move |hands, cancel| windows::act(hands, window, action, cancel)).await
    }

    async fn ask_to_close(&self, window: u32, deadline: Deadline) -> Result<()> {
        self.act(deadline, move |hands, cancel| windows::ask_to_close(hands, window, cancel)).await
    }

    async fn drag(
        &self,
        gesture: &Gesture,
        to: &Expected,
        onto: &Expected,
        deadline: Deadline,
    ) -> Result<()> {
        let (gesture, to, onto) = (gesture.clone(), to.clone(), onto.clone());
        self.act(deadline, move |hands, cancel| input::play(hands, &gesture, &to, &onto, cancel)).await
    }

    async fn hover(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.act(deadline, move |hands, cancel| input::hover(hands, at, &to, cancel)).await
    }

    async fn open_menu(&self, at: Point, to: &Expected, deadline: Deadline) -> Result<()> {
        let to = to.clone();
        self.act(deadline, move |hands, cancel| input::open_menu(hands, at, &to, cancel)).await
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
        self.act(deadline, move |hands, cancel| input::scroll(hands, at, direction, notches, &to, cancel))
            .await
    }

    async fn press(&self, press: KeyPress, to: &Expected, deadline: Deadline) -> Result<Option<String>> {
        let to = to.clone();
        self.act(deadline, move |hands, cancel| input::press(hands, press, &to, cancel)).await
    }

    async fn type_text(&self, text: &str, to: &Expected, deadline: Deadline) -> Result<()> {
        let (text, to) = (text.to_owned(), to.clone());
        self.act(deadline, move |hands, cancel| input::type_text(hands, &text, &to, cancel)).await
    }

    async fn shoot(&self, area: Option<Rect>, deadline: Deadline) -> Result<Pixels> {
        let screen = self.screen(deadline).await?;
        let area = area.map_or(screen, |area| area.intersection(screen));
        if area.is_empty() {
            return Err(outside());
        }
        self.pictures.run(deadline, move |camera, cancel| pictures::shoot(camera, area, cancel)).await
    }

    async fn clipboard(&self, deadline: Deadline) -> Result<Option<String>> {
        self.act(deadline, |hands, cancel| {
            let session = hands.session(cancel)?;
            let clipboard = session.clipboard.as_ref().ok_or_else(no_clipboard)?;
            hands.does(clipboard.read())
        })
        .await
    }

    async fn set_clipboard(&self, text: &str, deadline: Deadline) -> Result<()> {
        let text = text.to_owned();
        self.act(deadline, move |hands, cancel| {
            let session = hands.session(cancel)?;
            let clipboard = session.clipboard.as_ref().ok_or_else(no_clipboard)?;
            hands.does(clipboard.write(Some(&text)))
        })
        .await
    }
}

/// What is given with this portal; without one by the compositor's own interface.
fn offers(portal: Option<&std::result::Result<Offered, String>>) -> Offers {
    let by_session = Offers::WINDOWS | Offers::POINTER | Offers::KEYBOARD | pictures::OFFERED;
    match portal {
        None => by_session | Offers::CLIPBOARD,
        Some(Ok(Offered { has_clipboard: true, .. })) => by_session | Offers::CLIPBOARD,
        Some(Ok(_)) => by_session,
        // Where windows are is known all the same.
        Some(Err(_)) => Offers::WINDOWS,
    }
}

/// The names of what is not given.
fn missing(offers: Offers) -> Vec<&'static str> {
    let named = [
        (Offers::POINTER, "pointer"),
        (Offers::KEYBOARD, "keyboard"),
        (Offers::CLIPBOARD, "clipboard"),
        (Offers::PICTURES, "screenshots"),
    ];
    named.into_iter().filter(|(offer, _)| !offers.contains(*offer)).map(|(_, name)| name).collect()
}

/// What helps.
fn advice(portal: Option<&std::result::Result<Offered, String>>) -> String {
    if let Some(Err(_)) = portal {
        return "Pointer, keyboard and screenshots come by the portal for remote desktops: install xdg-desktop-portal, \
                xdg-desktop-portal-gnome, pipewire and wireplumber, and log in again."
            .to_owned();
    }
    let offers = offers(portal);
    let helps = [
        (
            Offers::PICTURES,
            "Screenshots need a program built with `--features pipewire` (packages libpipewire-0.3-dev and libclang-dev).",
        ),
        (
            Offers::CLIPBOARD,
            "The clipboard needs xdg-desktop-portal 1.18 or newer, or the setting server.gnome_access = \"mutter\", which \
             asks nobody for consent.",
        ),
    ];
    let needed = helps.into_iter().filter(|(offer, _)| !offers.contains(*offer)).map(|(_, advice)| advice);
    needed.collect::<Vec<_>>().join(" ")
}

fn findings_of(portal: Option<&std::result::Result<Offered, String>>, is_kept: bool) -> Vec<Finding> {
    let given = match portal {
        Some(Err(why)) => {
            let what = format!(
                "GNOME gives neither pointer nor keyboard: its portal for remote desktops is not there ({why})"
            );
            return vec![Finding::wrong(what, advice(portal))];
        }
        None => ", clipboard by Mutter's own interface, as server.gnome_access is \"mutter\": nobody is asked for consent"
            .to_owned(),
        Some(Ok(Offered { version, has_clipboard })) => {
            let what = if *has_clipboard { ", clipboard" } else { "" };
            let consent = match (*version >= KEEPS_CONSENT, is_kept) {
                (true, true) => "the person's consent is kept, and not asked for again",
                (true, false) => "the person is asked once, by the first call that needs it",
                (false, _) => {
                    "the person is asked by the first call that needs it, each time the server starts: this version keeps no \
                     consent (2 does, from xdg-desktop-portal 1.18 on)"
                }
            };
            format!("{what} by its portal for remote desktops, version {version}; {consent}")
        }
    };
    let mut findings = vec![Finding::fine(format!("GNOME gives pointer, keyboard{given}"))];
    let missing = missing(offers(portal));
    if !missing.is_empty() {
        let what = format!("GNOME does not give {}", missing.join(", "));
        findings.push(Finding::wrong(what, advice(portal)));
    }
    findings
}

fn no_clipboard() -> Failure {
    Failure::Reported(
        Error::new(
            Reason::Unsupported,
            "The person at the screen did not share the clipboard; nothing was done.",
        )
        .with_guidance("Use set_text to fill in fields."),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_given_depends_on_the_portal() {
        let by_session = Offers::WINDOWS | Offers::POINTER | Offers::KEYBOARD | pictures::OFFERED;
        let portal = |version, has_clipboard| Some(Ok(Offered { version, has_clipboard }));
        assert_eq!(offers(portal(1, false).as_ref()), by_session);
        assert_eq!(offers(portal(2, true).as_ref()), by_session | Offers::CLIPBOARD);
        assert_eq!(offers(None), by_session | Offers::CLIPBOARD);
        assert_eq!(offers(Some(&Err("not there".to_owned()))), Offers::WINDOWS);
    }

    #[test]
    fn the_doctor_says_who_is_asked_and_what_is_missing() {
        let text = |portal: Option<std::result::Result<Offered, String>>, is_kept| {
            let findings = findings_of(portal.as_ref(), is_kept);
            findings.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n")
        };
        let old = text(Some(Ok(Offered { version: 1, has_clipboard: false })), false);
        assert!(
            old.contains("each time the server starts") && old.contains("does not give clipboard"),
            "{old}"
        );
        let new = Some(Ok(Offered { version: 2, has_clipboard: true }));
        assert!(text(new.clone(), false).contains("asked once"));
        assert!(text(new, true).contains("not asked for again"));
        assert!(text(None, false).contains("nobody is asked"));
        assert!(text(Some(Err("no portal".to_owned())), false).contains("xdg-desktop-portal-gnome"));
    }

    #[test]
    fn what_is_no_gnome_shell_is_not_taken_for_one() {
        let folder = tempfile::tempdir().unwrap();
        let socket = folder.path().join("wayland-0");
        assert_eq!(at(&socket), None);
        let _listening = std::os::unix::net::UnixListener::bind(&socket).unwrap();
        assert_eq!(at(&socket), None);
    }
}
