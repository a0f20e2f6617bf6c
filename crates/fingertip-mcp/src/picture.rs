//! Screenshots: any pixel buffer to a small JPEG, with marks on request.

mod marks;

use base64::Engine;
use fast_image_resize as resize;
use fast_image_resize::images::{Image, ImageRef};
use fingertip_core::target::{PixelFormat, Pixels, Screenshot};
use fingertip_core::{Error, Reason, Result};
use jpeg_encoder::{ColorType, Encoder};
use zune_jpeg::JpegDecoder;
use zune_jpeg::zune_core::bytestream::ZCursor;
use zune_jpeg::zune_core::colorspace::ColorSpace;
use zune_jpeg::zune_core::options::DecoderOptions;

pub(crate) use marks::Marks;

/// The most pixels of a picture of a driver that is decoded: more than any screen has. What it says of its size is believed
/// up to that only, since room for it is taken before anything is read.
const MAX_DECODED: usize = 4096 * 4096;

/// A JPEG file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jpeg {
    /// Pixels a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The file.
    pub bytes: Vec<u8>,
}

impl Jpeg {
    /// What it is, for those who receive it.
    pub const MIME_TYPE: &'static str = "image/jpeg";

    /// The file as text.
    #[must_use]
    pub fn to_base64(&self) -> String {
        base64::engine::general_purpose::STANDARD.encode(&self.bytes)
    }
}

/// Scales so that no side exceeds `longest_side` (never up) and encodes.
///
/// # Errors
/// When the buffer is not as large as its size says, or too large for the format.
pub(crate) fn encode(screenshot: Screenshot, longest_side: Option<u32>, quality: u8) -> Result<Jpeg> {
    match screenshot {
        Screenshot::Jpeg { width, height, bytes } => Ok(Jpeg { width, height, bytes }),
        other => compress(&fitting(other, longest_side)?, quality),
    }
}

/// As [`encode`], with marks; also how many of the things to mark have no label.
///
/// # Errors
/// As for [`encode`], and when a JPEG of the driver is broken.
pub(crate) fn encode_marked(
    screenshot: Screenshot,
    longest_side: Option<u32>,
    quality: u8,
    marks: &Marks,
) -> Result<(Jpeg, usize)> {
    let mut pixels = fitting(screenshot, longest_side)?;
    let unlabelled = marks.draw(&mut pixels);
    Ok((compress(&pixels, quality)?, unlabelled))
}

/// The pixels without padding, four bytes each, no more of them than fit.
fn fitting(screenshot: Screenshot, longest_side: Option<u32>) -> Result<Pixels> {
    let pixels = match screenshot {
        Screenshot::Jpeg { bytes, .. } => decoded(&bytes)?,
        Screenshot::Raw(pixels) => tight(pixels)?,
        _ => return Err(broken("is of an unknown kind")),
    };
    let (width, height) = fitted(pixels.width, pixels.height, longest_side);
    if (width, height) == (pixels.width, pixels.height) { Ok(pixels) } else { scaled(&pixels, width, height) }
}

fn decoded(bytes: &[u8]) -> Result<Pixels> {
    let options = DecoderOptions::default().jpeg_set_out_colorspace(ColorSpace::RGBA);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(bytes), options);
    decoder.decode_headers().map_err(|_| broken("cannot be decoded"))?;
    let (width, height) = decoder.dimensions().ok_or_else(|| broken("has no size"))?;
    if width.saturating_mul(height) > MAX_DECODED {
        return Err(broken("is too large to be marked"));
    }
    let data = decoder.decode().map_err(|_| broken("cannot be decoded"))?;
    let side = |length: usize| u32::try_from(length).map_err(|_| broken("is too large"));
    Ok(Pixels {
        width: side(width)?,
        height: side(height)?,
        stride: width * PixelFormat::Rgba.bytes(),
        format: PixelFormat::Rgba,
        data,
    })
}

/// The size within `longest_side`, with the same shape and no side zero.
fn fitted(width: u32, height: u32, longest_side: Option<u32>) -> (u32, u32) {
    let longest = width.max(height);
    let limit = longest_side.unwrap_or(longest);
    if longest <= limit {
        return (width, height);
    }
    let side = |length: u32| {
        let scaled = (u64::from(length) * u64::from(limit) + u64::from(longest) / 2) / u64::from(longest);
        u32::try_from(scaled).unwrap_or(limit).max(1)
    };
    (side(width), side(height))
}

