//! `long_press`.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::Capabilities;
use fingertip_core::{Point, Result};

use super::BASE;
use super::shared::{X, Y, duration, limit_beside, milliseconds, point, touch_at};
use crate::call::Call;
use crate::params::{Arguments, Number};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const DURATION: Number = duration("Press duration in ms (1-60000)", 1000.0);

/// The tool.
pub(crate) struct LongPress;

/// Where, and for how many milliseconds.
pub(crate) struct Input {
    point: Point,
    duration: f64,
}

#[async_trait]
impl Tool for LongPress {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "long_press",
        title: "Long press",
        description: "Presses and holds a point of the screen, as to open a context menu. Prefer \
            long_click_element when the element has an id.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::TOUCH,
        params: &[&X, &Y, &DURATION],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        Ok(Input { point: point(arguments)?, duration: DURATION.read(arguments)? })
    }

    fn time_limit(input: &Input) -> Duration {
        limit_beside(milliseconds(input.duration))
    }

    async fn run(Input { point, duration }: Input, call: &Call) -> Result<Reply> {
        touch_at(call, point, &Gesture::long_press(point, milliseconds(duration))).await?;
        Ok(Reply::done(format!("Long press executed at ({}, {}) for {duration}ms", point.x, point.y)))
    }
}
