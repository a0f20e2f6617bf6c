//! Pictures that are put together from screens, each as it was drawn.
//!
//! A picture is in the units of places, as windows and elements are: a screen with a scale has more pixels than that, and is
//! made smaller.

use fingertip_core::target::{PixelFormat, Pixels};
use fingertip_core::{Error, Reason, Rect};

use super::error::{Failure, Outcome};

/// Bytes a pixel, in the layouts that are read here.
pub(crate) const PIXEL: usize = 4;
/// The most bytes of a picture: a wall of screens.
pub(crate) const LARGEST: usize = 512 << 20;

/// A part of a screen as it was drawn.
pub(crate) struct Shot {
    pub(crate) width: u32,
    pub(crate) height: u32,
    /// The bytes from one line to the next.
    pub(crate) stride: usize,
    /// All lines, of at least [`PIXEL`] bytes for each pixel.
    pub(crate) data: Vec<u8>,
    /// Whether red and blue stand the other way round.
    pub(crate) swaps: bool,
    /// Whether the last line comes first.
    pub(crate) is_inverted: bool,
}

impl Shot {
    /// A pixel.
    fn pixel(&self, x: usize, y: usize) -> [u8; PIXEL] {
        let y = if self.is_inverted { self.height as usize - 1 - y } else { y };
        let at = y * self.stride + x * PIXEL;
        let mut pixel = [0; PIXEL];
        pixel.copy_from_slice(&self.data[at..at + PIXEL]);
        if self.swaps {
            pixel.swap(0, 2);
        }
        pixel
    }
}

/// A picture that is put together from screens.
pub(crate) struct Canvas {
    area: Rect,
    width: usize,
    data: Vec<u8>,
}

impl Canvas {
    /// An empty picture of this part of the screen.
    pub(crate) fn new(area: Rect) -> Outcome<Self> {
        let (width, height) = (area.width().unsigned_abs() as usize, area.height().unsigned_abs() as usize);
        let bytes = width.saturating_mul(height).saturating_mul(PIXEL);
        if bytes > LARGEST {
            return Err(Failure::Refused(format!("a picture of {bytes} bytes")));
        }
        Ok(Self { area, width, data: vec![0; bytes] })
    }

    /// Paints a shot of this part of the screen. Of several pixels for one the middle is taken.
    pub(crate) fn paint(&mut self, shot: &Shot, part: Rect) {
        let (from_x, from_y) = (
            (part.left - self.area.left).unsigned_abs() as usize,
            (part.top - self.area.top).unsigned_abs() as usize,
        );
        let (width, height) = (part.width().unsigned_abs() as usize, part.height().unsigned_abs() as usize);
        let (wide, high) = (shot.width as usize, shot.height as usize);
        for y in 0..height {
            let line = ((2 * y + 1) * high / (2 * height)).min(high - 1);
            let start = ((from_y + y) * self.width + from_x) * PIXEL;
            let target = &mut self.data[start..start + width * PIXEL];
            if wide == width && !shot.swaps {
                let line = if shot.is_inverted { high - 1 - line } else { line };
                let at = line * shot.stride;
                target.copy_from_slice(&shot.data[at..at + width * PIXEL]);
                continue;
            }
            for (x, pixel) in target.chunks_exact_mut(PIXEL).enumerate() {
                let column = ((2 * x + 1) * wide / (2 * width)).min(wide - 1);
                pixel.copy_from_slice(&shot.pixel(column, line));
            }
        }
    }

    /// The picture.
    pub(crate) fn pixels(self) -> Pixels {
        let (width, height) = (self.area.width().unsigned_abs(), self.area.height().unsigned_abs());
        Pixels { width, height, stride: self.width * PIXEL, format: PixelFormat::Bgra, data: self.data }
    }
}

/// The error of a picture of what is not on the screen.
pub(crate) fn outside() -> Error {
    Error::new(Reason::ActionFailed, "The window lies outside the screen; there is nothing to see of it.")
        .with_guidance("Bring it to the front or take a picture of the whole screen.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shot(width: u32, height: u32, swaps: bool, is_inverted: bool) -> Shot {
        let stride = width as usize * PIXEL + 4;
        let mut data = vec![0xee; stride * height as usize];
        for y in 0..height as usize {
            for x in 0..width as usize {
                let at = y * stride + x * PIXEL;
                data[at..at + PIXEL].copy_from_slice(&[x as u8, y as u8, 7, 0]);
            }
        }
        Shot { width, height, stride, data, swaps, is_inverted }
    }

    fn painted(shot: &Shot, part: Rect) -> Pixels {
        let mut canvas = Canvas::new(Rect::new(10, 10, 14, 12)).unwrap();
        canvas.paint(shot, part);
        canvas.pixels()
    }

    fn at(pixels: &Pixels, x: usize, y: usize) -> &[u8] {
        &pixels.data[y * pixels.stride + x * PIXEL..][..PIXEL]
    }

    #[test]
    fn a_part_is_painted_where_it_lies() {
        let pixels = painted(&shot(2, 1, false, false), Rect::new(12, 11, 14, 12));
        assert_eq!((pixels.width, pixels.height, pixels.stride), (4, 2, 16));
        assert_eq!(at(&pixels, 3, 1), [1, 0, 7, 0]);
        assert_eq!(at(&pixels, 1, 1), [0; 4]);
        assert_eq!(at(&pixels, 3, 0), [0; 4]);
    }

    #[test]
    fn a_screen_with_a_scale_is_made_smaller_turned_up_and_its_colours_put_right() {
        let whole = Rect::new(10, 10, 14, 12);
        assert_eq!(at(&painted(&shot(8, 4, false, false), whole), 3, 1), [7, 3, 7, 0]);
        assert_eq!(at(&painted(&shot(4, 2, false, true), whole), 3, 0), [3, 1, 7, 0]);
        assert_eq!(at(&painted(&shot(4, 2, true, true), whole), 3, 0), [7, 1, 3, 0]);
    }
}
