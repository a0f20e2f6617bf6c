//! `scroll_to_element`.

use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::target::Capabilities;
use fingertip_core::{NodeId, Result};

use super::BASE;
use super::shared;
use crate::call::Call;
use crate::interact::{MAX_SCROLLS, Revealed, reveal};
use crate::params::{Arguments, ElementId};
use crate::policy::rate_limit::Charge;
use crate::reply::Reply;
use crate::tool::{Definition, Effect, TIME_LIMIT, Tool};

/// What one scroll and the look after it may add to the usual time.
const EACH_SCROLL: Duration = Duration::from_secs(5);

/// What is to be seen need not be yet.
const ELEMENT_ID: ElementId = shared::ELEMENT_ID.out_of_view_too();

/// The tool.
pub(crate) struct ScrollToElement;

#[async_trait]
impl Tool for ScrollToElement {
    type Input = NodeId;

    const DEFINITION: &'static Definition = &Definition {
        name: "scroll_to_element",
        title: "Scroll to element",
        description: "Scrolls the list around an element until it is in view, in either direction, five scrolls \
            at the most. Works for an element that was seen before and has left the screen.",
        effect: Effect::Write { destructive: false, idempotent: true },
        needs: Capabilities::SNAPSHOT.union(Capabilities::TOUCH),
        params: &[&ELEMENT_ID],
        ..BASE
    };

    fn parse(arguments: Arguments<'_>) -> Result<NodeId> {
        ELEMENT_ID.read(arguments)
    }

    fn time_limit(_id: &NodeId) -> Duration {
        TIME_LIMIT + EACH_SCROLL * MAX_SCROLLS
    }

    /// How many scrolls it takes is not known before, so all of them are charged.
    fn charge(_id: &NodeId) -> Charge {
        Charge::Steps(MAX_SCROLLS)
    }

    async fn run(id: NodeId, call: &Call) -> Result<Reply> {
        Ok(Reply::text(match reveal(call, id).await? {
            Revealed::Already => format!("Element '{id}' is already visible"),
            Revealed::Natively => format!("Scrolled to element '{id}' (1 scroll(s))"),
            Revealed::After(scrolls) => format!("Scrolled to element '{id}' ({scrolls} scroll(s))"),
        }))
    }
}
