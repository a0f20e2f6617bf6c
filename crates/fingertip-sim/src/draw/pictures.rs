//! The wallpaper and the photos of the gallery, computed instead of stored.
//!
//! Pictures are small and smooth, made once and stretched when drawn. The same name always gives the same pixels, and
//! each photo differs visibly from the others even in a thumbnail.

use std::sync::LazyLock;

use super::bitmap::Bitmap;
use super::canvas::Rgba;
use super::shape::length;
use crate::phone::scene::Picture;

/// Photos that look different; higher numbers start over.
const PHOTOS: usize = 12;

/// Width and height of a photo.
const PHOTO_SIZE: (u32, u32) = (320, 320);

/// Width and height of the wallpaper.
const WALLPAPER_SIZE: (u32, u32) = (270, 600);

static WALLPAPER: LazyLock<Bitmap> = LazyLock::new(|| painted(WALLPAPER_SIZE, wallpaper));
static GALLERY: [LazyLock<Bitmap>; PHOTOS] = [
    LazyLock::new(|| photo(0)),
    LazyLock::new(|| photo(1)),
    LazyLock::new(|| photo(2)),
    LazyLock::new(|| photo(3)),
    LazyLock::new(|| photo(4)),
    LazyLock::new(|| photo(5)),
    LazyLock::new(|| photo(6)),
    LazyLock::new(|| photo(7)),
    LazyLock::new(|| photo(8)),
    LazyLock::new(|| photo(9)),
    LazyLock::new(|| photo(10)),
    LazyLock::new(|| photo(11)),
];

/// The pixels of a picture.
pub(super) fn pixels(picture: Picture) -> &'static Bitmap {
    match picture {
        Picture::Wallpaper => &WALLPAPER,
        Picture::Photo(number) => &GALLERY[usize::from(number) % PHOTOS],
    }
}

/// A colour with parts from 0 to 1.
type Tone = [f32; 3];

/// Paints a picture point by point; points run from 0 to 1 across and down.
fn painted((width, height): (u32, u32), tone_at: impl Fn(f32, f32) -> Tone) -> Bitmap {
    let points = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
    let rgba = points
        .flat_map(|(x, y)| -> Rgba {
            let [red, green, blue] =
                tone_at((x as f32 + 0.5) / width as f32, (y as f32 + 0.5) / height as f32).map(to_byte);
            [red, green, blue, u8::MAX]
        })
        .collect();
    Bitmap { width, height, rgba }
}

