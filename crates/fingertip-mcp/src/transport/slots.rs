//! How many connections may be open, and which one makes room when there are too many.
//!
//! Strangers, connections that have not shown the token, share a quarter of the places; the rest is for clients. When
//! the strangers' places are taken, a new connection takes the place of an older stranger: first of one that has had
//! its answer, then of the address that holds the most, then of the oldest. A client on the same address as an attacker
//! (on loopback everybody is) thus always gets to show its token.
//!
//! Two kinds of strangers stay: one in its first moment, which may be a client whose request is on its way, and one
//! whose token waits to be checked. Both are soon something else. When all places are held by such, the next
//! connection waits, in order of arrival, in the listener's queue.

use std::{
    collections::HashMap,
    net::SocketAddr,
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use fingertip_core::sync::lock;
use tokio::{sync::Notify, time::Instant};

use super::{
    activity::{Activity, Worth},
    limits::HttpLimits,
    throttle::network_of,
};

/// One in this many places can be a stranger's.
const STRANGERS_SHARE: usize = 4;

/// Shortest pause between two looks for a place.
const SHORTEST_PAUSE: Duration = Duration::from_millis(5);

#[derive(Debug)]
struct Open {
    activity: Arc<Activity>,
    is_stranger: bool,
}

#[derive(Debug, Default)]
struct Table {
    open: HashMap<u64, Open>,
    strangers: usize,
    last_number: u64,
}

/// The open connections.
#[derive(Debug)]
pub(crate) struct Slots {
    limit: usize,
    strangers: usize,
    grace: Duration,
    table: Mutex<Table>,
    changed: Notify,
}

impl Slots {
    pub(crate) fn new(limits: &HttpLimits) -> Self {
        Self {
            limit: limits.connections.max(1),
            strangers: (limits.connections / STRANGERS_SHARE).max(1),
            grace: limits.stranger_grace,
            table: Mutex::default(),
            changed: Notify::new(),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        lock(&self.table)
    }

    /// A place for a new connection, as soon as there is one.
    pub(crate) async fn admit(self: &Arc<Self>, peer: SocketAddr) -> Slot {
        loop {
            if let Some(slot) = self.try_admit(peer) {
                return slot;
            }
            // A stranger that grows old enough to be evicted causes no event.
            tokio::select! {
                () = self.changed.notified() => {}
                () = tokio::time::sleep((self.grace / 4).max(SHORTEST_PAUSE)) => {}
            }
        }
    }

    fn try_admit(self: &Arc<Self>, peer: SocketAddr) -> Option<Slot> {
        let mut table = self.table();
        if table.strangers >= self.strangers || table.open.len() >= self.limit {
            let full = table.open.len() >= self.limit;
            let victim = self.victim(&table, full)?;
            tracing::debug!(peer = %victim.peer, "closing a connection to make room for a new one");
            table.remove(victim.number);
            victim.evict();
        }
        table.last_number += 1;
        table.strangers += 1;
        let activity = Arc::new(Activity::new(table.last_number, peer, self.clone()));
        table.open.insert(activity.number, Open { activity: activity.clone(), is_stranger: true });
        Some(Slot { activity, slots: self.clone() })
    }

    fn victim(&self, table: &Table, full: bool) -> Option<Arc<Activity>> {
        let now = Instant::now();
        let mut held: HashMap<_, usize> = HashMap::new();
        for stranger in table.open.values().filter(|open| open.is_stranger) {
            *held.entry(network_of(stranger.activity.peer.ip())).or_default() += 1;
        }
        let candidates = table.open.values().filter_map(|Open { activity, .. }| {
            let (worth, since) = activity.worth();
            let may_go = match worth {
                Worth::Answered => true,
                Worth::Unknown => now.duration_since(since) >= self.grace,
                // A client makes room only where strangers are not what fills the table.
                Worth::Idle => {
                    full && table.strangers < self.strangers && now.duration_since(since) >= self.grace
                }
                Worth::Kept => false,
            };
            let network = held.get(&network_of(activity.peer.ip())).copied().unwrap_or_default();
            may_go.then_some((worth, std::cmp::Reverse(network), since, activity))
        });
        let first = candidates.min_by_key(|(worth, network, since, _)| (*worth, *network, *since));
        first.map(|(_, _, _, activity)| activity.clone())
    }

    /// The connection of this number has shown the token.
    pub(crate) fn authenticated(&self, number: u64) {
        let mut table = self.table();
        let was_stranger =
            table.open.get_mut(&number).is_some_and(|open| std::mem::take(&mut open.is_stranger));
        table.strangers -= usize::from(was_stranger);
        drop(table);
        self.changed();
    }

    /// Those who wait for a place should look again.
    pub(crate) fn changed(&self) {
        self.changed.notify_one();
    }
}

impl Table {
    fn remove(&mut self, number: u64) {
        let removed = self.open.remove(&number);
        self.strangers -= usize::from(removed.is_some_and(|open| open.is_stranger));
    }
}

/// The place of one connection, given back when dropped.
#[derive(Debug)]
pub(crate) struct Slot {
    pub(crate) activity: Arc<Activity>,
    slots: Arc<Slots>,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.slots.table().remove(self.activity.number);
        self.slots.changed();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(connections: usize) -> Arc<Slots> {
        let limits = HttpLimits { connections, stranger_grace: Duration::ZERO, ..HttpLimits::default() };
        Arc::new(Slots::new(&limits))
    }

    fn peer(last: u8) -> SocketAddr {
        SocketAddr::from(([192, 0, 2, last], 1000))
    }

    fn is_open(slots: &Slots, slot: &Slot) -> bool {
        slots.table().open.contains_key(&slot.activity.number)
    }

    fn counts(slots: &Slots) -> (usize, usize) {
        let table = slots.table();
        (table.open.len(), table.strangers)
    }

    #[tokio::test]
    async fn strangers_make_room_for_each_other_and_never_take_a_clients_place() {
        let slots = slots(8);
        let client = slots.admit(peer(1)).await;
        client.activity.authenticate();
        let first = slots.admit(peer(1)).await;
        let second = slots.admit(peer(1)).await;
        let third = slots.admit(peer(1)).await;
        assert!(!is_open(&slots, &first));
        assert!(is_open(&slots, &second) && is_open(&slots, &third) && is_open(&slots, &client));
        assert_eq!(counts(&slots), (3, 2));
        drop((first, second, third, client));
        assert_eq!(counts(&slots), (0, 0));
    }

    #[tokio::test]
    async fn the_answered_and_the_crowded_address_go_first() {
        let slots = slots(12);
        let alone = slots.admit(peer(1)).await;
        let crowd = [slots.admit(peer(2)).await, slots.admit(peer(2)).await];
        let _fourth = slots.admit(peer(3)).await;
        assert!(is_open(&slots, &alone) && !is_open(&slots, &crowd[0]));
        alone.activity.refused();
        let _fifth = slots.admit(peer(4)).await;
        assert!(!is_open(&slots, &alone) && is_open(&slots, &crowd[1]));
    }

    #[tokio::test(start_paused = true)]
    async fn a_token_that_waits_for_its_check_keeps_its_place() {
        let slots = slots(4);
        let waiting = slots.admit(peer(1)).await;
        let queued = waiting.activity.queue();
        let next = tokio::time::timeout(Duration::from_secs(1), slots.admit(peer(2))).await;
        assert!(next.is_err() && is_open(&slots, &waiting));
        drop(queued);
        let _next = slots.admit(peer(2)).await;
        assert!(!is_open(&slots, &waiting));
    }

    #[tokio::test]
    async fn a_full_table_of_clients_gives_up_the_one_idle_longest() {
        let slots = slots(4);
        let mut clients = Vec::new();
        for _ in 0..4 {
            let slot = slots.admit(peer(1)).await;
            slot.activity.authenticate();
            clients.push(slot);
        }
        let busy = clients[0].activity.begin();
        let _next = slots.admit(peer(1)).await;
        let open: Vec<bool> = clients.iter().map(|slot| is_open(&slots, slot)).collect();
        assert_eq!(open, [true, false, true, true]);
        drop(busy);
    }
}