/// The same picture without padding between rows, and with four bytes a pixel.
fn tight(pixels: Pixels) -> Result<Pixels> {
    if pixels.width == 0 || pixels.height == 0 {
        return Err(broken("has no pixels"));
    }
    let row = pixels.width as usize * pixels.format.bytes();
    let rows = pixels.height as usize;
    let needed = pixels.stride.checked_mul(rows - 1).and_then(|start| start.checked_add(row));
    if pixels.stride < row || needed.is_none_or(|needed| pixels.data.len() < needed) {
        return Err(broken("is shorter than its size says"));
    }
    let (from, stride) = (pixels.format, pixels.stride);
    let mut data = pixels.data;
    let lines = data.chunks(stride).take(rows).map(|line| &line[..row]);
    let format = match from {
        PixelFormat::Rgb | PixelFormat::Rgb565 => PixelFormat::Rgba,
        other => other,
    };
    match from {
        PixelFormat::Rgb => {
            let pixels = lines.flat_map(|line| line.chunks_exact(3));
            data = pixels.flat_map(|pixel| [pixel[0], pixel[1], pixel[2], u8::MAX]).collect();
        }
        PixelFormat::Rgb565 => data = lines.flat_map(widen).collect(),
        _ if stride == row => data.truncate(row * rows),
        _ => data = lines.flatten().copied().collect(),
    }
    Ok(Pixels { stride: pixels.width as usize * format.bytes(), format, data, ..pixels })
}

/// Five, six and five bits to three bytes, the full range kept, and a fourth.
fn widen(line: &[u8]) -> impl Iterator<Item = u8> + '_ {
    line.chunks_exact(2).flat_map(|pair| {
        let value = u16::from_le_bytes([pair[0], pair[1]]);
        let (red, green, blue) = ((value >> 11) & 31, (value >> 5) & 63, value & 31);
        let byte = |five: u16| (five << 3 | five >> 2) as u8;
        [byte(red), (green << 2 | green >> 4) as u8, byte(blue), u8::MAX]
    })
}

fn scaled(pixels: &Pixels, width: u32, height: u32) -> Result<Pixels> {
    // The only kind of pixel that the library is built for; see `only_u8x4`.
    let kind = resize::PixelType::U8x4;
    let source = ImageRef::new(pixels.width, pixels.height, &pixels.data, kind)
        .map_err(|_| broken("cannot be scaled"))?;
    let mut scaled = Image::new(width, height, kind);
    // Screens are opaque: the fourth byte is padding, not transparency to be blended with.
    let options = resize::ResizeOptions::new()
        .resize_alg(resize::ResizeAlg::Convolution(resize::FilterType::Bilinear))
        .use_alpha(false);
    resize::Resizer::new().resize(&source, &mut scaled, &options).map_err(|_| broken("cannot be scaled"))?;
    Ok(Pixels {
        width,
        height,
        stride: width as usize * pixels.format.bytes(),
        format: pixels.format,
        data: scaled.into_vec(),
    })
}

fn compress(pixels: &Pixels, quality: u8) -> Result<Jpeg> {
    let color = match pixels.format {
        PixelFormat::Bgra => ColorType::Bgra,
        _ => ColorType::Rgba,
    };
    let side = |length: u32| u16::try_from(length).map_err(|_| broken("is too large for a JPEG"));
    let (width, height) = (side(pixels.width)?, side(pixels.height)?);
    let mut bytes = Vec::new();
    Encoder::new(&mut bytes, quality)
        .encode(&pixels.data, width, height, color)
        .map_err(|_| broken("cannot be encoded"))?;
    Ok(Jpeg { width: pixels.width, height: pixels.height, bytes })
}

