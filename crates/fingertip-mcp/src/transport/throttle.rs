//! Slows down clients that keep presenting wrong tokens, one address at a time, in two ways.
//!
//! Before the check: an address with more than a few failures has so many checks a second and no more, in order of
//! arrival. A guesser cannot learn faster than that, however many connections it opens. A right token waits in
//! the same line, or the wait would give the wrong ones away; so a client on the address of a guesser may wait for its
//! *first* request on a connection, at most as long as the strangers' places of [`Slots`](super::slots::Slots) take to be
//! checked: a connection stands in line once, and one that is closed leaves it, as if it had never come. A connection that
//! has shown the token never waits.
//!
//! After the check: each failure beyond the free ones is answered later than the one before, up to a limit. The wait is
//! spent by the failing request alone, and only so many wait at once.
//!
//! Requests from other addresses are not touched, the table of addresses is bounded, and a success does not clear the
//! count: a guesser who shares an address with an honest client gains nothing from it.

use std::{
    collections::HashMap,
    net::{IpAddr, Ipv4Addr, Ipv6Addr},
    sync::{Arc, Mutex, MutexGuard},
    time::Duration,
};

use fingertip_core::sync::lock;
use tokio::sync::Semaphore;
use tokio::time::Instant;

/// How failures are slowed down. The defaults are the product's; tests shorten them.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ThrottleLimits {
    /// Failures answered at once: a mistyped token should not punish.
    pub free_failures: u32,
    /// Tokens checked a second for an address with more failures than that.
    pub checks_per_second: u32,
    /// Wait for the first failure beyond the free ones; doubled for each further one.
    pub first_delay: Duration,
    /// Longest wait.
    pub max_delay: Duration,
    /// Requests that may wait at the same time; further ones are turned away with status 429.
    pub waiting: usize,
    /// Addresses remembered; the one that failed longest ago is dropped first.
    pub addresses: usize,
    /// An address with no failure for this long starts afresh.
    pub forget_after: Duration,
}

impl Default for ThrottleLimits {
    fn default() -> Self {
        Self {
            free_failures: 5,
            checks_per_second: 128,
            first_delay: Duration::from_millis(100),
            max_delay: Duration::from_secs(2),
            waiting: 64,
            addresses: 1024,
            forget_after: Duration::from_secs(15 * 60),
        }
    }
}

/// What happened to a failing request.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    /// It waited its time (perhaps none) and may be answered.
    Waited,
    /// Too many others wait already.
    Full,
}

#[derive(Debug)]
struct Failures {
    count: u32,
    last: Instant,
    /// When the next token of this address may be checked.
    next_check: Instant,
    /// Who waits for that, in order of arrival. Only the first in line moves the time on.
    line: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Debug)]
pub(crate) struct Throttle {
    limits: ThrottleLimits,
    failures: Mutex<HashMap<IpAddr, Failures>>,
    waiting: Semaphore,
}

impl Throttle {
    pub(crate) fn new(limits: ThrottleLimits) -> Self {
        let waiting = Semaphore::new(limits.waiting);
        Self { limits, failures: Mutex::default(), waiting }
    }

    /// Waits until a token of `peer` may be checked. Dropping this leaves the line.
    pub(crate) async fn turn(&self, peer: IpAddr) {
        let Some(line) = self.line(peer) else { return };
        let _first = line.lock().await;
        while let Some(at) = self.take_check(peer, Instant::now()) {
            tokio::time::sleep_until(at).await;
        }
    }

    /// Where checks of this address wait; `None` where they need not.
    fn line(&self, peer: IpAddr) -> Option<Arc<tokio::sync::Mutex<()>>> {
        let failures = self.failures();
        let entry = failures.get(&network_of(peer))?;
        (entry.count > self.limits.free_failures).then(|| Arc::clone(&entry.line))
    }

    /// Takes the next check of this address, or says when there is one.
    fn take_check(&self, peer: IpAddr, now: Instant) -> Option<Instant> {
        let mut failures = self.failures();
        // An address that was forgotten meanwhile starts afresh.
        let entry = failures.get_mut(&network_of(peer))?;
        if entry.next_check > now {
            return Some(entry.next_check);
        }
        entry.next_check = now + self.interval();
        None
    }

    /// The token was right: its check is not counted.
    pub(crate) fn succeed(&self, peer: IpAddr) {
        if let Some(entry) = self.failures().get_mut(&network_of(peer))
            && entry.count > self.limits.free_failures
        {
            entry.next_check = entry.next_check.checked_sub(self.interval()).unwrap_or(entry.next_check);
        }
    }

    fn interval(&self) -> Duration {
        Duration::from_secs(1) / self.limits.checks_per_second.max(1)
    }

    fn failures(&self) -> MutexGuard<'_, HashMap<IpAddr, Failures>> {
        lock(&self.failures)
    }

    /// Counts one failure of `peer` and waits as long as it has earned.
    pub(crate) async fn fail(&self, peer: IpAddr) -> Verdict {
        let delay = self.count(peer, Instant::now());
        if delay.is_zero() {
            return Verdict::Waited;
        }
        let Ok(_slot) = self.waiting.try_acquire() else {
            return Verdict::Full;
        };
        tokio::time::sleep(delay).await;
        Verdict::Waited
    }

    fn count(&self, peer: IpAddr, now: Instant) -> Duration {
        let key = network_of(peer);
        let mut failures = self.failures();
        if failures.len() >= self.limits.addresses && !failures.contains_key(&key) {
            let oldest = failures.iter().min_by_key(|(_, entry)| entry.last).map(|(key, _)| *key);
            oldest.and_then(|oldest| failures.remove(&oldest));
        }
        let entry = failures.entry(key).or_insert_with(|| Failures {
            count: 0,
            last: now,
            next_check: now,
            line: Arc::default(),
        });
        if now.duration_since(entry.last) >= self.limits.forget_after {
            entry.count = 0;
        }
        entry.count = entry.count.saturating_add(1);
        entry.last = now;
        self.delay_after(entry.count)
    }

    fn delay_after(&self, count: u32) -> Duration {
        match count.checked_sub(self.limits.free_failures + 1) {
            None => Duration::ZERO,
            Some(doublings) => {
                let factor = 1_u32.checked_shl(doublings).unwrap_or(u32::MAX);
                self.limits.first_delay.saturating_mul(factor).min(self.limits.max_delay)
            }
        }
    }
}

