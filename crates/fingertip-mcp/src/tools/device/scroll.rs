//! `scroll`.

use async_trait::async_trait;
use fingertip_core::gesture::{Amount, Gesture};
use fingertip_core::target::{Capabilities, Direction, Expected, NodeAction};
use fingertip_core::{Error, NodeIndex, Reason, Result};

use super::BASE;
use super::pointer::{self, ELEMENT_ID, X, Y};
use crate::call::Call;
use crate::interact::Spot;
use crate::params::{Arguments, Choice};
use crate::reply::Reply;
use crate::tool::{Definition, Effect, Tool};

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
    "small 25%, medium 50%, large 75% of what is scrolled",
    &[
        (Amount::Small.name(), Amount::Small),
        (Amount::Medium.name(), Amount::Medium),
        (Amount::Large.name(), Amount::Large),
    ],
)
.or(Amount::Medium.name());

/// The tool.
pub(crate) struct Scroll;

/// Which way, how far, and where.
pub(crate) struct Input {
    direction: Direction,
    amount: Amount,
    spot: Option<Spot>,
}

#[async_trait]
impl Tool for Scroll {
    type Input = Input;

    const DEFINITION: &'static Definition = &Definition {
        name: "scroll",
        title: "Scroll",
        description: "Scrolls the screen, or what is at an element or point, without a fling.",
        effect: Effect::Write { destructive: false, idempotent: false },
        needs: Capabilities::TOUCH,
        params: &[&DIRECTION, &AMOUNT, &ELEMENT_ID, &X, &Y],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<Input> {
        Ok(Input {
            direction: DIRECTION.read(arguments)?,
            amount: AMOUNT.read(arguments)?,
            spot: pointer::FROM.read(arguments)?,
        })
    }

    async fn run(Input { direction, amount, spot }: Input, call: &Call) -> Result<Reply> {
        if let Some(spot) = spot {
            let moved = pointer::scroll_at(call, &spot, direction, amount).await?;
            let ended = if moved { "" } else { "; nothing moved, it may be at its end" };
            let text = format!("Scroll {} ({}) executed at {spot}{ended}", direction.name(), amount.name());
            return Ok(Reply::text(text));
        }
        if !call.kind().reads_whole_screen() {
            return turn(call, direction, amount).await;
        }
        let screen = call.screen().await?;
        let gesture = Gesture::scroll(screen.bounds(), direction, amount);
        call.touch()?.gesture(&gesture, &Expected::anyone(), call.deadline()).await?;
        Ok(Reply::done(format!("Scroll {} ({}) executed", direction.name(), amount.name())))
    }
}

/// Scrolls what is in front natively, as a wheel does: the screen of a desktop is no list, and a pointer that is dragged
/// over it selects, moves or hits what lies beside the window.
async fn turn(call: &Call, direction: Direction, amount: Amount) -> Result<Reply> {
    let snapshot = call.look().await?;
    let action = NodeAction::Scroll(direction);
    let front = snapshot.focused_window();
    let scrolls = |index: &NodeIndex| {
        front == Some(snapshot.window_of(*index)) && call.can_act(&snapshot, *index, &action)
    };
    let size = |index: &NodeIndex| {
        let bounds = snapshot.node(*index).bounds;
        i64::from(bounds.width()) * i64::from(bounds.height())
    };
    let Some(largest) = snapshot.indices().filter(scrolls).max_by_key(size) else {
        return Err(Error::new(
            Reason::ActionFailed,
            "Nothing that is in front can be scrolled; nothing was done.",
        )
        .with_guidance("Bring a window to the front, or use scroll_to_element."));
    };
    for _ in 0..turns(amount) {
        call.elements()?.act(&snapshot, largest, &action, call.deadline()).await?;
    }
    Ok(Reply::done(format!("Scroll {} ({}) executed", direction.name(), amount.name())))
}

/// How often the wheel is turned.
const fn turns(amount: Amount) -> usize {
    match amount {
        Amount::Small => 1,
        Amount::Medium => 2,
        Amount::Large => 3,
    }
}
