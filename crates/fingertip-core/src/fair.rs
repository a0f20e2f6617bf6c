//! A fair semaphore: a bounded number of places, shared fairly among clients.
//!
//! Rules: acting goes before looking; among equals each client gets one place in turn, however many of its requests
//! wait; a dropped wait leaves the queue. Acting cannot starve looking. There are no timeouts here: callers bound the wait by
//! their deadline. Needs no runtime, only wakers.

use crate::sync::lock;
use std::collections::{HashMap, VecDeque};
use std::pin::Pin;
use std::sync::{Arc, Mutex, MutexGuard};
use std::task::{Context, Poll, Waker};

/// How many places in a row acting may take while a look waits.
const MAX_ACTING_IN_A_ROW: u32 = 8;

/// On whose behalf something is done, and whether it is part of an action.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Claim {
    /// The client, as a number that is its own; zero is the server itself.
    pub client: u64,
    /// Whether the call acts; what it reads in order to act counts as acting.
    pub acts: bool,
}

/// A bounded number of places. Clones share them.
#[derive(Debug, Clone)]
pub struct Gate(Arc<Shared>);

#[derive(Debug)]
struct Shared {
    places: usize,
    /// How many of them only acting may take.
    reserved: usize,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    taken: usize,
    acting: Round,
    looking: Round,
    acting_in_a_row: u32,
    waiters: HashMap<u64, Waiter>,
    last_ticket: u64,
}

#[derive(Debug, Default)]
struct Waiter {
    waker: Option<Waker>,
    admitted: bool,
}

/// The clients that wait, in the order of their turns, each with its requests in the order they came.
#[derive(Debug, Default)]
struct Round {
    turns: VecDeque<u64>,
    tickets: HashMap<u64, VecDeque<u64>>,
}

impl Round {
    fn push(&mut self, client: u64, ticket: u64) {
        let own = self.tickets.entry(client).or_default();
        if own.is_empty() {
            self.turns.push_back(client);
        }
        own.push_back(ticket);
    }

    fn pop(&mut self) -> Option<u64> {
        let client = self.turns.pop_front()?;
        let own = self.tickets.get_mut(&client)?;
        let ticket = own.pop_front();
        if own.is_empty() {
            self.tickets.remove(&client);
        } else {
            self.turns.push_back(client);
        }
        ticket
    }

    fn remove(&mut self, client: u64, ticket: u64) {
        let Some(own) = self.tickets.get_mut(&client) else { return };
        own.retain(|known| *known != ticket);
        if own.is_empty() {
            self.tickets.remove(&client);
            self.turns.retain(|known| *known != client);
        }
    }

    fn is_empty(&self) -> bool {
        self.turns.is_empty()
    }
}

impl Gate {
    /// A gate with this many places, for any use.
    #[must_use]
    pub fn new(places: usize) -> Self {
        Self::with_reserve(places, 0)
    }

    /// So many places, of which `reserved` are kept for acting.
    #[must_use]
    pub fn with_reserve(places: usize, reserved: usize) -> Self {
        Self(Arc::new(Shared { places, reserved, state: Mutex::default() }))
    }

    /// Waits for a place. Dropping the wait leaves the queue.
    pub fn enter(&self, claim: Claim) -> Entering {
        Entering { gate: self.clone(), claim, ticket: None }
    }

