//! `swipe`.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Capabilities, Expected};
use fingertip_core::{Point, Result};

use super::BASE;
use super::shared::{coordinate, duration, limit_beside, milliseconds, must_be_on_screen};
use crate::call::Call;
use crate::params::{Arguments, Number};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const X1: Number = coordinate("x1", "Start X in pixels").as_x();
const Y1: Number = coordinate("y1", "Start Y in pixels").as_y();
const X2: Number = coordinate("x2", "End X in pixels").as_x();
const Y2: Number = coordinate("y2", "End Y in pixels").as_y();
const DURATION: Number = duration("Swipe duration in ms (1-60000)", 300.0);

/// The tool.
pub(crate) struct Swipe;

/// From where to where, in how many milliseconds.
pub(crate) struct Input {
    from: Point,
    to: Point,
    duration: f64,
}

#[async_trait]
impl Tool for Swipe {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "swipe",
        title: "Swipe",
        description: "Moves one finger in a straight line between two points. A fast swipe flings; to move \
            through a list by a known distance use scroll.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::TOUCH,
        params: &[&X1, &Y1, &X2, &Y2, &DURATION],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        let from = Point::new(X1.read(arguments)?, Y1.read(arguments)?);
        let to = Point::new(X2.read(arguments)?, Y2.read(arguments)?);
        Ok(Input { from, to, duration: DURATION.read(arguments)? })
    }

    fn time_limit(input: &Input) -> Duration {
        limit_beside(milliseconds(input.duration))
    }

    async fn run(Input { from, to, duration }: Input, call: &Call) -> Result<Reply> {
        must_be_on_screen(call, &[(from, "x1", "y1"), (to, "x2", "y2")]).await?;
        call.touch()?
            .gesture(&Gesture::swipe(from, to, milliseconds(duration)), &Expected::anyone(), call.deadline())
            .await?;
        Ok(Reply::done(format!(
            "Swipe executed from ({}, {}) to ({}, {}) over {duration}ms",
            from.x, from.y, to.x, to.y
        )))
    }
}
