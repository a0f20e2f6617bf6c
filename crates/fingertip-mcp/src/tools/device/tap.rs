//! `tap`.

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::Capabilities;
use fingertip_core::{Point, Result};

use super::BASE;
use super::shared::{X, Y, point, touch_at};
use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

/// The tool.
pub(crate) struct Tap;

#[async_trait]
impl Tool for Tap {
    type Input = Point;

    const DEFINITION: &'static Definition = &Definition {
        name: "tap",
        title: "Tap",
        description: "Taps a point, whatever is there. Prefer click_element: it hits nothing else.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::TOUCH,
        params: &[&X, &Y],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Point> {
        point(arguments)
    }

    async fn run(point: Point, call: &Call) -> Result<Reply> {
        touch_at(call, point, &Gesture::tap(point)).await?;
        Ok(Reply::done(format!("Tap executed at ({}, {})", point.x, point.y)))
    }
}