fn to_byte(part: f32) -> u8 {
    (part.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// Soft hills of light on a deep blue.
fn wallpaper(x: f32, y: f32) -> Tone {
    let sky = mix([0.10, 0.16, 0.36], [0.42, 0.36, 0.62], y);
    let hills = [
        (0.55, 0.05, [0.36, 0.34, 0.66]),
        (0.70, 0.07, [0.25, 0.30, 0.58]),
        (0.84, 0.04, [0.15, 0.22, 0.45]),
    ];
    hills.iter().enumerate().fold(sky, |below, (index, (height, swing, tone))| {
        let edge = height + swing * (x * 5.0 + index as f32 * 2.1).sin();
        mix(below, *tone, soft_step(edge, y, 0.001))
    })
}

/// Every third photo shows mountains, a sunset over the sea, or stripes, each time in other colours.
fn photo(number: usize) -> Bitmap {
    let hue = number as f32 / PHOTOS as f32;
    let seed = number as f32 * 1.7;
    match number % 3 {
        0 => painted(PHOTO_SIZE, |x, y| mountains(x, y, hue, seed)),
        1 => painted(PHOTO_SIZE, |x, y| sunset(x, y, hue, seed)),
        _ => painted(PHOTO_SIZE, |x, y| stripes(x, y, hue, seed)),
    }
}

fn mountains(x: f32, y: f32, hue: f32, seed: f32) -> Tone {
    let sky = mix(from_hue(hue + 0.58, 0.45, 0.85), from_hue(hue + 0.08, 0.25, 0.98), y * 1.4);
    let sun = soft_step(0.0, 0.08 - length(x - 0.72, y - 0.22), 0.002);
    let mut tone = mix(sky, [1.0, 0.97, 0.86], sun);
    for ridge in 0..3_u8 {
        let depth = f32::from(ridge);
        let peaks = (x * (7.0 + depth * 3.0) + seed + depth * 1.9).sin().abs();
        let edge = 0.42 + depth * 0.16 - peaks * (0.20 - depth * 0.05);
        let rock = from_hue(hue + 0.55, 0.35, 0.62 - depth * 0.18);
        tone = mix(tone, rock, soft_step(edge, y, 0.002));
    }
    tone
}

fn sunset(x: f32, y: f32, hue: f32, seed: f32) -> Tone {
    const HORIZON: f32 = 0.62;
    if y > HORIZON {
        let ripple = ((y - HORIZON) * 160.0 / (0.4 + y) + (x * 9.0 + seed).sin()).sin();
        let glint = (1.0 - (x - 0.5).abs() * 4.0).max(0.0) * (0.5 + 0.5 * ripple);
        return mix(
            from_hue(0.55 + hue * 0.3, 0.6, 0.42 - (y - HORIZON) * 0.5),
            [1.0, 0.85, 0.6],
            glint * 0.7,
        );
    }
    let sky = mix(
        from_hue(0.58 + hue * 0.45, 0.3 + hue * 0.5, 0.5 + hue * 0.3),
        from_hue(0.14 - hue * 0.2, 0.65, 0.98),
        y / HORIZON,
    );
    mix(sky, [1.0, 0.93, 0.72], soft_step(0.0, 0.13 - length(x - 0.5, y - 0.5), 0.002))
}

fn stripes(x: f32, y: f32, hue: f32, seed: f32) -> Tone {
    let bend = (y * 4.0 + seed).sin() * 0.06;
    let position = (x + y * 0.5 + bend) * 9.0;
    let band = position.floor();
    let shine = 1.0 - (position - band - 0.5).abs() * 0.4;
    from_hue(hue + (band * 0.37).fract() * 0.22, 0.55, 0.55 + 0.4 * shine * (0.6 + 0.4 * (band * 1.3).sin()))
}

/// A colour by hue (turns of the colour wheel), saturation and brightness.
fn from_hue(hue: f32, saturation: f32, brightness: f32) -> Tone {
    [0.0, 2.0, 4.0].map(|offset: f32| {
        let wheel = ((hue.rem_euclid(1.0) * 6.0 + 6.0 - offset) % 6.0 - 3.0).abs() - 1.0;
        brightness * (1.0 - saturation + saturation * wheel.clamp(0.0, 1.0))
    })
}

fn mix(from: Tone, to: Tone, share: f32) -> Tone {
    let share = share.clamp(0.0, 1.0);
    std::array::from_fn(|part| from[part] + (to[part] - from[part]) * share)
}

/// 0 well below `edge`, 1 well above, rising over twice `softness`.
fn soft_step(edge: f32, value: f32, softness: f32) -> f32 {
    ((value - edge) / (2.0 * softness) + 0.5).clamp(0.0, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn photos_are_opaque_and_clearly_different_from_each_other() {
        for first in 0..PHOTOS as u8 {
            let one = pixels(Picture::Photo(first));
            assert!(one.rgba.iter().skip(3).step_by(4).all(|alpha| *alpha == 255));
            for second in first + 1..PHOTOS as u8 {
                let other = pixels(Picture::Photo(second));
                let apart = one.rgba.iter().zip(&other.rgba).filter(|(a, b)| a.abs_diff(**b) > 16).count();
                assert!(apart * 10 > one.rgba.len(), "{first} and {second} differ in {apart} bytes only");
            }
        }
    }

    #[test]
    fn a_picture_is_made_the_same_each_time() {
        assert_eq!(photo(3), photo(3));
        assert_eq!(pixels(Picture::Photo(3)), &photo(3));
    }

    #[test]
    fn a_number_without_a_photo_starts_over() {
        assert_eq!(pixels(Picture::Photo(12)), pixels(Picture::Photo(0)));
        assert!(!pixels(Picture::Photo(255)).rgba.is_empty());
    }

    #[test]
    fn hues_are_the_colours_they_should_be() {
        assert_eq!(from_hue(0.0, 1.0, 1.0), [1.0, 0.0, 0.0]);
        assert_eq!(from_hue(1.0 / 3.0, 1.0, 1.0).map(to_byte), [0, 255, 0]);
        assert_eq!(from_hue(0.7, 0.0, 0.5), [0.5; 3]);
    }
}