/// One household or machine owns a whole IPv6 /64, and every program of this machine 16 million loopback addresses, so
/// these count as one.
pub(crate) fn network_of(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        loopback if loopback.is_loopback() => IpAddr::V4(Ipv4Addr::LOCALHOST),
        IpAddr::V6(address) => {
            const NETWORK: u128 = !0 << 64;
            IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & NETWORK))
        }
        address @ IpAddr::V4(_) => address,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(last: u8) -> IpAddr {
        IpAddr::from([192, 0, 2, last])
    }

    #[test]
    fn the_first_failures_are_free_then_the_wait_doubles_up_to_the_limit() {
        let throttle = Throttle::new(ThrottleLimits::default());
        let now = Instant::now();
        let waits: Vec<u128> = (0..12).map(|_| throttle.count(address(1), now).as_millis()).collect();
        assert_eq!(waits, [0, 0, 0, 0, 0, 100, 200, 400, 800, 1600, 2000, 2000]);
        assert_eq!(throttle.count(address(2), now), Duration::ZERO);
    }

    #[test]
    fn an_address_that_behaves_for_a_while_starts_afresh() {
        let throttle = Throttle::new(ThrottleLimits::default());
        let start = Instant::now();
        for _ in 0..50 {
            throttle.count(address(1), start);
        }
        assert_eq!(
            throttle.count(address(1), start + ThrottleLimits::default().forget_after),
            Duration::ZERO
        );
    }

    #[test]
    fn the_table_drops_the_address_that_failed_longest_ago() {
        let throttle =
            Throttle::new(ThrottleLimits { addresses: 2, free_failures: 1, ..ThrottleLimits::default() });
        let start = Instant::now();
        throttle.count(address(1), start);
        throttle.count(address(2), start + Duration::from_secs(1));
        throttle.count(address(3), start + Duration::from_secs(2));
        assert_eq!(throttle.failures.lock().unwrap().len(), 2);
        assert_eq!(throttle.count(address(1), start + Duration::from_secs(3)), Duration::ZERO);
        assert_ne!(throttle.count(address(3), start + Duration::from_secs(4)), Duration::ZERO);
    }

    #[test]
    fn addresses_of_one_network_count_together() {
        let parse = |text: &str| network_of(text.parse().unwrap());
        assert_eq!(parse("2001:db8::1"), parse("2001:db8::ffff"));
        assert_ne!(parse("2001:db8::1"), parse("2001:db8:0:1::1"));
        assert_eq!(parse("::ffff:192.0.2.1"), address(1));
        assert_ne!(parse("192.0.2.1"), parse("192.0.2.2"));
        for local in ["127.0.0.2", "127.200.1.9", "::1", "::ffff:127.3.4.5"] {
            assert_eq!(parse(local), parse("127.0.0.1"), "{local}");
        }
    }

    /// A throttle of ten checks a second, with an address that guesses.
    fn guessed_at() -> Throttle {
        let throttle = Throttle::new(ThrottleLimits { checks_per_second: 10, ..ThrottleLimits::default() });
        for _ in 0..6 {
            throttle.count(address(1), Instant::now());
        }
        throttle
    }

    async fn wait_of(throttle: &Throttle, peer: IpAddr) -> u128 {
        let start = Instant::now();
        throttle.turn(peer).await;
        start.elapsed().as_millis()
    }

    #[tokio::test(start_paused = true)]
    async fn an_address_that_guesses_is_checked_in_turn_and_no_other_one() {
        let throttle = guessed_at();
        let turns = std::array::from_fn::<_, 4, _>(|_| wait_of(&throttle, address(1)));
        let waits = futures_util::future::join_all(turns).await;
        assert_eq!(waits, [0, 100, 200, 300]);
        assert_eq!(wait_of(&throttle, address(2)).await, 0);
        assert_eq!(wait_of(&throttle, address(1)).await, 100);
        throttle.succeed(address(1));
        assert_eq!(wait_of(&throttle, address(1)).await, 0, "a right token costs the others no check");
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert_eq!(wait_of(&throttle, address(1)).await, 0);
    }

    #[tokio::test(start_paused = true)]
    async fn who_leaves_the_line_leaves_nothing_behind() {
        let throttle = guessed_at();
        for _ in 0..1000 {
            let gone = tokio::time::timeout(Duration::ZERO, throttle.turn(address(1)));
            let _ = gone.await;
        }
        let wait = wait_of(&throttle, address(1)).await;
        assert!(wait <= 100, "{wait} ms behind those who are gone");
    }

    #[tokio::test(start_paused = true)]
    async fn only_so_many_failures_wait_at_once() {
        let limits = ThrottleLimits { free_failures: 0, waiting: 1, ..ThrottleLimits::default() };
        let throttle = Throttle::new(limits);
        let (first, second) = tokio::join!(throttle.fail(address(1)), throttle.fail(address(2)));
        assert_eq!((first, second), (Verdict::Waited, Verdict::Full));
    }
}
