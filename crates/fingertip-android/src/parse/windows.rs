//! Which windows take touches and keys, from `dumpsys window windows`.
//!
//! The phone lists its windows topmost first. A window takes touches in its touchable region where it has set one (a
//! keyboard has); else, if it is modal, in all of the area it was laid out in; else in its frame. One that is not
//! shown, or lets touches through, takes none and is left out. The lines of every release since Android 8 are
//! understood; of another display nothing is read.

use fingertip_core::{Rect, Window, WindowKind};

/// The most windows that are read; a phone has a few dozen.
const MAX_WINDOWS: usize = 500;
/// The display that is the phone's own screen.
const OWN_DISPLAY: &str = "0";
/// What precedes the frame of a window, by release.
const FRAMES: [&str; 2] = [" frame=", "mFrame="];
/// What precedes the area a window was laid out in.
const AREAS: [&str; 2] = ["parent=", "containing="];

/// One window on its way.
#[derive(Debug, Default)]
struct Block<'a> {
    identity: &'a str,
    elsewhere: bool,
    package: Option<&'a str>,
    kind: Option<&'a str>,
    flags: Option<&'a str>,
    frame: Option<Rect>,
    area: Option<Rect>,
    region: Option<Rect>,
    visible: Option<bool>,
    surface: Option<bool>,
}

/// Reads the windows that take touches or keys, topmost first.
pub(crate) fn parse(text: &str) -> Vec<Window> {
    let mut blocks: Vec<Block<'_>> = Vec::new();
    let mut focus = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some(window) = line.strip_prefix("mCurrentFocus=") {
            focus.push(window);
        } else if let Some(identity) = heading(line) {
            if blocks.len() == MAX_WINDOWS {
                break;
            }
            blocks.push(Block { identity, ..Block::default() });
        } else if let Some(block) = blocks.last_mut() {
            block.read(line);
        }
    }
    let count = blocks.len();
    let windows = blocks.into_iter().enumerate();
    windows
        .filter_map(|(position, block)| {
            let mut window = block.finish(focus.contains(&block.identity))?;
            window.layer = (count - position) as i32;
            Some(window)
        })
        .collect()
}

/// The name in `Window #3 Window{1a2b u0 title}:`.
fn heading(line: &str) -> Option<&str> {
    let (_, identity) = line.strip_prefix("Window #")?.split_once(' ')?;
    identity.strip_suffix(':').filter(|identity| identity.starts_with("Window{"))
}

impl<'a> Block<'a> {
    fn read(&mut self, line: &'a str) {
        if let Some(display) = after(line, "mDisplayId=") {
            self.elsewhere = display != OWN_DISPLAY;
        }
        self.package = self.package.or_else(|| after(line, "package="));
        self.kind = self.kind.or_else(|| after(line, " ty="));
        self.flags =
            self.flags.or_else(|| line.strip_prefix("fl=").or_else(|| Some(line.split_once(" fl=")?.1)));
        self.frame = self.frame.or_else(|| FRAMES.iter().find_map(|label| rectangle(line, label)));
        self.area = self.area.or_else(|| AREAS.iter().find_map(|label| rectangle(line, label)));
        self.visible = self.visible.or_else(|| flag(line, "isVisible="));
        self.surface = self.surface.or_else(|| flag(line, "mHasSurface="));
        if let Some(region) = line.strip_prefix("touchable region=SkRegion(") {
            self.region = Some(extent(region));
        }
    }

    fn finish(&self, focused: bool) -> Option<Window> {
        let flags = self.flags.unwrap_or_default();
        let has = |name: &str| flags.split([' ', '|']).any(|flag| flag == name);
        // Without either line nothing says that it is hidden.
        let shown = self.visible.or(self.surface).unwrap_or(true);
        let touchable = !has("NOT_TOUCHABLE");
        if self.elsewhere || !shown || !(touchable || focused) {
            return None;
        }
        let modal = !has("NOT_TOUCH_MODAL") && !has("NOT_FOCUSABLE");
        let frame = if modal { self.area.or(self.frame) } else { self.frame };
        let bounds = if touchable { self.region.or(frame).unwrap_or_default() } else { Rect::default() };
        let mut window = Window::new(self.package.unwrap_or_default(), bounds).kind(kind(self.kind));
        window.app = self.package.map(Into::into);
        window.title = title(self.identity).map(Into::into);
        window.focused = focused;
        window.secure = has("SECURE");
        Some(window)
    }
}

