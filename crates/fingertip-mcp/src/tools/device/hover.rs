//! `hover`.

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
pub(crate) struct Hover;

#[async_trait]
impl Tool for Hover {
    type Input = Spot;

    const DEFINITION: &'static Definition = &Definition {
        name: "hover",
        title: "Hover",
        description: "Rests the mouse pointer on an element or point without pressing, and says what came up: a \
            tooltip, a menu.",
        effect: Effect::Write { destructive: false, idempotent: true },
        needs: Capabilities::SNAPSHOT.union(Capabilities::POINTER),
        params: &[&ELEMENT_ID, &X, &Y],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Spot> {
        pointer::FROM.required(arguments)
    }

    async fn run(spot: Spot, call: &Call) -> Result<Reply> {
        act_at(call, &spot, Act::Hover).await
    }
}