    /// How many wait.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.state().waiters.len()
    }

    /// How many places are taken.
    #[must_use]
    pub fn taken(&self) -> usize {
        self.state().taken
    }

    fn has_room(&self, state: &State, acts: bool) -> bool {
        state.taken < if acts { self.0.places } else { self.0.places - self.0.reserved.min(self.0.places) }
    }

    fn leave(&self) {
        let mut state = self.state();
        state.taken -= 1;
        let woken = self.admit(&mut state);
        drop(state);
        woken.into_iter().for_each(Waker::wake);
    }

    /// Grants free places; returns the wakers of the waits that got one.
    fn admit(&self, state: &mut State) -> Vec<Waker> {
        let mut woken = Vec::new();
        loop {
            let looks = !state.looking.is_empty() && self.has_room(state, false);
            let acts = !state.acting.is_empty() && self.has_room(state, true);
            let acts = acts && !(looks && state.acting_in_a_row >= MAX_ACTING_IN_A_ROW);
            let next = match (acts, looks) {
                (true, _) => {
                    state.acting_in_a_row += 1;
                    state.acting.pop()
                }
                (false, true) => {
                    state.acting_in_a_row = 0;
                    state.looking.pop()
                }
                (false, false) => return woken,
            };
            let Some(waiter) = next.and_then(|ticket| state.waiters.get_mut(&ticket)) else { continue };
            waiter.admitted = true;
            woken.extend(waiter.waker.take());
            state.taken += 1;
        }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        lock(&self.0.state)
    }
}

/// A place that was given; free again when dropped.
#[derive(Debug)]
pub struct Pass(Gate);

impl Drop for Pass {
    fn drop(&mut self) {
        self.0.leave();
    }
}

/// The wait for a place.
#[derive(Debug)]
#[must_use = "a place is granted only while the future is polled"]
pub struct Entering {
    gate: Gate,
    claim: Claim,
    ticket: Option<u64>,
}

impl Future for Entering {
    type Output = Pass;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Pass> {
        let gate = self.gate.clone();
        let mut state = gate.state();
        if let Some(ticket) = self.ticket {
            let Some(waiter) = state.waiters.get_mut(&ticket).filter(|waiter| !waiter.admitted) else {
                state.waiters.remove(&ticket);
                drop(state);
                self.ticket = None;
                return Poll::Ready(Pass(gate));
            };
            waiter.waker = Some(context.waker().clone());
            return Poll::Pending;
        }
        // Waits with priority were admitted when the place became free.
        if gate.has_room(&state, self.claim.acts) {
            state.taken += 1;
            drop(state);
            return Poll::Ready(Pass(gate));
        }
        state.last_ticket += 1;
        let ticket = state.last_ticket;
        state.waiters.insert(ticket, Waiter { waker: Some(context.waker().clone()), admitted: false });
        let round = if self.claim.acts { &mut state.acting } else { &mut state.looking };
        round.push(self.claim.client, ticket);
        drop(state);
        self.ticket = Some(ticket);
        Poll::Pending
    }
}

impl Drop for Entering {
    fn drop(&mut self) {
        let Some(ticket) = self.ticket else { return };
        let mut state = self.gate.state();
        let Some(waiter) = state.waiters.remove(&ticket) else { return };
        if waiter.admitted {
            drop(state);
            // The place was granted, but the wait is dropped before it noticed.
            self.gate.leave();
            return;
        }
        let round = if self.claim.acts { &mut state.acting } else { &mut state.looking };
        round.remove(self.claim.client, ticket);
    }
}

#[cfg(test)]
mod tests {
    use std::task::Wake;

    use super::*;

    struct Nobody;
    impl Wake for Nobody {
        fn wake(self: Arc<Self>) {}
    }

