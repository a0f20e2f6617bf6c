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