fn broken(how: &str) -> Error {
    Error::new(Reason::ActionFailed, format!("Screenshot capture failed: the picture {how}."))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, format: PixelFormat, padding: usize) -> Screenshot {
        let stride = width as usize * format.bytes() + padding;
        let data = (0..stride * height as usize).map(|index| (index % 251) as u8).collect();
        Screenshot::Raw(Pixels { width, height, stride, format, data })
    }

    #[test]
    fn the_longest_side_is_bounded_and_the_shape_kept() {
        for (width, height, expected) in
            [(1080, 2400, (315, 700)), (2400, 1080, (700, 315)), (700, 700, (700, 700)), (3, 7000, (1, 700))]
        {
            let jpeg = encode(picture(width, height, PixelFormat::Rgba, 0), Some(700), 80).unwrap();
            assert_eq!((jpeg.width, jpeg.height), expected);
            assert_eq!(&jpeg.bytes[..3], [0xff, 0xd8, 0xff]);
        }
    }

    #[test]
    fn a_small_picture_is_not_enlarged() {
        let jpeg = encode(picture(320, 200, PixelFormat::Rgb, 0), Some(700), 80).unwrap();
        assert_eq!((jpeg.width, jpeg.height), (320, 200));
    }

    #[test]
    fn every_format_with_padded_rows_is_read() {
        for format in [PixelFormat::Rgba, PixelFormat::Bgra, PixelFormat::Rgb, PixelFormat::Rgb565] {
            assert!(encode(picture(33, 21, format, 5), Some(20), 80).is_ok(), "{format:?}");
        }
    }

    #[test]
    fn colours_survive() {
        let orange = [0xff, 0x80, 0x00];
        let pack = |format| match format {
            PixelFormat::Rgba => vec![orange[0], orange[1], orange[2], 0],
            PixelFormat::Bgra => vec![orange[2], orange[1], orange[0], 0],
            PixelFormat::Rgb => orange.to_vec(),
            _ => (31_u16 << 11 | 32 << 5).to_le_bytes().to_vec(),
        };
        for format in [PixelFormat::Rgba, PixelFormat::Bgra, PixelFormat::Rgb, PixelFormat::Rgb565] {
            let data = pack(format).repeat(64 * 64);
            let pixels = Pixels { width: 64, height: 64, stride: 64 * format.bytes(), format, data };
            let tightened = tight(pixels).unwrap();
            let scaled = scaled(&tightened, 16, 16).unwrap();
            let first = &scaled.data[..3];
            let rgb = if format == PixelFormat::Bgra {
                [first[2], first[1], first[0]]
            } else {
                [first[0], first[1], first[2]]
            };
            assert!(rgb[0] > 250 && (126..=132).contains(&rgb[1]) && rgb[2] < 4, "{format:?} gave {rgb:?}");
        }
    }

    #[test]
    fn a_cut_buffer_is_an_error() {
        let Screenshot::Raw(mut pixels) = picture(10, 10, PixelFormat::Rgba, 0) else { unreachable!() };
        pixels.data.truncate(300);
        let error = encode(Screenshot::Raw(pixels), None, 80).unwrap_err();
        assert!(error.message().contains("shorter"), "{error}");
    }

    #[test]
    fn a_jpeg_of_the_driver_can_be_marked() {
        let plain = encode(picture(64, 48, PixelFormat::Rgba, 0), None, 90).unwrap();
        let shot = Screenshot::Jpeg { width: 64, height: 48, bytes: plain.bytes.clone() };
        let nothing = Marks::of(
            &fingertip_core::test_support::tree("app w 0,0,64,48"),
            fingertip_core::Rect::new(0, 0, 64, 48),
        );
        let (marked, unlabelled) = encode_marked(shot, Some(32), 80, &nothing).unwrap();
        assert_eq!((marked.width, marked.height, unlabelled), (32, 24, 0));
        let broken = Screenshot::Jpeg { width: 2, height: 3, bytes: plain.bytes[..20].to_vec() };
        assert!(encode_marked(broken, None, 80, &nothing).is_err());
        // One that claims to be a gigabyte.
        let mut bytes = plain.bytes;
        let size = bytes.windows(2).position(|pair| pair == [0xff, 0xc0]).unwrap() + 5;
        bytes[size..size + 4].copy_from_slice(&[0x40, 0, 0x40, 0]);
        let error = encode_marked(Screenshot::Jpeg { width: 64, height: 48, bytes }, None, 80, &nothing);
        assert!(error.unwrap_err().message().contains("too large"));
    }

    #[test]
    fn a_jpeg_of_the_driver_passes_as_it_is() {
        let shot = Screenshot::Jpeg { width: 2, height: 3, bytes: vec![1, 2, 3] };
        assert_eq!(encode(shot, Some(1), 80).unwrap().bytes, [1, 2, 3]);
    }
}
