//! A buffer of pixels with a clip, and the ways to paint on it.
//!
//! Every operation cuts its area down to the clip first, so rectangles may reach beyond the canvas or have crossed
//! edges. Pixels carry straight (not premultiplied) alpha; a new canvas is fully transparent.
//! Shapes come as functions from a point to its distance from the edge ([`super::shape`]): half a pixel inside counts as
//! covered, half a pixel outside as not, and in between is the soft edge.
//!
//! Not here: text, icons, and anything that knows what a screen is.

use crate::phone::Rect;

use super::bitmap::Bitmap;

/// Red, green, blue and alpha.
pub(super) type Rgba = [u8; 4];

/// The longest side of a canvas, in pixels: a phone's screen fits several times, a mistaken size does not
/// take the memory of the machine.
const MAX_SIDE: u32 = 8192;

/// What can be drawn on.
pub(super) struct Canvas {
    width: i32,
    height: i32,
    pixels: Vec<Rgba>,
    clip: Rect,
}

impl Canvas {
    /// A transparent canvas; sides over [`MAX_SIDE`] are cut to it.
    pub(super) fn new(width: u32, height: u32) -> Self {
        let (width, height) = (width.min(MAX_SIDE), height.min(MAX_SIDE));
        let (columns, rows) = (width.cast_signed(), height.cast_signed());
        Self {
            width: columns,
            height: rows,
            pixels: vec![[0; 4]; width as usize * height as usize],
            clip: Rect::new(0, 0, columns, rows),
        }
    }

    /// The whole canvas.
    pub(super) fn bounds(&self) -> Rect {
        Rect::new(0, 0, self.width, self.height)
    }

    /// Lets later drawing change only pixels inside `clip`; it replaces the clip before it.
    pub(super) fn set_clip(&mut self, clip: Rect) {
        self.clip = clip.intersection(self.bounds());
    }

    /// The area that may change now.
    pub(super) fn clip(&self) -> Rect {
        self.clip
    }

    /// Fills a rectangle.
    pub(super) fn fill(&mut self, area: Rect, color: Rgba) {
        let area = area.intersection(self.clip);
        for y in area.top..area.bottom {
            let row = self.row(y, area.left, area.right);
            if color[3] == u8::MAX {
                row.fill(color);
            } else {
                for pixel in row {
                    *pixel = over(*pixel, color);
                }
            }
        }
    }

    /// Fills the part of `area` that `distance` says is inside: negative inside, positive outside, in pixels.
    pub(super) fn fill_shape(&mut self, area: Rect, color: Rgba, distance: impl Fn(f32, f32) -> f32) {
        self.shade(area, color, |x, y| 0.5 - distance(x, y));
    }

    /// Paints `area` with `color`, at each point as strong as `strength` says: 0 leaves the pixel, 1 covers it.
    pub(super) fn shade(&mut self, area: Rect, color: Rgba, strength: impl Fn(f32, f32) -> f32) {
        let area = area.intersection(self.clip);
        for y in area.top..area.bottom {
            let row = self.row(y, area.left, area.right);
            for (pixel, x) in row.iter_mut().zip(area.left..) {
                let strength = strength(x as f32 + 0.5, y as f32 + 0.5).clamp(0.0, 1.0);
                if strength == 0.0 {
                    continue;
                }
                *pixel = over(*pixel, faded(color, (strength * 255.0 + 0.5) as u8));
            }
        }
    }

    /// Paints through a mask of `width` columns whose upper left corner is at `left`, `top`.
    pub(super) fn stamp(&mut self, left: i32, top: i32, width: usize, mask: &[u8], color: Rgba) {
        if width == 0 {
            return;
        }
        let right = left.saturating_add(i32::try_from(width).unwrap_or(i32::MAX));
        let (first, last) = (left.max(self.clip.left), right.min(self.clip.right));
        let skipped = usize::try_from(first.saturating_sub(left)).unwrap_or(0);
        for (line, y) in mask.chunks_exact(width).zip(top..) {
            if y < self.clip.top || y >= self.clip.bottom {
                continue;
            }
            for (pixel, strength) in self.row(y, first, last).iter_mut().zip(line.iter().skip(skipped)) {
                if *strength > 0 {
                    *pixel = over(*pixel, faded(color, *strength));
                }
            }
        }
    }

    /// The finished picture.
    pub(super) fn into_bitmap(self) -> Bitmap {
        Bitmap {
            width: self.width.cast_unsigned(),
            height: self.height.cast_unsigned(),
            rgba: self.pixels.into_flattened(),
        }
    }

    /// The pixels of row `y` from `left` to `right`; empty when they lie outside the canvas.
    pub(super) fn row(&mut self, y: i32, left: i32, right: i32) -> &mut [Rgba] {
        let index = |x: i32| usize::try_from(i64::from(y) * i64::from(self.width) + i64::from(x)).ok();
        match (index(left), index(right)) {
            (Some(start), Some(end)) if start < end => self.pixels.get_mut(start..end).unwrap_or_default(),
            _ => &mut [],
        }
    }
}

/// `color` with its alpha scaled by `strength`.
fn faded(color: Rgba, strength: u8) -> Rgba {
    [color[0], color[1], color[2], scaled(color[3], strength)]
}

