//! `tap`.

use async_trait::async_trait;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::{Capabilities, Expected};
use fingertip_core::{Point, Result};

use super::BASE;
use super::shared::{coordinate, must_be_on_screen};
use crate::call::Call;
use crate::params::{Arguments, Number};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

const X: Number = coordinate("x", "X in pixels").as_x();
const Y: Number = coordinate("y", "Y in pixels").as_y();

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
        Ok(Point::new(X.read(arguments)?, Y.read(arguments)?))
    }

    async fn run(point: Point, call: &Call) -> Result<Reply> {
        must_be_on_screen(call, &[(point, "x", "y")]).await?;
        call.touch()?.gesture(&Gesture::tap(point), &Expected::anyone(), call.deadline()).await?;
        Ok(Reply::text(format!("Tap executed at ({}, {})", point.x, point.y)))
    }
}
