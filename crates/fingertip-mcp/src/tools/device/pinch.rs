//! `pinch`.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Capabilities, Expected};
use fingertip_core::{Point, Result};

use super::BASE;
use super::shared::{coordinate, duration, limit_beside, milliseconds, must_be_on_screen};
use crate::call::Call;
use crate::params::{Arguments, Number};
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

/// The strongest pinch: beyond it two fingers do not fit on any screen.
const MAX_SCALE: f64 = 100.0;

const CENTER_X: Number = coordinate("center_x", "Center X in pixels").as_x();
const CENTER_Y: Number = coordinate("center_y", "Center Y in pixels").as_y();
const SCALE: Number = Number::required("scale", "Scale factor (> 0; > 1 = zoom in, < 1 = zoom out)")
    .above(0.0)
    .at_most(MAX_SCALE);
const DURATION: Number = duration("Gesture duration in ms (1-60000)", 300.0);

/// The tool.
pub(crate) struct Pinch;

/// Where, how strongly, in how many milliseconds.
pub(crate) struct Input {
    center: Point,
    scale: f64,
    duration: f64,
}

#[async_trait]
impl Tool for Pinch {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "pinch",
        title: "Pinch",
        description: "Zooms with two fingers around a point: a scale above 1 spreads them (zoom in), below 1 \
            brings them together (zoom out).",
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::MULTI_TOUCH,
        params: &[&CENTER_X, &CENTER_Y, &SCALE, &DURATION],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        let center = Point::new(CENTER_X.read(arguments)?, CENTER_Y.read(arguments)?);
        Ok(Input { center, scale: SCALE.read(arguments)?, duration: DURATION.read(arguments)? })
    }

    fn time_limit(input: &Input) -> Duration {
        limit_beside(milliseconds(input.duration))
    }

    fn charge(input: &Input) -> Charge {
        Charge::Touches(vec![Duration::ZERO; 2], milliseconds(input.duration))
    }

    async fn run(Input { center, scale, duration }: Input, call: &Call) -> Result<Reply> {
        let screen = must_be_on_screen(call, &[(center, "center_x", "center_y")]).await?;
        let gesture = Gesture::pinch(center, scale, milliseconds(duration), screen.bounds())?;
        call.touch()?.gesture(&gesture, &Expected::anyone(), call.deadline()).await?;
        let zoom = if scale >= 1.0 { "in" } else { "out" };
        Ok(Reply::done(format!(
            "Pinch (zoom {zoom}) executed at ({}, {}) with scale {scale:?} over {duration}ms",
            center.x, center.y
        )))
    }
}
