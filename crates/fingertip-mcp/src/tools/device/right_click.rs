//! `right_click`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::Capabilities;

use super::BASE;
use super::pointer::{self, Act, ELEMENT_ID, X, Y, act_at};
use crate::call::Call;
use crate::interact::Spot;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

/// The tool.
pub(crate) struct RightClick;

#[async_trait]
impl Tool for RightClick {
    type Input = Spot;

    const DEFINITION: &'static Definition = &Definition {
        name: "right_click",
        title: "Right click",
        description: "Presses the right mouse button on an element (checked as by click_element) or point, and \
            says which menu opened.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::SNAPSHOT.union(Capabilities::POINTER),
        params: &[&ELEMENT_ID, &X, &Y],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Spot> {
        pointer::FROM.required(arguments)
    }

    async fn run(spot: Spot, call: &Call) -> Result<Reply> {
        act_at(call, &spot, Act::RightClick).await
    }
}
