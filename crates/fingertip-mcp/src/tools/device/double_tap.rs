//! `double_tap`.

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::Capabilities;
use fingertip_core::{Point, Result};

use super::BASE;
use super::shared::{X, Y, point, touch_at};
use crate::call::Call;
use crate::params::Arguments;
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

/// The tool.
pub(crate) struct DoubleTap;

#[async_trait]
impl Tool for DoubleTap {
    type Input = Point;

    const DEFINITION: &'static Definition = &Definition {
        name: "double_tap",
        title: "Double tap",
        description: "Taps twice in quick succession at a point of the screen, as to zoom or to select a word.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::TOUCH,
        params: &[&X, &Y],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Point> {
        point(arguments)
    }

    fn charge(point: &Point) -> Charge {
        Charge::gesture(&Gesture::double_tap(*point))
    }

    async fn run(point: Point, call: &Call) -> Result<Reply> {
        touch_at(call, point, &Gesture::double_tap(point)).await?;
        Ok(Reply::done(format!("Double tap executed at ({}, {})", point.x, point.y)))
    }
}