    fn poll(entering: &mut Entering) -> Option<Pass> {
        let waker = Waker::from(Arc::new(Nobody));
        match Pin::new(entering).poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(pass) => Some(pass),
            Poll::Pending => None,
        }
    }

    const fn claim(client: u64, acts: bool) -> Claim {
        Claim { client, acts }
    }

    /// Grants the one place until no wait is left; returns the clients in the order they got it.
    fn order(gate: &Gate, first: Pass, mut waiting: Vec<Entering>) -> Vec<u64> {
        let mut order = Vec::new();
        let mut held = Some(first);
        while !waiting.is_empty() {
            drop(held.take());
            let next = waiting.iter_mut().position(|entering| {
                held = poll(entering);
                held.is_some()
            });
            let next = waiting.remove(next.expect("a free place is granted"));
            order.push(next.claim.client);
            assert_eq!(gate.taken(), 1);
        }
        order
    }

    fn queue(gate: &Gate, claims: impl IntoIterator<Item = Claim>) -> Vec<Entering> {
        let mut entering: Vec<_> = claims.into_iter().map(|claim| gate.enter(claim)).collect();
        assert!(entering.iter_mut().all(|entering| poll(entering).is_none()));
        entering
    }

    #[test]
    fn each_client_gets_one_place_in_turn_however_many_of_its_requests_wait() {
        let gate = Gate::new(1);
        let first = poll(&mut gate.enter(claim(1, false))).expect("a free place");
        let waiting = queue(&gate, [1, 1, 1, 2, 3, 2].map(|client| claim(client, false)));
        assert_eq!(order(&gate, first, waiting), [1, 2, 3, 1, 2, 1]);
        assert_eq!((gate.taken(), gate.waiting()), (0, 0));
    }

    #[test]
    fn acting_goes_first_and_does_not_shut_looking_out() {
        let gate = Gate::new(1);
        let first = poll(&mut gate.enter(claim(1, false))).expect("a free place");
        let looking = std::iter::repeat_n(claim(1, false), 2);
        let waiting = queue(&gate, looking.chain(std::iter::repeat_n(claim(2, true), 10)));
        let order = order(&gate, first, waiting);
        assert_eq!(order[..8], [2; 8]);
        assert_eq!(order[8..], [1, 2, 2, 1]);
    }

    #[test]
    fn places_kept_for_acting_are_free_while_everybody_looks() {
        let gate = Gate::with_reserve(3, 1);
        let looking: Vec<_> = (0..2).filter_map(|_| poll(&mut gate.enter(claim(1, false)))).collect();
        assert_eq!(looking.len(), 2);
        let mut third = gate.enter(claim(1, false));
        assert!(poll(&mut third).is_none());
        assert!(poll(&mut gate.enter(claim(2, true))).is_some());
    }

    #[test]
    fn who_gives_up_leaves_the_queue_and_takes_no_place_along() {
        let gate = Gate::new(1);
        let first = poll(&mut gate.enter(claim(1, false))).expect("a free place");
        let mut waiting = queue(&gate, [1, 2, 3].map(|client| claim(client, false)));
        drop(waiting.remove(0));
        assert_eq!(gate.waiting(), 2);
        drop(first);
        // The place is client 2's now, who goes away without having noticed.
        drop(waiting.remove(0));
        let last = poll(&mut waiting[0]);
        assert!(last.is_some());
        drop(last);
        assert_eq!((gate.taken(), gate.waiting()), (0, 0));
    }

    proptest::proptest! {
        #[test]
        fn no_order_of_steps_loses_a_place(steps in proptest::collection::vec((0_u64..4, proptest::bool::ANY, 0_u8..4), 1..200)) {
            let gate = Gate::with_reserve(3, 1);
            let (mut passes, mut waiting) = (Vec::new(), Vec::new());
            for (client, acts, step) in steps {
                match step {
                    0 | 1 => {
                        let mut entering = gate.enter(claim(client, acts));
                        match poll(&mut entering) {
                            Some(pass) => passes.push(pass),
                            None => waiting.push(entering),
                        }
                    }
                    2 if !passes.is_empty() => drop(passes.remove(client as usize % passes.len())),
                    3 if !waiting.is_empty() => drop(waiting.remove(client as usize % waiting.len())),
                    _ => {}
                }
                waiting.retain_mut(|entering| poll(entering).is_none_or(|pass| { passes.push(pass); false }));
                proptest::prop_assert_eq!(gate.taken(), passes.len());
                proptest::prop_assert_eq!(gate.waiting(), waiting.len());
                proptest::prop_assert!(passes.len() <= 3);
            }
            passes.clear();
            waiting.retain_mut(|entering| poll(entering).is_none());
            waiting.retain_mut(|entering| poll(entering).is_none());
            drop(waiting);
            proptest::prop_assert_eq!((gate.taken(), gate.waiting()), (0, 0));
        }
    }
}