fn kind(name: Option<&str>) -> WindowKind {
    match name.unwrap_or_default() {
        "INPUT_METHOD" | "INPUT_METHOD_DIALOG" => WindowKind::InputMethod,
        "APPLICATION" => WindowKind::Dialog,
        name if name.starts_with("APPLICATION_") && name.ends_with("PANEL") => WindowKind::Popup,
        "APPLICATION_OVERLAY" | "TOAST" => WindowKind::Overlay,
        name if name.contains("BAR") || name.contains("SHADE") => WindowKind::System,
        _ => WindowKind::Application,
    }
}

/// The title in `Window{1a2b u0 title}`.
fn title(identity: &str) -> Option<&str> {
    identity.strip_suffix('}')?.splitn(3, ' ').nth(2)
}

/// The word behind a label.
fn after<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    let (_, rest) = line.split_once(label)?;
    rest.split([' ', ',', '}']).next().filter(|word| !word.is_empty())
}

fn flag(line: &str, label: &str) -> Option<bool> {
    after(line, label).map(|word| word == "true")
}

/// `[left,top][right,bottom]` behind a label.
fn rectangle(line: &str, label: &str) -> Option<Rect> {
    let (_, rest) = line.split_once(label)?;
    let numbers = numbers(rest.strip_prefix('[')?)?;
    Some(Rect::new(numbers[0], numbers[1], numbers[2], numbers[3]))
}

/// The first four numbers.
fn numbers(text: &str) -> Option<[i32; 4]> {
    let mut found =
        text.split(|letter: char| !letter.is_ascii_digit() && letter != '-').filter(|part| !part.is_empty());
    let mut next = || found.next()?.parse().ok();
    Some([next()?, next()?, next()?, next()?])
}

