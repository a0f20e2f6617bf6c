//! The raw picture that `screencap` writes: a header of three or four numbers, then rows without padding.
//!
//! Which of the two headers it is follows from the length. Formats with more than eight bits a colour are
//! refused with words; a picture is never guessed from bytes of the wrong number.

use fingertip_core::target::{PixelFormat, Pixels};

/// The longest picture that is read, in bytes: 4096 x 3840 pixels of four bytes, and the header.
pub(crate) const MAX_BYTES: usize = 4096 * 3840 * 4 + LONG_HEADER;
/// The header up to Android 8: width, height, format.
const SHORT_HEADER: usize = 12;
/// The header since: one more for the colour space.
const LONG_HEADER: usize = 16;
/// The longest side believed, in pixels.
const MAX_SIDE: u32 = 32_768;

/// Why there is no picture.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub(crate) enum ScreencapError {
    /// Nothing came.
    #[error("the phone sent no picture")]
    Empty,
    /// What came is no picture.
    #[error("what the phone sent is no picture")]
    NoPicture,
    /// The picture ends too early, or goes on too long.
    #[error("the picture has {got} bytes where its size needs {needed}")]
    WrongLength {
        /// How many came, the header not counted.
        got: usize,
        /// How many its size needs.
        needed: usize,
    },
    /// The picture is in a format that cannot be shown.
    #[error("the phone draws in the pixel format {0}, which cannot be shown here")]
    UnknownFormat(String),
}

/// Reads a raw picture.
///
/// # Errors
/// When it is not whole, or of a format that cannot be shown.
pub(crate) fn parse(mut bytes: Vec<u8>) -> Result<Pixels, ScreencapError> {
    if bytes.is_empty() {
        return Err(ScreencapError::Empty);
    }
    let number = |at: usize| {
        let word: [u8; 4] = bytes.get(at..at + 4)?.try_into().ok()?;
        Some(u32::from_le_bytes(word))
    };
    let (Some(width), Some(height), Some(format)) = (number(0), number(4), number(8)) else {
        return Err(ScreencapError::NoPicture);
    };
    if !(1..=MAX_SIDE).contains(&width) || !(1..=MAX_SIDE).contains(&height) {
        return Err(ScreencapError::NoPicture);
    }
    let format = pixel_format(format)?;
    let stride = width as usize * format.bytes();
    let needed = stride * height as usize;
    let header = match bytes.len().checked_sub(needed) {
        Some(header @ (SHORT_HEADER | LONG_HEADER)) => header,
        _ => {
            return Err(ScreencapError::WrongLength { got: bytes.len().saturating_sub(LONG_HEADER), needed });
        }
    };
    bytes.drain(..header);
    Ok(Pixels { width, height, stride, format, data: bytes })
}

fn pixel_format(number: u32) -> Result<PixelFormat, ScreencapError> {
    Ok(match number {
        // The fourth byte of RGBX means nothing, and no picture made here keeps alpha.
        1 | 2 => PixelFormat::Rgba,
        3 => PixelFormat::Rgb,
        4 => PixelFormat::Rgb565,
        5 => PixelFormat::Bgra,
        22 => return Err(ScreencapError::UnknownFormat("RGBA_FP16".to_owned())),
        43 => return Err(ScreencapError::UnknownFormat("RGBA_1010102".to_owned())),
        number @ 6..64 => return Err(ScreencapError::UnknownFormat(number.to_string())),
        _ => return Err(ScreencapError::NoPicture),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(width: u32, height: u32, format: u32, header: usize, data: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            [width, height, format, 1].iter().flat_map(|word| word.to_le_bytes()).collect();
        bytes.truncate(header);
        bytes.extend((0..data).map(|at| at as u8));
        bytes
    }

    #[test]
    fn both_headers_and_all_plain_formats_are_read() {
        for (number, format) in [
            (1, PixelFormat::Rgba),
            (2, PixelFormat::Rgba),
            (3, PixelFormat::Rgb),
            (4, PixelFormat::Rgb565),
            (5, PixelFormat::Bgra),
        ] {
            for header in [SHORT_HEADER, LONG_HEADER] {
                let pixels = parse(picture(3, 5, number, header, 15 * format.bytes())).unwrap();
                assert_eq!((pixels.width, pixels.height, pixels.format), (3, 5, format));
                assert_eq!(pixels.stride, 3 * format.bytes());
                assert_eq!(pixels.data[..3], [0, 1, 2]);
            }
        }
    }

    #[test]
    fn a_picture_of_the_wrong_length_is_refused() {
        let short = parse(picture(3, 5, 1, LONG_HEADER, 59)).unwrap_err();
        assert_eq!(short, ScreencapError::WrongLength { got: 59, needed: 60 });
        assert!(parse(picture(3, 5, 1, LONG_HEADER, 61)).is_err());
    }

    #[test]
    fn deep_colours_are_refused_by_name() {
        let error = parse(picture(3, 5, 22, LONG_HEADER, 120)).unwrap_err();
        assert!(error.to_string().contains("RGBA_FP16"), "{error}");
        assert!(parse(picture(3, 5, 43, LONG_HEADER, 60)).unwrap_err().to_string().contains("1010102"));
    }

    #[test]
    fn rubbish_is_no_picture() {
        assert_eq!(parse(Vec::new()), Err(ScreencapError::Empty));
        for rubbish in
            [&b"abc"[..], b"\x89PNG\r\n\x1a\n0000000000", b"/system/bin/sh: screencap: not found", &[0; 64]]
        {
            assert_eq!(parse(rubbish.to_vec()), Err(ScreencapError::NoPicture), "{rubbish:?}");
        }
        assert!(parse(picture(MAX_SIDE, MAX_SIDE, 1, LONG_HEADER, 8)).is_err());
    }

    proptest::proptest! {
        #[test]
        fn any_bytes_are_survived(bytes: Vec<u8>) {
            if let Ok(pixels) = parse(bytes) {
                proptest::prop_assert_eq!(pixels.data.len(), pixels.stride * pixels.height as usize);
            }
        }
    }
}
