//! `drag`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::target::Capabilities;

use super::BASE;
use super::pointer::{self, ELEMENT_ID, TO_ELEMENT_ID, TO_X, TO_Y, X, Y};
use crate::call::Call;
use crate::interact::Spot;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

/// The tool.
pub(crate) struct Drag;

/// From where to where.
pub(crate) struct Input {
    from: Spot,
    to: Spot,
}

#[async_trait]
impl Tool for Drag {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "drag",
        title: "Drag",
        description: "Drags from an element or point to another and drops there: moves an item, a file, a slider. If the \
            place to drop on is covered by then, nothing is dropped. Says what changed.",
        effect: Effect::Write { destructive: true, idempotent: false },
        needs: Capabilities::SNAPSHOT.union(Capabilities::TOUCH),
        params: &[&ELEMENT_ID, &X, &Y, &TO_ELEMENT_ID, &TO_X, &TO_Y],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        Ok(Input { from: pointer::FROM.required(arguments)?, to: pointer::TO.required(arguments)? })
    }

    async fn run(Input { from, to }: Input, call: &Call) -> Result<Reply> {
        pointer::drag(call, &from, &to).await
    }
}
