//! Windows as the phone builds them: described, placed, and stacked.

use super::apps::{Ground, Overlay, OverlayKind, Tag};
use super::geometry::Rect;
use super::scene::{Color, Picture};
use super::toolkit::layout::{Environment, child_key, place};
use super::toolkit::measure::measure;
use super::toolkit::placed::Placed;
use super::toolkit::view::{Arrange, Content, Edges, Size, View, frame};
use super::toolkit::{class, theme};
use super::tree::WindowKind;

/// Height of the status bar.
pub(crate) const STATUS_BAR: f32 = 24.0;
/// Height of the navigation bar.
pub(crate) const NAVIGATION_BAR: f32 = 48.0;
/// Free room beside a dialog.
const DIALOG_MARGIN: f32 = 28.0;
/// How wide a dialog gets on a wide screen.
const DIALOG_WIDTH: f32 = 420.0;

/// A window, placed.
pub(crate) struct Surface {
    pub(crate) id: u32,
    pub(crate) kind: WindowKind,
    pub(crate) title: String,
    pub(crate) name: String,
    pub(crate) package: &'static str,
    pub(crate) bounds: Rect,
    pub(crate) scrim: Option<Color>,
    /// Notified of taps outside; such a window lets no touch through to those below.
    pub(crate) dismiss: Option<Tag>,
    pub(crate) root: Placed,
}

/// What a window is, before it has a place.
pub(crate) struct Plan {
    pub(crate) kind: WindowKind,
    pub(crate) title: String,
    pub(crate) name: String,
    pub(crate) package: &'static str,
    /// Distinguishes windows of the same package and kind; mixed into the window's identity.
    pub(crate) identity: u64,
}

impl Surface {
    /// Places `view` as a window at `bounds`.
    pub(crate) fn new(plan: Plan, view: View, bounds: Rect, environment: &Environment<'_>) -> Self {
        let key = child_key(plan.identity, plan.kind as u64, plan.package);
        let root = place(view, bounds, bounds, key, environment);
        Self {
            // Only the lower half is shown as the window's number; it need not be unique for ever.
            id: (key as u32 & 0x00FF_FFFF) | 1,
            kind: plan.kind,
            title: plan.title,
            name: plan.name,
            package: plan.package,
            bounds,
            scrim: None,
            dismiss: None,
            root,
        }
    }

    /// A dialog or popup over the window below it.
    pub(crate) fn overlay(
        mut plan: Plan,
        overlay: Overlay,
        below: &Self,
        room: Rect,
        environment: &Environment<'_>,
    ) -> Self {
        let scale = environment.scale;
        let dialog = matches!(overlay.kind, OverlayKind::Dialog);
        let view = if dialog { frame(overlay.view) } else { frame(overlay.view).width(Size::Wrap) };
        let margin = if dialog { scale.px(DIALOG_MARGIN) } else { 0 };
        let widest = room.width() - 2 * margin;
        let widest = if dialog { widest.min(scale.px(DIALOG_WIDTH)) } else { widest };
        let (width, height) = measure(&view, (widest, room.height() - 2 * margin), scale);
        let bounds = match overlay.kind {
            OverlayKind::Dialog => centered(room, width, height),
            OverlayKind::Popup(anchor) => {
                let anchor = below.root.find(anchor).map(|placed| placed.visible);
                anchored(anchor.unwrap_or(room), room, width, height)
            }
        };
        plan.kind = if dialog { WindowKind::Dialog } else { WindowKind::Popup };
        if !dialog {
            plan.name = format!("PopupWindow:{:x}", child_key(plan.identity, 0, "") & 0x00FF_FFFF);
        }
        plan.title = overlay.title;
        let mut surface = Self::new(plan, view, bounds, environment);
        surface.scrim = dialog.then_some(theme::SCRIM);
        surface.dismiss = Some(overlay.dismiss);
        surface
    }
}

fn centered(room: Rect, width: i32, height: i32) -> Rect {
    let left = room.left + (room.width() - width) / 2;
    let top = room.top + (room.height() - height) / 2;
    Rect::sized(left, top, width, height)
}

/// Below the anchor, or above it, or in the middle, wherever there is room first.
fn anchored(anchor: Rect, room: Rect, width: i32, height: i32) -> Rect {
    let left = anchor.left.min(room.right - width).max(room.left);
    if anchor.bottom + height <= room.bottom {
        Rect::sized(left, anchor.bottom, width, height)
    } else if anchor.top - height >= room.top {
        Rect::sized(left, anchor.top - height, width, height)
    } else {
        centered(room, width, height)
    }
}

/// The decoration Android puts around an app's content: room for the bars, and the ground behind them.
pub(crate) fn decorated(content: View, ground: Ground, insets: Edges) -> View {
    let content = frame(content).id("android:id/content").height(Size::Fill);
    let mut inner = View::group(class::LINEAR_LAYOUT, Arrange::Frame, vec![content]).height(Size::Fill);
    inner.padding = insets;
    let mut decor = frame(inner).height(Size::Fill);
    match ground {
        Ground::Light => decor = decor.background(theme::BACKGROUND),
        Ground::Dark => decor = decor.background(theme::DARK),
        Ground::Wallpaper => {
            decor.content = Content::Picture { picture: Picture::Wallpaper, zoom: 1.0, pan: (0.0, 0.0) };
        }
    }
    decor
}
