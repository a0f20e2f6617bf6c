//! `double_click`.

use async_trait::async_trait;
use fingertip_core::Point;
use fingertip_core::Result;
use fingertip_core::gesture::Gesture;
use fingertip_core::target::Capabilities;

use super::BASE;
use super::pointer::{self, Act, ELEMENT_ID, X, Y, act_at};
use crate::call::Call;
use crate::interact::Spot;
use crate::params::Arguments;
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

/// The tool.
pub(crate) struct DoubleClick;

#[async_trait]
impl Tool for DoubleClick {
    type Input = Spot;

    const DEFINITION: &'static Definition = &Definition {
        name: "double_click",
        title: "Double click",
        description: "Clicks twice on an element (checked as by click_element) or point, as to open a file or select \
            a word, and says what changed.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::SNAPSHOT.union(Capabilities::TOUCH),
        params: &[&ELEMENT_ID, &X, &Y],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Spot> {
        pointer::FROM.required(arguments)
    }

    fn charge(_spot: &Spot) -> Charge {
        Charge::gesture(&Gesture::double_tap(Point::new(0.0, 0.0)))
    }

    async fn run(spot: Spot, call: &Call) -> Result<Reply> {
        act_at(call, &spot, Act::DoubleClick).await
    }
}
