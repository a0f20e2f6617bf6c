//! Pictures of the screen, as drivers deliver them.

use crate::Rect;

/// How one pixel is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum PixelFormat {
    /// Red, green, blue, alpha; a byte each.
    Rgba,
    /// Blue, green, red, alpha; a byte each.
    Bgra,
    /// Red, green, blue; a byte each.
    Rgb,
    /// Five, six and five bits in two bytes, little endian.
    Rgb565,
}

impl PixelFormat {
    /// Bytes a pixel.
    #[must_use]
    pub const fn bytes(self) -> usize {
        match self {
            Self::Rgba | Self::Bgra => 4,
            Self::Rgb => 3,
            Self::Rgb565 => 2,
        }
    }
}

/// A picture, row after row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pixels {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Bytes from one row to the next.
    pub stride: usize,
    /// How a pixel is laid out.
    pub format: PixelFormat,
    /// The rows.
    pub data: Vec<u8>,
}

impl Pixels {
    /// A part of the picture, as far as it goes; `None` when nothing of it is there.
    #[must_use]
    pub fn part(&self, part: Rect) -> Option<Self> {
        let side = |length: u32| i32::try_from(length).unwrap_or(i32::MAX);
        let part = part.intersection(Rect::new(0, 0, side(self.width), side(self.height)));
        let at = |place: i32| usize::try_from(place).ok();
        let (left, top) = (at(part.left)?, at(part.top)?);
        let (width, height) = (at(part.width())?, at(part.height())?);
        if part.is_empty() {
            return None;
        }
        let bytes = self.format.bytes();
        let mut data = Vec::with_capacity(width * height * bytes);
        for row in top..top + height {
            let start = row * self.stride + left * bytes;
            data.extend_from_slice(self.data.get(start..start + width * bytes)?);
        }
        let side = |length: usize| u32::try_from(length).ok();
        Some(Self {
            width: side(width)?,
            height: side(height)?,
            stride: width * bytes,
            format: self.format,
            data,
        })
    }
}

/// What the caller will do with the picture, so that a driver may do it nearer to the source.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScreenshotRequest {
    /// The part of the screen that is wanted, in pixels of the screen and within it; all of it by default.
    pub region: Option<Rect>,
    /// The longest side wanted; smaller pictures are not enlarged.
    pub longest_side: Option<u32>,
    /// JPEG quality, 1 to 100.
    pub quality: u8,
}

/// A picture of the screen.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Screenshot {
    /// Pixels, of the screen's own size; of the region, where one was asked for.
    Raw(Pixels),
    /// A JPEG file, already cut and scaled as requested.
    Jpeg {
        /// Pixels a row.
        width: u32,
        /// Rows.
        height: u32,
        /// The file.
        bytes: Vec<u8>,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_cut_out_of_padded_rows() {
        // Two pixels a row and a byte of padding.
        let data = vec![1, 1, 2, 2, 0, 3, 3, 4, 4, 0];
        let picture = Pixels { width: 2, height: 2, stride: 5, format: PixelFormat::Rgb565, data };
        let part = picture.part(Rect::new(1, 0, 9, 9)).unwrap();
        assert_eq!((part.width, part.height, part.stride), (1, 2, 2));
        assert_eq!(part.data, [2, 2, 4, 4]);
        assert_eq!(picture.part(Rect::new(2, 0, 9, 9)), None);
        let cut = Pixels { data: vec![1; 6], ..picture };
        assert_eq!(cut.part(Rect::new(0, 0, 2, 2)), None, "shorter than its size says");
    }
}
