//! Gallery: a grid of pictures, and a viewer with pinch, pan and double tap.

use super::installed::GALLERY;
use super::{App, Context, Event, Ground, Request};
use crate::phone::log::Level;
use crate::phone::scene::Picture;
use crate::phone::toolkit::class;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Align, Arrange, Content, Size, Touch, View, frame};
use crate::phone::toolkit::widgets::{column, list, text, toolbar};
use crate::phone::world::World;

pub(crate) const GRID_ACTIVITY: &str = "com.fingertip.demo.gallery.GalleryActivity";
const VIEWER_ACTIVITY: &str = "com.fingertip.demo.gallery.PhotoActivity";

/// How many pictures there are, and which of them is damaged: it ends the app that opens it.
const PHOTOS: u8 = 13;
const DAMAGED: u8 = 12;
/// Pictures in a row.
const COLUMNS: usize = 3;
/// The largest zoom.
const ZOOM_LIMIT: f32 = 8.0;
/// The zoom a double tap gives.
const ZOOM_DOUBLE_TAP: f32 = 2.0;

/// A view of the gallery.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    Grid,
    Photo(u8),
    Viewer,
    Up,
}

/// The picture being looked at.
struct Open {
    photo: u8,
    zoom: f32,
    pan: (f32, f32),
}

/// The state of the gallery.
#[derive(Default)]
pub(crate) struct Gallery {
    open: Option<Open>,
}

impl Open {
    /// Scales about the middle of the fingers and keeps the picture in the room.
    fn transform(&mut self, scale: f32, middle: (f32, f32), moved: (f32, f32), room: (f32, f32)) {
        let zoom = (self.zoom * scale).clamp(1.0, ZOOM_LIMIT);
        let factor = zoom / self.zoom;
        let side = room.0.min(room.1) * zoom;
        let pan = |pan: f32, middle: f32, moved: f32, room: f32| {
            let reach = ((side - room) / 2.0).max(0.0);
            (middle + (pan - middle) * factor + moved).clamp(-reach, reach)
        };
        self.pan = (pan(self.pan.0, middle.0, moved.0, room.0), pan(self.pan.1, middle.1, moved.1, room.1));
        self.zoom = zoom;
    }
}

fn caption(number: u8) -> String {
    let damaged = if number == DAMAGED { ", damaged" } else { "" };
    format!("Photo {}{damaged}", number + 1)
}

fn grid() -> View {
    let cells = (0..PHOTOS).map(|number| {
        let mut cell = View::new(class::IMAGE_VIEW)
            .id("thumbnail")
            .describe(caption(number))
            .on_click(Tag::Photo(number))
            .width(Size::Fill)
            .height(Size::Dp(132.0))
            .margin(2.0, 2.0);
        cell.content = Content::Picture { picture: Picture::Photo(number), zoom: 1.0, pan: (0.0, 0.0) };
        cell
    });
    let mut photos = list(cells.collect(), Tag::Grid).id("photo_grid").weight(1.0);
    photos.arrange = Arrange::List(COLUMNS);
    column(vec![toolbar(None, "Gallery", vec![]), photos]).height(Size::Fill).background(theme::BACKGROUND)
}

fn viewer(open: &Open) -> View {
    let mut photo = View::new(class::IMAGE_VIEW)
        .id("photo_view")
        .describe(format!("Photo {}", open.photo + 1))
        .on_click(Tag::Viewer)
        .touch(Touch::Transform)
        .fill();
    photo.content = Content::Picture { picture: Picture::Photo(open.photo), zoom: open.zoom, pan: open.pan };
    let label = text(format!("Zoom {:.0} %", open.zoom * 100.0))
        .id("zoom_label")
        .color(theme::ON_DARK)
        .width(Size::Fill)
        .text_align(Align::Center)
        .pad(16.0, 12.0);
    let mut bar = toolbar(Some(Tag::Up.into()), &format!("Photo {}", open.photo + 1), vec![]);
    bar = bar.background(theme::DARK);
    bar.children = bar.children.into_iter().map(|child| child.color(theme::ON_DARK)).collect();
    column(vec![bar, frame(photo).height(Size::Fill).weight(1.0), label])
        .height(Size::Fill)
        .background(theme::DARK)
}

impl App for Gallery {
    fn activity(&self) -> &'static str {
        if self.open.is_some() { VIEWER_ACTIVITY } else { GRID_ACTIVITY }
    }

    fn title(&self) -> String {
        "Gallery".into()
    }

    fn instance(&self) -> u32 {
        self.open.as_ref().map_or(0, |open| u32::from(open.photo))
    }

    fn screen(&self, _world: &World) -> View {
        self.open.as_ref().map_or_else(grid, viewer)
    }

    fn on_event(&mut self, tag: super::Tag, event: Event, context: &mut Context<'_>) {
        let super::Tag::Gallery(tag) = tag else { return };
        match (tag, event, &mut self.open) {
            (Tag::Photo(DAMAGED), Event::Click, _) => {
                let exception = "java.lang.IllegalStateException: Photo 13 cannot be decoded";
                context.request(Request::Crash(GALLERY, exception.to_owned()));
            }
            (Tag::Photo(photo), Event::Click, _) => {
                self.open = Some(Open { photo, zoom: 1.0, pan: (0.0, 0.0) });
                context.world.log_app(GALLERY, Level::Info, "Gallery", &format!("show photo {}", photo + 1));
            }
            (Tag::Up, Event::Click, _) => {
                self.open = None;
                context.request(Request::ClearFocus);
            }
            (Tag::Viewer, Event::Transform { scale, middle, moved, room }, Some(open)) => {
                open.transform(scale, middle, moved, room);
            }
            (Tag::Viewer, Event::DoubleTap, Some(open)) => {
                open.zoom = if open.zoom > 1.0 { 1.0 } else { ZOOM_DOUBLE_TAP };
                open.pan = (0.0, 0.0);
            }
            _ => {}
        }
    }

    fn on_back(&mut self, _context: &mut Context<'_>) -> bool {
        self.open.take().is_some()
    }

    fn ground(&self) -> Ground {
        if self.open.is_some() { Ground::Dark } else { Ground::Light }
    }
}