/// The product of two shares of 255, rounded.
fn scaled(value: u8, share: u8) -> u8 {
    ((u32::from(value) * u32::from(share) + 127) / 255) as u8
}

/// `top` laid over `bottom`.
fn over(bottom: Rgba, top: Rgba) -> Rgba {
    match (bottom[3], top[3]) {
        (_, 0) => bottom,
        (0, _) | (_, 255) => top,
        // Nearly every pixel of a screen is opaque: worth a faster way, which may be one step of 255 darker.
        (255, alpha) => {
            let [red, green, blue, _] = mix(bottom, top, u32::from(alpha) + u32::from(alpha >> 7));
            [red, green, blue, 255]
        }
        (below, alpha) => {
            let kept = scaled(below, 255 - alpha);
            let total = u32::from(alpha) + u32::from(kept);
            let mean = |bottom: u8, top: u8| {
                ((u32::from(top) * u32::from(alpha) + u32::from(bottom) * u32::from(kept) + total / 2)
                    / total) as u8
            };
            [mean(bottom[0], top[0]), mean(bottom[1], top[1]), mean(bottom[2], top[2]), total as u8]
        }
    }
}

/// Between two colours; `share` of 256 is the second's. Two channels are computed at a time, each in its half of a word:
/// this is the inner loop of pictures, scrims and soft edges.
pub(super) fn mix(first: Rgba, second: Rgba, share: u32) -> Rgba {
    const EVERY_OTHER: u32 = 0x00FF_00FF;
    let (first, second) = (u32::from_le_bytes(first), u32::from_le_bytes(second));
    let even = (first & EVERY_OTHER) * (256 - share) + (second & EVERY_OTHER) * share;
    let odd = (first >> 8 & EVERY_OTHER) * (256 - share) + (second >> 8 & EVERY_OTHER) * share;
    ((even >> 8 & EVERY_OTHER) | (odd & !EVERY_OTHER)).to_le_bytes()
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: Rgba = [255, 0, 0, 255];
    const EVERYTHING: Rect = Rect::new(i32::MIN, i32::MIN, i32::MAX, i32::MAX);

    fn painted(canvas: Canvas) -> Vec<(u32, u32)> {
        let bitmap = canvas.into_bitmap();
        let all = (0..bitmap.height).flat_map(|y| (0..bitmap.width).map(move |x| (x, y)));
        all.filter(|(x, y)| bitmap.pixel(*x, *y).is_some_and(|pixel| pixel[3] > 0)).collect()
    }

    #[test]
    fn nothing_is_painted_outside_the_clip() {
        let draw_all: [fn(&mut Canvas); 4] = [
            |canvas| canvas.fill(EVERYTHING, RED),
            |canvas| canvas.fill_shape(EVERYTHING, RED, |_, _| -1.0),
            |canvas| canvas.stamp(-1, -1, 9, &[255; 81], RED),
            |canvas| {
                let source = Bitmap { width: 1, height: 1, rgba: RED.to_vec() };
                canvas.stretch(Rect::new(-5, -5, 20, 20), &source);
            },
        ];
        for draw in draw_all {
            let mut canvas = Canvas::new(8, 8);
            canvas.set_clip(Rect::new(2, 3, 4, 5));
            draw(&mut canvas);
            assert_eq!(painted(canvas), [(2, 3), (3, 3), (2, 4), (3, 4)]);
        }
    }

    #[test]
    fn a_clip_outside_the_canvas_lets_nothing_through() {
        let mut canvas = Canvas::new(8, 8);
        canvas.set_clip(Rect::new(20, -9, 30, -2));
        canvas.fill(EVERYTHING, RED);
        assert_eq!(painted(canvas), []);
    }

    #[test]
    fn half_transparent_white_on_black_is_grey() {
        let mut canvas = Canvas::new(1, 1);
        canvas.fill(EVERYTHING, [0, 0, 0, 255]);
        canvas.fill(EVERYTHING, [255, 255, 255, 128]);
        assert_eq!(canvas.into_bitmap().rgba, [128, 128, 128, 255]);
    }

    #[test]
    fn mixing_keeps_the_channels_apart_and_the_ends_exact() {
        let (first, second) = ([255, 0, 255, 0], [0, 255, 10, 20]);
        assert_eq!(mix(first, second, 0), first);
        assert_eq!(mix(first, second, 256), second);
        assert_eq!(mix(first, second, 128), [127, 127, 132, 10]);
    }

    #[test]
    fn a_translucent_colour_on_itself_changes_nothing() {
        for alpha in 0..=255 {
            assert_eq!(over([9, 99, 199, 255], [9, 99, 199, alpha]), [9, 99, 199, 255], "{alpha}");
        }
    }

    #[test]
    fn a_mask_is_stamped_where_it_covers() {
        let mut canvas = Canvas::new(4, 4);
        canvas.stamp(1, 2, 2, &[0, 255, 255, 0], RED);
        assert_eq!(painted(canvas), [(2, 2), (1, 3)]);
    }

    #[test]
    fn a_mistaken_size_is_cut() {
        let bitmap = Canvas::new(u32::MAX, 0).into_bitmap();
        assert_eq!((bitmap.width, bitmap.rgba.len()), (MAX_SIDE, 0));
    }
}
