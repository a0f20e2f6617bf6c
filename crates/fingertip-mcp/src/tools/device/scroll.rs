//! `scroll`.

use async_trait::async_trait;
use fingertip_core::Result;
use fingertip_core::gesture::{Amount, Gesture};
use fingertip_core::target::{Capabilities, Direction};

use crate::call::Call;
use crate::params::{Arguments, Choice};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool, Toolset};

const DIRECTION: Choice<Direction> = Choice::required(
    "direction",
    "Where to go: 'down' shows what is further down",
    &[
        (Direction::Up.name(), Direction::Up),
        (Direction::Down.name(), Direction::Down),
        (Direction::Left.name(), Direction::Left),
        (Direction::Right.name(), Direction::Right),
    ],
);
const AMOUNT: Choice<Amount> = Choice::required(
    "amount",
    "How far: small (25%), medium (50%) or large (75%) of the screen",
    &[
        (Amount::Small.name(), Amount::Small),
        (Amount::Medium.name(), Amount::Medium),
        (Amount::Large.name(), Amount::Large),
    ],
)
.or(Amount::Medium.name());

/// The tool.
pub struct Scroll;

/// Which way and how far.
pub struct Input {
    direction: Direction,
    amount: Amount,
}

#[async_trait]
impl Tool for Scroll {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "scroll",
        title: "Scroll",
        description: "Scrolls the screen by a known part of its size, without a fling. To bring a known \
            element into view use scroll_to_element.",
        toolset: Toolset::Device,
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::TOUCH,
        params: &[&DIRECTION, &AMOUNT],
        output: None,
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        Ok(Input { direction: DIRECTION.read(arguments)?, amount: AMOUNT.read(arguments)? })
    }

    async fn run(Input { direction, amount }: Input, call: &Call) -> Result<Reply> {
        let screen = call.screen().await?;
        let gesture = Gesture::scroll(screen.bounds(), direction, amount);
        call.target().gesture(&gesture, call.deadline()).await?;
        Ok(Reply::text(format!("Scroll {} ({}) executed", direction.name(), amount.name())))
    }
}
