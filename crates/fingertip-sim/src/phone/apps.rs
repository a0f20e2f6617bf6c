//! The apps and the system's own surfaces: what an app is, and what it may ask of the phone.
//!
//! An app owns its state, describes its views from it, and receives events by tag. What outlives its
//! process (notes, contacts, settings) is in the [`World`]. What only the phone can do is a [`Request`].

pub(crate) mod calculator;
pub(crate) mod clock;
pub(crate) mod contacts;
pub(crate) mod gallery;
pub(crate) mod installed;
pub(crate) mod keyboard;
pub(crate) mod launcher;
pub(crate) mod notes;
pub(crate) mod settings;
pub(crate) mod system;

use super::profile::Millis;
use super::toolkit::editor::Editor;
use super::toolkit::view::View;
use super::toolkit::widgets::{column, row, text};
use super::toolkit::{class, theme};
use super::world::World;

/// Names a view to the surface that described it. Unique among all views of the phone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    Calculator(calculator::Tag),
    Clock(clock::Tag),
    Contacts(contacts::Tag),
    Gallery(gallery::Tag),
    Keyboard(keyboard::Tag),
    Launcher(launcher::Tag),
    Notes(notes::Tag),
    Settings(settings::Tag),
    System(system::Tag),
}

macro_rules! tags {
    ($($variant:ident: $module:ident),* $(,)?) => {
        $(impl From<$module::Tag> for Tag {
            fn from(tag: $module::Tag) -> Self {
                Self::$variant(tag)
            }
        })*
    };
}

tags! {
    Calculator: calculator, Clock: clock, Contacts: contacts, Gallery: gallery, Keyboard: keyboard,
    Launcher: launcher, Notes: notes, Settings: settings, System: system,
}

impl Tag {
    /// The package whose view it is; `None` for surfaces of the system.
    pub(crate) fn package(self) -> Option<&'static str> {
        Some(match self {
            Self::Calculator(_) => installed::CALCULATOR,
            Self::Clock(_) => installed::CLOCK,
            Self::Contacts(_) => installed::CONTACTS,
            Self::Gallery(_) => installed::GALLERY,
            Self::Launcher(_) => installed::LAUNCHER,
            Self::Notes(_) => installed::NOTES,
            Self::Settings(_) => installed::SETTINGS,
            Self::Keyboard(_) | Self::System(_) => return None,
        })
    }
}

/// What happened to a view.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Event {
    /// It was tapped, or clicked by a key or an accessibility service.
    Click,
    /// It was held.
    LongClick,
    /// It was tapped twice, after the `Click` of the first tap.
    DoubleTap,
    /// The text of its field changed.
    TextChanged,
    /// The action key of the keyboard was pressed in its field.
    ImeAction,
    /// Its slider was moved to this value.
    Slide(f32),
    /// It was swiped away.
    SwipedAway,
    /// Its window was dismissed by a tap outside or by BACK.
    Dismissed,
    /// Fingers scaled and moved it. The middle of the fingers is relative to the middle of the view.
    Transform { scale: f32, middle: (f32, f32), moved: (f32, f32), room: (f32, f32) },
}

/// What an app asks of the phone.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Request {
    /// Brings this package to the front.
    Start(&'static str),
    /// Goes to the home screen.
    Home,
    /// Shows the recent apps.
    Recents,
    /// Does what BACK does.
    Back,
    /// Ends a task and its process.
    RemoveTask(&'static str),
    /// Shows a short message.
    Toast(String),
    /// Gives a view the focus; a field gets the keyboard too.
    Focus(Tag),
    /// Takes the focus from whatever has it, and the keyboard away.
    ClearFocus,
    /// Hides the keyboard, leaves the focus.
    HideKeyboard,
    /// A key of the soft keyboard.
    Keyboard(keyboard::Key),
    /// Scrolls an area back to its start.
    ScrollToStart(Tag),
    /// Closes the shade.
    CollapsePanels,
    /// Ends a package by an exception that nothing caught.
    Crash(&'static str, String),
}

/// What an app has at hand while it handles an event.
pub(crate) struct Context<'a> {
    pub(crate) world: &'a mut World,
    pub(crate) requests: Vec<Request>,
}

impl Context<'_> {
    pub(crate) fn request(&mut self, request: Request) {
        self.requests.push(request);
    }

    pub(crate) fn toast(&mut self, text: &str) {
        self.request(Request::Toast(text.to_owned()));
    }
}

/// What is behind an app.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ground {
    Light,
    Dark,
    Wallpaper,
}

/// A further window of an app.
pub(crate) struct Overlay {
    pub(crate) kind: OverlayKind,
    pub(crate) title: String,
    pub(crate) view: View,
    /// Receives `Dismissed` on a tap outside and on BACK.
    pub(crate) dismiss: Tag,
}

/// What a further window is.
pub(crate) enum OverlayKind {
    /// In the middle, over a veil.
    Dialog,
    /// Below (or above) the view with this tag.
    Popup(Tag),
}

/// An app.
pub(crate) trait App: Send {
    /// The class of the activity in front, fully qualified.
    fn activity(&self) -> &'static str;

    /// Starts one of its activities; most have only one.
    fn open(&mut self, _activity: &str) {}

    /// What a user would call the window.
    fn title(&self) -> String;

    /// Its main window.
    fn screen(&self, world: &World) -> View;

    /// Distinguishes screens of one activity that share no view: another number, other views.
    fn instance(&self) -> u32 {
        0
    }

    /// Its dialogs and popups, the topmost last.
    fn overlays(&self, _world: &World) -> Vec<Overlay> {
        Vec::new()
    }

    /// Something happened to one of its views.
    fn on_event(&mut self, tag: Tag, event: Event, context: &mut Context<'_>);

    /// BACK; `false` if there is nothing to go back to within the app.
    fn on_back(&mut self, _context: &mut Context<'_>) -> bool {
        false
    }

    /// A character typed while no field has the focus; `false` if it means nothing here.
    fn on_character(&mut self, _character: char, _context: &mut Context<'_>) -> bool {
        false
    }

    /// The text behind one of its fields.
    fn editor(&mut self, _tag: Tag) -> Option<&mut Editor> {
        None
    }

    /// When its views would next change by time alone.
    fn next_tick(&self, _world: &World) -> Option<Millis> {
        None
    }

    /// Whether its window shrinks for the keyboard (`adjustResize`); otherwise the keyboard covers it, and it is
    /// moved up only as far as the cursor needs (`adjustPan`).
    fn resizes(&self) -> bool {
        true
    }

    /// What is behind it and the bars above and below it.
    fn ground(&self) -> Ground {
        Ground::Light
    }
}

/// The content of an alert: title, message, and buttons at the end of the last row.
pub(crate) fn dialog(title: &str, message: &str, mut buttons: Vec<View>) -> View {
    let mut footer = vec![View::new(class::VIEW).weight(1.0)];
    footer.append(&mut buttons);
    let body = column(vec![
        text(title).id("android:id/alertTitle").text_size(22.0).pad(24.0, 16.0),
        text(message).id("android:id/message").color(theme::INK_SOFT).pad(24.0, 8.0),
        row(footer).id("android:id/buttonPanel").class(class::SCROLL_VIEW).pad(16.0, 12.0),
    ]);
    body.id("android:id/parentPanel").background(theme::SURFACE).radius(28.0).elevation(12.0)
}
