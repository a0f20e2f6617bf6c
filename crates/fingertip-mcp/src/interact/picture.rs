//! Taking a picture of the screen, whole or a part, full size or smaller, never beyond a bound.

use fingertip_core::target::{Screenshot, ScreenshotRequest};
use fingertip_core::{Error, Reason, Rect, Result};
use serde_json::{Value, json};

use crate::call::Call;
use crate::memory;
use crate::picture::{self, Jpeg, Marks};

/// The most pixels of a picture that is asked for in its own size: a large screen.
pub(crate) const MAX_PIXELS: u64 = 3840 * 2160;
/// The largest picture, in bytes: what models take as one, written as text.
pub(crate) const MAX_BYTES: usize = 3 * 1024 * 1024;
/// How often a picture that turned out too large is taken smaller.
const TRIES: u32 = 4;

/// Takes a picture as requested.
pub(crate) async fn take_picture(call: &Call, request: ScreenshotRequest) -> Result<Jpeg> {
    take(call, request, None).await.map(|(picture, _)| picture)
}

/// Takes a picture, and says how many things have no label where it is to have marks. It is encoded apart from the other
/// calls: a large one takes a while.
async fn take(call: &Call, request: ScreenshotRequest, marks: Option<Marks>) -> Result<(Jpeg, usize)> {
    let screenshot = call.pictures()?.screenshot(request, call.deadline()).await?;
    let is_raw = matches!(screenshot, Screenshot::Raw(_));
    let ScreenshotRequest { longest_side, quality, .. } = request;
    let encode = move || match marks {
        Some(marks) => picture::encode_marked(screenshot, longest_side, quality, &marks),
        None => picture::encode(screenshot, longest_side, quality).map(|picture| (picture, 0)),
    };
    let encoded = tokio::task::spawn_blocking(encode).await;
    if is_raw {
        memory::give_back_soon();
    }
    encoded.map_err(|_| Error::new(Reason::Internal, "Screenshot capture failed while encoding."))?
}

/// A picture of a part of the screen, and how its pixels stand on it.
pub(crate) struct Shown {
    pub(crate) picture: Jpeg,
    /// What it shows, in pixels of the screen.
    pub(crate) area: Rect,
    /// Whether it is smaller than asked for.
    pub(crate) reduced: bool,
    /// How many things have no label, where ids are marked.
    pub(crate) unlabelled: Option<usize>,
}

/// Takes a picture of this area at this scale, or smaller where that would be too large.
pub(crate) async fn take_area(
    call: &Call,
    area: Rect,
    scale: f64,
    whole: bool,
    quality: u8,
    marks: Option<Marks>,
) -> Result<Shown> {
    let longest = f64::from(area.width().max(area.height()));
    let mut scale_now = scale.min(greatest_scale(area));
    let mut reduced = scale_now < scale;
    for _ in 0..TRIES {
        let side = (longest * scale_now).round().max(1.0);
        let longest_side = (side < longest).then_some(side as u32);
        let region = (!whole).then_some(area);
        let request = ScreenshotRequest { region, longest_side, quality };
        let (picture, unlabelled) = take(call, request, marks.clone()).await?;
        if picture.bytes.len() <= MAX_BYTES {
            let unlabelled = marks.map(|_| unlabelled);
            return Ok(Shown { picture, area, reduced, unlabelled });
        }
        // Bytes go with the area; a little less, so that once more is mostly enough.
        scale_now *= (MAX_BYTES as f64 / picture.bytes.len() as f64).sqrt() * 0.9;
        reduced = true;
    }
    Err(Error::new(Reason::ActionFailed, "Screenshot capture failed: the picture is too large.")
        .with_guidance("Ask for a part of the screen, or for a smaller 'screenshot_scale'."))
}

/// The scale at which an area has no more pixels than a picture may have.
fn greatest_scale(area: Rect) -> f64 {
    (MAX_PIXELS as f64 / area.area().max(1) as f64).sqrt().min(1.0)
}

impl Shown {
    /// How many pixels of the screen one of the picture is.
    fn factor(&self) -> f64 {
        let longest = self.area.width().max(self.area.height());
        f64::from(longest) / f64::from(self.picture.width.max(self.picture.height).max(1))
    }

    /// For a reader: how to turn its pixels into those of the screen.
    pub(crate) fn sentence(&self) -> String {
        let Rect { left, top, right, bottom } = self.area;
        let (Jpeg { width, height, .. }, factor) = (&self.picture, rounded(self.factor()));
        let reduced = if self.reduced {
            format!(" Scaled down: a picture has at most {MAX_PIXELS} pixels and {} KiB.", MAX_BYTES / 1024)
        } else {
            String::new()
        };
        let marks = match self.unlabelled {
            Some(0) => " Labels are ids without 'node_'.".to_owned(),
            Some(more) => {
                format!(" Labels are ids without 'node_'; {more} more have no room, crop to see them.")
            }
            None => String::new(),
        };
        format!(
            "screenshot: {left},{top},{right},{bottom} of the screen in {width}x{height} pixels, scale {}; screen x = \
            {left} + {factor} * x, y = {top} + {factor} * y.{reduced}{marks}",
            rounded(1.0 / self.factor())
        )
    }

    /// The same for programs.
    pub(crate) fn meta(&self) -> Value {
        let Rect { left, top, right, bottom } = self.area;
        json!({
            "area": [left, top, right, bottom],
            "width": self.picture.width,
            "height": self.picture.height,
            "scale": rounded(1.0 / self.factor()),
            "reduced": self.reduced,
        })
    }
}

/// To four digits after the point: less than a pixel on any screen.
fn rounded(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wall_of_screens_is_no_larger_than_one() {
        assert_eq!(greatest_scale(Rect::new(0, 0, 3840, 2160)), 1.0);
        assert_eq!(greatest_scale(Rect::new(0, 0, 7680, 4320)), 0.5);
        assert_eq!(greatest_scale(Rect::default()), 1.0);
    }

    #[test]
    fn pixels_of_the_picture_are_turned_into_those_of_the_screen() {
        let picture = Jpeg { width: 260, height: 160, bytes: Vec::new() };
        let shown = Shown { picture, area: Rect::new(120, 80, 640, 400), reduced: false, unlabelled: None };
        assert_eq!(
            shown.sentence(),
            "screenshot: 120,80,640,400 of the screen in 260x160 pixels, scale 0.5; screen x = 120 + 2 * x, y = 80 + 2 * y."
        );
        assert_eq!(shown.meta()["scale"], json!(0.5));
        let reduced = Shown { reduced: true, ..shown };
        assert!(
            reduced.sentence().contains("Scaled down: a picture has at most 8294400 pixels and 3072 KiB.")
        );
    }
}