/// The smallest rectangle around all those of `(l,t,r,b)(l,t,r,b))`; nothing when there is none.
fn extent(region: &str) -> Rect {
    let parts = region.split('(').filter_map(numbers);
    parts
        .map(|[left, top, right, bottom]| Rect::new(left, top, right, bottom))
        .reduce(|a, b| {
            Rect::new(a.left.min(b.left), a.top.min(b.top), a.right.max(b.right), a.bottom.max(b.bottom))
        })
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As Android 13 prints it, shortened.
    const DUMP: &str = "WINDOW MANAGER WINDOWS (dumpsys window windows)\r\n\
  Window #0 Window{9a1 u0 ScreenDecorOverlay}:\r\n\
    mDisplayId=0 mSession=Session{1 u0a1} mClient=android.os.BinderProxy@1\r\n\
    mOwnerUid=10001 showForAllUsers=true package=com.android.systemui appop=NONE\r\n\
    mAttrs={(0,0)(fillx80) gr=TOP ty=NAVIGATION_BAR_PANEL fmt=TRANSLUCENT\r\n\
      fl=NOT_FOCUSABLE NOT_TOUCHABLE NOT_TOUCH_MODAL LAYOUT_IN_SCREEN SLIPPERY\r\n\
    Frames: parent=[0,0][1080,2400] display=[0,0][1080,2400] frame=[0,0][1080,80] last=[0,0][1080,80]\r\n\
    isOnScreen=true\r\n    isVisible=true\r\n\
  Window #1 Window{9a2 u0 InputMethod}:\r\n\
    mDisplayId=0 mSession=Session{2 u0a2}\r\n\
    mOwnerUid=10002 showForAllUsers=false package=com.keys appop=NONE\r\n\
    mAttrs={(0,0)(fillxfill) sim={adjust=pan} ty=INPUT_METHOD fmt=TRANSPARENT\r\n\
      fl=NOT_FOCUSABLE LAYOUT_IN_SCREEN\r\n\
    mTouchableInsets=3 mGivenInsetsPending=false\r\n\
      touchable region=SkRegion((0,1500,1080,2300)(0,2300,1080,2400))\r\n\
    Frames: parent=[0,0][1080,2400] display=[0,0][1080,2400] frame=[0,80][1080,2400] last=[0,0][0,0]\r\n\
    isVisible=true\r\n\
  Window #2 Window{9a3 u0 com.vault/com.vault.Prompt}:\r\n\
    mDisplayId=0 rootTaskId=7\r\n\
    mOwnerUid=10003 showForAllUsers=false package=com.vault appop=NONE\r\n\
    mAttrs={(0,0)(wrapxwrap) gr=CENTER ty=APPLICATION\r\n\
      fl=DIM_BEHIND SPLIT_TOUCH HARDWARE_ACCELERATED SECURE\r\n\
    Frames: parent=[0,80][1080,2400] display=[0,80][1080,2400] frame=[100,900][980,1500] last=[0,0][0,0]\r\n\
    isVisible=true\r\n\
  Window #3 Window{9a4 u0 com.mail/com.mail.Main}:\r\n\
    mDisplayId=0 rootTaskId=7\r\n\
    mOwnerUid=10004 showForAllUsers=false package=com.mail appop=NONE\r\n\
    mAttrs={(0,0)(fillxfill) ty=BASE_APPLICATION\r\n\
      fl=LAYOUT_IN_SCREEN\r\n\
    Frames: parent=[0,0][1080,2400] display=[0,0][1080,2400] frame=[0,0][1080,2400] last=[0,0][0,0]\r\n\
    isVisible=false\r\n\
  Window #4 Window{9a5 u0 Presentation}:\r\n\
    mDisplayId=2 rootTaskId=9\r\n\
    mOwnerUid=10004 package=com.mail appop=NONE\r\n\
    isVisible=true\r\n\
\r\n  mCurrentFocus=Window{9a3 u0 com.vault/com.vault.Prompt}\r\n  mCurrentFocus=null\r\n";

    fn apps(windows: &[Window]) -> Vec<&str> {
        windows.iter().filter_map(|window| window.app.as_deref()).collect()
    }

    #[test]
    fn only_windows_that_take_something_are_read_topmost_first() {
        let windows = parse(DUMP);
        assert_eq!(apps(&windows), ["com.keys", "com.vault"]);
        assert!(windows[0].layer > windows[1].layer);
        assert_eq!(windows.iter().map(|window| window.focused).collect::<Vec<_>>(), [false, true]);
        assert_eq!(windows[1].title.as_deref(), Some("com.vault/com.vault.Prompt"));
        assert!(windows[1].secure && !windows[0].secure);
    }

    #[test]
    fn a_keyboard_takes_its_region_and_a_dialog_all_there_is() {
        let windows = parse(DUMP);
        assert_eq!(windows[0].bounds, Rect::new(0, 1500, 1080, 2400));
        assert_eq!(windows[1].bounds, Rect::new(0, 80, 1080, 2400));
        let open = DUMP.replace("fl=DIM_BEHIND ", "fl=DIM_BEHIND NOT_TOUCH_MODAL ");
        assert_eq!(parse(&open)[1].bounds, Rect::new(100, 900, 980, 1500));
    }

    #[test]
    fn the_lines_of_older_releases_are_understood() {
        let old = "  Window #5 Window{1 u0 com.a/com.a.B}:\n    mDisplayId=0 stackId=1\n    \
            mOwnerUid=1 mShowToOwnerOnly=true package=com.a appop=NONE\n    mAttrs={(0,0)(fillxfill) sim={} ty=BASE_APPLICATION fl=LAYOUT_IN_SCREEN|SECURE wanim=0x1}\n    \
            mHasSurface=true isReadyForDisplay()=true\n    Frames: containing=[0,60][1080,1920] parent=[0,0][1080,1920]\n      mFrame=[0,0][1080,1920] last=[0,0][1080,1920]\n";
        let windows = parse(old);
        assert_eq!(apps(&windows), ["com.a"]);
        assert_eq!(windows[0].bounds, Rect::new(0, 0, 1080, 1920));
        assert!(windows[0].secure);
        assert!(parse(&old.replace("mHasSurface=true", "mHasSurface=false")).is_empty());
    }

    #[test]
    fn a_window_without_an_owner_is_given_to_no_application() {
        let unowned = parse("Window #0 Window{1 u0 x}:\n frame=[0,0][9,9]\n");
        assert_eq!(unowned.len(), 1);
        assert_eq!(unowned[0].app, None);
    }

    #[test]
    fn cut_and_mangled_text_is_survived() {
        for end in 0..DUMP.len() {
            assert!(parse(&DUMP[..end]).len() <= 3, "cut at {end}");
        }
        assert!(parse("").is_empty());
        let mangled = parse(
            "Window #\nWindow #1 Window{:\nframe=[9,9\ntouchable region=SkRegion((-1,)\nmCurrentFocus=",
        );
        assert_eq!(mangled.len(), 1);
    }
}
