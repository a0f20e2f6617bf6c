//! UiAutomation of the phone, which one tool at a time may have; and the agents that run on it.

use std::sync::{Arc, Mutex};

use tokio::sync::watch;

use crate::lock::lock;

/// Android's own words when a second tool asks.
const TAKEN: &str = "UiAutomationService android.accessibilityservice.IAccessibilityServiceClient$Stub$Proxy@1 already registered!";

/// Who has UiAutomation.
#[derive(Debug)]
pub struct Automation {
    holder: Arc<Mutex<Option<u64>>>,
    kills: watch::Sender<u64>,
    last: Mutex<u64>,
}

impl Default for Automation {
    fn default() -> Self {
        Self { holder: Arc::default(), kills: watch::Sender::new(0), last: Mutex::default() }
    }
}

/// Having it; given back when dropped.
#[derive(Debug)]
pub(crate) struct Lease {
    number: u64,
    holder: Arc<Mutex<Option<u64>>>,
}

impl Automation {
    /// Takes it.
    ///
    /// # Errors
    /// Android's words, when another tool has it.
    pub(crate) fn take(&self, taken_by_others: bool) -> Result<Lease, &'static str> {
        let mut holder = lock(&self.holder);
        if taken_by_others || holder.is_some() {
            return Err(TAKEN);
        }
        let mut last = lock(&self.last);
        *last += 1;
        *holder = Some(*last);
        Ok(Lease { number: *last, holder: Arc::clone(&self.holder) })
    }

    /// Whether an agent has it.
    #[must_use]
    pub fn is_held(&self) -> bool {
        lock(&self.holder).is_some()
    }

    /// Kills every agent that runs.
    pub fn kill_agents(&self) {
        self.kills.send_modify(|count| *count += 1);
    }

    /// Reports kills from now on.
    pub(crate) fn kills(&self) -> watch::Receiver<u64> {
        self.kills.subscribe()
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let mut holder = lock(&self.holder);
        holder.take_if(|holder| *holder == self.number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_tool_at_a_time() {
        let automation = Automation::default();
        let lease = automation.take(false).unwrap();
        assert!(automation.is_held());
        assert!(automation.take(false).unwrap_err().contains("already registered"));
        drop(lease);
        assert!(automation.take(true).is_err());
        assert!(automation.take(false).is_ok());
    }
}
