//! The screen as real pixels: turns a [`Scene`] into a [`Bitmap`].
//!
//! Rules: the same scene gives the same bytes; every shape stays inside its clip (a shadow, at the clip's own edge, may
//! leave it); no scene, however broken, makes it
//! panic. A screenshot is taken on nearly every call of an agent, so speed counts: letters and pictures are made once
//! and kept, and large areas are plain fills. Brightness is left out, as a real screenshot leaves it out.
//!
//! Not here: layout (the model says where everything is), and the formats of `screencap`.

mod bitmap;
mod canvas;
mod icons;
mod kept;
mod pictures;
mod shape;
mod stretch;
mod text;

pub use bitmap::Bitmap;

use crate::phone::Rect;
use crate::phone::scene::{Color, Item, Layer, Scene, Shape};
use canvas::{Canvas, Rgba};
use text::Type;

/// Behind every window, and all there is when the screen is off.
const BLACK: Rgba = [0, 0, 0, 255];

/// The darkest part of a shadow.
const SHADOW: Rgba = [0, 0, 0, 64];

/// How far a shadow reaches, as a multiple of the elevation.
const SHADOW_REACH: f32 = 1.2;

/// The longest distance from the origin that is computed with, in pixels; what lies farther is brought here. It leaves
/// room for sums of coordinates, and no screen comes near it.
const REACH: i32 = 1 << 20;

/// Draws what is on the screen.
#[must_use]
pub fn draw(scene: &Scene) -> Bitmap {
    let mut canvas = Canvas::new(scene.width, scene.height);
    canvas.fill(canvas.bounds(), BLACK);
    if scene.awake {
        for layer in &scene.layers {
            draw_layer(&mut canvas, layer);
        }
    }
    canvas.into_bitmap()
}

fn draw_layer(canvas: &mut Canvas, layer: &Layer) {
    canvas.set_clip(canvas.bounds());
    if let Some(scrim) = layer.scrim {
        canvas.fill(canvas.bounds(), rgba(scrim));
    }
    if layer.secure {
        canvas.fill(area(layer.bounds), BLACK);
        return;
    }
    for item in &layer.items {
        draw_item(canvas, item);
    }
}

fn draw_item(canvas: &mut Canvas, item: &Item) {
    canvas.set_clip(area(item.clip));
    match &item.shape {
        Shape::Fill { bounds, color, radius, elevation } => {
            let (bounds, radius) = (area(*bounds), length(*radius));
            let blur = length(elevation * SHADOW_REACH).ceil() as i32;
            if blur > 0 {
                canvas.set_clip(shadow_clip(area(item.clip), bounds, blur));
                canvas.shadow(bounds, radius, blur, SHADOW);
                canvas.set_clip(area(item.clip));
            }
            canvas.fill_rounded(bounds, radius, rgba(*color));
        }
        Shape::Outline { bounds, color, radius, width } => {
            canvas.outline_rounded(area(*bounds), length(*radius), length(*width), rgba(*color));
        }
        Shape::Text { text, x, baseline, size, color, bold } => {
            let kind = Type::new(*size, *bold);
            canvas.text(text, coordinate(*x), coordinate(*baseline), kind, rgba(*color));
        }
        Shape::Icon { icon, bounds, color } => canvas.icon(area(*bounds), *icon, rgba(*color)),
        Shape::Picture { picture, bounds } => canvas.stretch(area(*bounds), pictures::pixels(*picture)),
        Shape::Caret { bounds, color } | Shape::Selection { bounds, color } => {
            canvas.fill(area(*bounds), rgba(*color));
        }
        Shape::Pressed { bounds, color, radius } => {
            canvas.fill_rounded(area(*bounds), length(*radius), rgba(*color));
        }
    }
}

/// Where a shadow may fall. It lies outside the shape that casts it, so a clip that just encloses the shape would hide it:
/// it may leave the clip on the sides where the clip cuts nothing off the shape.
fn shadow_clip(clip: Rect, shape: Rect, blur: i32) -> Rect {
    // The shadow is dropped downwards, so below it needs more than the blur.
    let reach = blur * 2;
    Rect::new(
        if clip.left == shape.left { clip.left - reach } else { clip.left },
        if clip.top == shape.top { clip.top - reach } else { clip.top },
        if clip.right == shape.right { clip.right + reach } else { clip.right },
        if clip.bottom == shape.bottom { clip.bottom + reach } else { clip.bottom },
    )
}

fn rgba(color: Color) -> Rgba {
    let [alpha, red, green, blue] = color.0.to_be_bytes();
    [red, green, blue, alpha]
}

/// A rectangle with its edges within [`REACH`].
fn area(bounds: Rect) -> Rect {
    let edge = |edge: i32| edge.clamp(-REACH, REACH);
    Rect::new(edge(bounds.left), edge(bounds.top), edge(bounds.right), edge(bounds.bottom))
}

/// A coordinate within [`REACH`]; NaN is 0.
fn coordinate(value: f32) -> f32 {
    if value.is_nan() { 0.0 } else { value.clamp(-REACH as f32, REACH as f32) }
}

/// A length from 0 to [`REACH`].
fn length(value: f32) -> f32 {
    coordinate(value).max(0.0)
}

#[cfg(test)]
mod tests;
