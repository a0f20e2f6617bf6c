//! The phone of the product: it comes and goes, and nothing else can go wrong. The same functions as `switch.rs`.

use tokio::sync::watch;

use super::{FaultPlan, Presence};

/// Whether the phone is there.
#[derive(Debug, Default)]
pub struct Faults {
    presence: watch::Sender<Presence>,
}

impl Faults {
    /// A plan without faults.
    #[must_use]
    pub fn plan(&self) -> FaultPlan {
        plan_of(*self.presence.borrow())
    }

    /// Changes the presence; the rest of the plan is not kept.
    pub(crate) fn change(&self, change: impl FnOnce(&mut FaultPlan)) {
        let mut plan = self.plan();
        change(&mut plan);
        self.presence.send_replace(plan.presence);
    }

    /// Waits until the plan is as asked.
    pub async fn until(&self, mut reached: impl FnMut(&FaultPlan) -> bool) {
        // The sender lives in `self`, so the wait cannot end for lack of one.
        let _ = self.presence.subscribe().wait_for(|presence| reached(&plan_of(*presence))).await;
    }

    pub(crate) fn wrap<S>(&self, stream: S) -> S {
        stream
    }
}

fn plan_of(presence: Presence) -> FaultPlan {
    FaultPlan { presence, ..FaultPlan::default() }
}
