//! A finished picture of the screen, and its PNG form.
//!
//! The raw formats of `screencap` are not here: they belong to the command that writes them.

use super::canvas::Rgba;

/// Pixels row by row from the upper left, four bytes each: red, green, blue, alpha (straight).
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bitmap {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// `width * height * 4` bytes.
    pub rgba: Vec<u8>,
}

impl Bitmap {
    /// The pixel at `x`, `y`, or `None` outside.
    #[must_use]
    pub fn pixel(&self, x: u32, y: u32) -> Option<[u8; 4]> {
        if x >= self.width {
            return None;
        }
        let start = (y as usize * self.width as usize + x as usize) * 4;
        self.rgba.get(start..)?.first_chunk().copied()
    }

    /// The picture as a PNG file, compressed for speed: a screenshot is asked for far more often than stored.
    ///
    /// # Errors
    /// When the buffer does not hold `width * height` pixels, or one side is zero.
    pub fn to_png(&self) -> Result<Vec<u8>, png::EncodingError> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, self.width, self.height);
        encoder.set_color(png::ColorType::Rgba);
        encoder.set_depth(png::BitDepth::Eight);
        encoder.set_compression(png::Compression::Fast);
        let mut writer = encoder.write_header()?;
        writer.write_image_data(&self.rgba)?;
        writer.finish()?;
        Ok(file)
    }

    /// The pixels of row `y`; empty outside.
    pub(super) fn row(&self, y: usize) -> &[Rgba] {
        let (pixels, _) = self.rgba.as_chunks();
        let width = self.width as usize;
        y.checked_mul(width).and_then(|start| pixels.get(start..start + width)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn png_holds_the_same_pixels() {
        let bitmap = Bitmap { width: 3, height: 2, rgba: (0..24).collect() };
        let file = bitmap.to_png().unwrap();
        let mut reader = png::Decoder::new(std::io::Cursor::new(file)).read_info().unwrap();
        let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut pixels).unwrap();
        assert_eq!((info.width, info.height), (3, 2));
        assert_eq!(pixels, bitmap.rgba);
    }

    #[test]
    fn a_buffer_of_the_wrong_length_is_an_error_not_a_broken_file() {
        let bitmap = Bitmap { width: 3, height: 2, rgba: vec![0; 5] };
        assert!(bitmap.to_png().is_err());
    }

    #[test]
    fn a_pixel_right_of_the_last_column_is_not_the_next_row() {
        let bitmap = Bitmap { width: 1, height: 2, rgba: vec![1; 8] };
        assert_eq!(bitmap.pixel(0, 1), Some([1; 4]));
        assert_eq!(bitmap.pixel(1, 0), None);
    }
}
