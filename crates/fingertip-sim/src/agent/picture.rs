//! `screenshot`: a picture of the screen, made small and encoded.

use fast_image_resize::images::Image;
use fast_image_resize::{PixelType, Resizer};
use jpeg_encoder::{ColorType, Encoder};
use serde_json::{Value, json};

use super::failure::Failure;
use super::fields::Fields;
use super::session::Session;
use crate::draw::{Bitmap, draw};

const MAX_SIDE: i64 = 32_768;
const USUAL_QUALITY: i64 = 80;
/// So many pixels are looked at in each direction to see whether all is black.
const GRID: u32 = 32;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Format {
    Jpeg,
    Png,
    Rgba,
}

/// A part of the screen.
#[derive(Debug, Clone, Copy)]
struct Part {
    left: u32,
    top: u32,
    right: u32,
    bottom: u32,
}

impl Part {
    /// As far as the picture goes; `None` when nothing is left.
    fn of(self, picture: &Bitmap) -> Option<Self> {
        let (right, bottom) = (self.right.min(picture.width), self.bottom.min(picture.height));
        (self.left < right && self.top < bottom).then_some(Self { right, bottom, ..self })
    }

    fn cut(self, picture: Bitmap) -> Bitmap {
        let (width, height) = (self.right - self.left, self.bottom - self.top);
        if (width, height) == (picture.width, picture.height) {
            return picture;
        }
        let (row, start, length) = (picture.width as usize * 4, self.left as usize * 4, width as usize * 4);
        let rows = picture.rgba.chunks(row).skip(self.top as usize).take(height as usize);
        Bitmap {
            width,
            height,
            rgba: rows.flat_map(|row| row[start..start + length].iter().copied()).collect(),
        }
    }
}

pub(super) async fn run(session: &Session, mut fields: Fields) -> Result<(Value, Vec<u8>), Failure> {
    let longest = fields.optional_number("longest_side", 1, MAX_SIDE)?.unwrap_or(MAX_SIDE) as u32;
    let quality = fields.optional_number("quality", 1, 100)?.unwrap_or(USUAL_QUALITY) as u8;
    let name = fields.optional_text("format")?.unwrap_or_else(|| "jpeg".to_owned());
    let mut side = |name: &str, absent: i64| -> Result<u32, Failure> {
        Ok(fields.optional_number(name, 0, MAX_SIDE)?.unwrap_or(absent) as u32)
    };
    let part = Part {
        left: side("left", 0)?,
        top: side("top", 0)?,
        right: side("right", MAX_SIDE)?,
        bottom: side("bottom", MAX_SIDE)?,
    };
    fields.end()?;
    let format = match name.as_str() {
        "jpeg" => Format::Jpeg,
        "png" => Format::Png,
        "rgba" => Format::Rgba,
        _ => return Err(Failure::invalid("format", "jpeg, png or rgba")),
    };
    session.events.take()?;
    if session.phone.faults().plan().screencap_fails {
        return Err(Failure::new("refused", "Android gave no picture of the screen"));
    }
    let scene = session.phone.with(|phone| phone.scene());
    let picture = draw(&scene);
    let part =
        part.of(&picture).ok_or_else(|| Failure::invalid("left", "the left side of a part of the screen"))?;
    let work = move || {
        let picture = scaled(part.cut(picture), longest)?;
        let black = is_black(&picture);
        let object =
            json!({ "width": picture.width, "height": picture.height, "format": name, "black": black });
        Some((object, encoded(picture, format, quality)?))
    };
    let done = tokio::task::spawn_blocking(work).await.ok().flatten();
    done.ok_or_else(|| Failure::new("internal", "the picture could not be encoded"))
}

fn scaled(picture: Bitmap, longest: u32) -> Option<Bitmap> {
    let side = picture.width.max(picture.height);
    if side <= longest {
        return Some(picture);
    }
    let share = f64::from(longest) / f64::from(side);
    let length = |side: u32| ((f64::from(side) * share).round() as u32).max(1);
    let (width, height) = (length(picture.width), length(picture.height));
    let source = Image::from_vec_u8(picture.width, picture.height, picture.rgba, PixelType::U8x4).ok()?;
    let mut small = Image::new(width, height, PixelType::U8x4);
    Resizer::new().resize(&source, &mut small, None).ok()?;
    Some(Bitmap { width, height, rgba: small.into_vec() })
}

fn encoded(picture: Bitmap, format: Format, quality: u8) -> Option<Vec<u8>> {
    match format {
        Format::Rgba => Some(picture.rgba),
        Format::Png => picture.to_png().ok(),
        Format::Jpeg => {
            let mut file = Vec::new();
            let side = |length: u32| u16::try_from(length).ok();
            let (width, height) = (side(picture.width)?, side(picture.height)?);
            Encoder::new(&mut file, quality).encode(&picture.rgba, width, height, ColorType::Rgba).ok()?;
            Some(file)
        }
    }
}

fn is_black(picture: &Bitmap) -> bool {
    let at = |place: u32, side: u32| (2 * place + 1) * side / (2 * GRID);
    let dark = |row: u32, column: u32| {
        let pixel = picture.pixel(at(column, picture.width), at(row, picture.height));
        pixel.is_none_or(|[red, green, blue, _]| (red, green, blue) == (0, 0, 0))
    };
    (0..GRID).all(|row| (0..GRID).all(|column| dark(row, column)))
}
