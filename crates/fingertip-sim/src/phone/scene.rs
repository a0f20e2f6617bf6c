//! What a drawer needs to make pixels: windows bottom first, each a flat list of shapes in painting order.
//!
//! Rules: all coordinates are screen pixels in the current rotation; every shape is to be cut to its clip
//! and to nothing else; text is already broken into lines, and every glyph's place follows from
//! [`super::metrics::advance`], so that carets and selections meet the letters whatever the font.
//! The model knows no fonts and no bitmaps; icons and pictures go by name.

use super::geometry::Rect;
use super::tree::WindowKind;

/// A colour: alpha, red, green, blue, not premultiplied, from the top byte down.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Color(pub u32);

impl Color {
    /// The same colour with this alpha.
    #[must_use]
    pub const fn with_alpha(self, alpha: u8) -> Self {
        Self(self.0 & 0x00FF_FFFF | (alpha as u32) << 24)
    }
}

/// Everything on the screen at one moment.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// Width in pixels, as rotated.
    pub width: u32,
    /// Height in pixels, as rotated.
    pub height: u32,
    /// Whether the screen is on; black otherwise.
    pub awake: bool,
    /// How bright the screen is lit, 0 to 255. Screenshots do not show it.
    pub brightness: u8,
    /// Windows, bottom first.
    pub layers: Vec<Layer>,
}

/// One window's picture.
#[derive(Debug, Clone, PartialEq)]
pub struct Layer {
    /// What the window is for.
    pub kind: WindowKind,
    /// Where it is.
    pub bounds: Rect,
    /// To be drawn black in screenshots.
    pub secure: bool,
    /// Veil over everything below, for dialogs and the shade.
    pub scrim: Option<Color>,
    /// What to paint, in order.
    pub items: Vec<Item>,
}

/// One shape and the part of the screen it may touch.
#[derive(Debug, Clone, PartialEq)]
pub struct Item {
    /// Paint nothing outside.
    pub clip: Rect,
    /// What to paint.
    pub shape: Shape,
}

/// What to paint.
#[derive(Debug, Clone, PartialEq)]
pub enum Shape {
    /// A filled rectangle.
    Fill {
        /// Where.
        bounds: Rect,
        /// With what.
        color: Color,
        /// Corner radius in pixels, not over half the shorter side.
        radius: f32,
        /// Height above the ground in pixels, for a soft shadow; 0 for none.
        elevation: f32,
    },
    /// The outline of a rectangle, drawn inside its bounds.
    Outline {
        /// Where.
        bounds: Rect,
        /// With what.
        color: Color,
        /// Corner radius in pixels.
        radius: f32,
        /// Width of the line in pixels.
        width: f32,
    },
    /// One line of text.
    Text {
        /// The characters, without line breaks.
        text: String,
        /// Where the first glyph starts.
        x: f32,
        /// Where the letters stand.
        baseline: f32,
        /// Size of the font (its em) in pixels.
        size: f32,
        /// With what.
        color: Color,
        /// Whether it is bold.
        bold: bool,
    },
    /// A symbol of one colour, fitted into its bounds.
    Icon {
        /// Which.
        icon: Icon,
        /// Where; square.
        bounds: Rect,
        /// With what.
        color: Color,
    },
    /// A picture, stretched to its bounds.
    Picture {
        /// Which.
        picture: Picture,
        /// Where; may be larger than the clip when it is zoomed.
        bounds: Rect,
    },
    /// The cursor of a text field.
    Caret {
        /// Where.
        bounds: Rect,
        /// With what.
        color: Color,
    },
    /// The mark behind selected text, to be painted before the text.
    Selection {
        /// Where.
        bounds: Rect,
        /// With what; translucent.
        color: Color,
    },
    /// The mark of a pressed view; translucent.
    Pressed {
        /// Where.
        bounds: Rect,
        /// With what.
        color: Color,
        /// Corner radius in pixels.
        radius: f32,
    },
}

/// A picture by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Picture {
    /// Behind the home screen.
    Wallpaper,
    /// A photo of the gallery, 0 to 11; each looks different.
    Photo(u8),
}

/// A symbol by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[allow(missing_docs, reason = "the names are the icons' usual names and say it all")]
pub enum Icon {
    Add,
    Airplane,
    ArrowBack,
    ArrowDropDown,
    Backspace,
    Battery,
    Bluetooth,
    Brightness,
    Calculator,
    Check,
    Clock,
    Close,
    Contacts,
    Delete,
    Display,
    DoNotDisturb,
    Download,
    Edit,
    Flashlight,
    Gallery,
    Info,
    KeyboardHide,
    KeyboardReturn,
    Location,
    Mail,
    More,
    NavigationBack,
    NavigationHome,
    NavigationRecents,
    Notes,
    Person,
    Phone,
    Rotate,
    Search,
    Settings,
    Shift,
    Signal,
    Sound,
    Storage,
    Wifi,
}
