//! How fast a target is acted on: how many touches, keys and pieces of text a second.
//!
//! Counted is what reaches the target, not the calls: each finger that goes down, each key, each native action, and of a
//! text each line and each [`PIECE`] characters of one. A call is charged as a whole before it runs, with the moments
//! at which its fingers go down, so that no second holds more than the limit. What takes longer than planned counts
//! from then on. A text is typed in one go; what it holds beyond the limit is charged to the time after it.
//!
//! Delayed rather than refused: an agent that is told "too fast" tries again at once, one that has to wait does not.
//! Refused is only what cannot be within the limit however long it waits. The wait comes before the tool looks at the
//! screen, so that what it sees is still so when it acts.
//!
//! Servers of one user that act on the same target share what is counted through a file; see `shared`. Where that
//! cannot be used, each counts for itself and says so in its log: the limit is there against haste, and a full runtime
//! directory is no reason to do nothing.

mod schedule;
mod shared;

use std::num::NonZeroU32;
use std::path::Path;
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use fingertip_core::gesture::Gesture;
use fingertip_core::sync::lock;
use fingertip_core::{Deadline, Error, Reason, Result, clock};

use schedule::Schedule;
use shared::Shared;

/// The most that can be allowed: beyond it a limit would be none.
pub const MAX_WRITES_PER_SECOND: u32 = 1000;
/// What is allowed unless the owner says otherwise.
pub const DEFAULT_WRITES_PER_SECOND: u32 = 10;
/// How many characters of a line of text count as one write.
pub const PIECE: usize = 200;
/// The longest a single text may keep a target busy by what it is charged.
pub const LONGEST_TEXT: Duration = Duration::from_secs(10);
/// The span in which writes are counted.
const SPAN: Duration = Duration::from_secs(1);
/// Writes that come no later than this count from when they were planned.
const EXACT: Duration = Duration::from_millis(5);

/// How many writes a second one target gets: 1 to [`MAX_WRITES_PER_SECOND`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WritesPerSecond(NonZeroU32);

impl WritesPerSecond {
    /// So many; `None` when it is out of range.
    #[must_use]
    pub fn new(count: u32) -> Option<Self> {
        NonZeroU32::new(count).filter(|count| count.get() <= MAX_WRITES_PER_SECOND).map(Self)
    }

    /// How many.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0.get()
    }
}

impl Default for WritesPerSecond {
    fn default() -> Self {
        Self(NonZeroU32::new(DEFAULT_WRITES_PER_SECOND).unwrap_or(NonZeroU32::MIN))
    }
}

/// What a call is charged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Charge {
    /// Fingers that go down at these times of a gesture that lasts so long.
    Touches(Vec<Duration>, Duration),
    /// So many writes one after another.
    Steps(u32),
    /// A key pressed so often.
    Keys(u32),
}

impl Charge {
    /// One write.
    pub const ONE: Self = Self::Steps(1);

    /// The fingers of a gesture.
    #[must_use]
    pub fn gesture(gesture: &Gesture) -> Self {
        let mut times: Vec<Duration> = gesture.strokes().iter().map(|stroke| stroke.start().time).collect();
        times.sort_unstable();
        Self::Touches(times, gesture.duration())
    }

    /// A text: each of its lines, and each [`PIECE`] characters of one.
    #[must_use]
    pub fn text(text: &str) -> Self {
        let pieces: usize = text.split('\n').map(|line| line.chars().count().div_ceil(PIECE).max(1)).sum();
        Self::Steps(u32::try_from(pieces).unwrap_or(u32::MAX))
    }

    /// The same, and one key after it.
    #[must_use]
    pub fn and_a_key(self) -> Self {
        match self {
            Self::Steps(count) => Self::Steps(count.saturating_add(1)),
            Self::Keys(count) => Self::Keys(count.saturating_add(1)),
            touches => touches,
        }
    }

    /// When its writes come, counted from its start, and how long they take.
    fn times(&self, limit: WritesPerSecond) -> Result<(Vec<u64>, Duration)> {
        let limit = limit.get();
        match self {
            Self::Touches(times, duration) => {
                let most = limit as usize;
                let crowded = times.windows(most + 1).any(|some| some[most] - some[0] < SPAN);
                if crowded {
                    return Err(too_crowded(limit));
                }
                Ok((times.iter().map(|time| nanoseconds(*time)).collect(), *duration))
            }
            Self::Steps(count) | Self::Keys(count) => {
                let most = u64::from(limit) * LONGEST_TEXT.as_secs();
                if u64::from(*count) > most {
                    let is_text = matches!(self, Self::Steps(_));
                    return Err(if is_text { too_long(limit, *count, most) } else { too_often(limit, most) });
                }
                let times = (0..*count).map(|step| nanoseconds(SPAN * step / limit));
                Ok((times.collect(), SPAN * count.saturating_sub(1) / limit))
            }
        }
    }
}

/// What was done to a target a moment ago, and is to be done.
#[derive(Debug, Default)]
pub struct RateLimiter {
    own: Mutex<Schedule>,
    shared: OnceLock<Option<Shared>>,
}

/// Where servers that act on the same target meet: a folder, and what they all call the target.
#[derive(Debug, Clone, Copy)]
pub struct SharedLimit<'a> {
    /// The folder; it is made where it is missing.
    pub folder: &'a Path,
    /// The target.
    pub target: &'a str,
}

impl RateLimiter {
    /// Waits until these writes keep within the limit, and counts them.
    ///
    /// # Errors
    /// A timeout, when the call would be over by then; an error of input, when they never can. Nothing is counted.
    pub async fn acquire(
        &self,
        limit: WritesPerSecond,
        charge: &Charge,
        deadline: Deadline,
        shared: Option<SharedLimit<'_>>,
    ) -> Result<Paid<'_>> {
        let (times, duration) = charge.times(limit)?;
        let shared = self.shared.get_or_init(|| shared.map(Shared::new)).as_ref();
        if let Some(shared) = shared {
            shared.enter().await;
        }
        let now = now();
        let left = nanoseconds(deadline.instant().saturating_duration_since(clock::now()));
        let start = self.booked(shared, |schedule| schedule.book(limit.get(), &times, now, now + left));
        let start = start.ok_or_else(|| too_fast(limit))?;
        let wait = Duration::from_nanos(start.saturating_sub(now));
        if !wait.is_zero() {
            // Even a sleep that is over before it begins takes the runtime a millisecond.
            tokio::time::sleep(wait).await;
        }
        Ok(Paid { limiter: self, wait, start, times, duration })
    }

    /// Changes what is counted: of all servers where that is shared and the lock is held, else of this one.
    fn booked<T>(&self, shared: Option<&Shared>, change: impl FnOnce(&mut Schedule) -> T) -> T {
        let mut own = lock(&self.own);
        let entered = shared.is_some_and(|shared| shared.read(&mut own));
        let result = change(&mut own);
        match shared {
            Some(shared) if entered => shared.leave(&mut own),
            Some(shared) => shared.diverged(),
            None => {}
        }
        result
    }
}

/// Writes that were charged. When it is dropped the writes are over, and count from when they can have been.
#[derive(Debug)]
pub struct Paid<'a> {
    limiter: &'a RateLimiter,
    wait: Duration,
    start: u64,
    times: Vec<u64>,
    duration: Duration,
}

impl Paid<'_> {
    /// How long the call was held back.
    #[must_use]
    pub fn delay(&self) -> Duration {
        self.wait
    }
}

impl Drop for Paid<'_> {
    fn drop(&mut self) {
        let over = now().saturating_sub(self.start + nanoseconds(self.duration));
        if over < nanoseconds(EXACT) {
            return;
        }
        let shared = self.limiter.shared.get().and_then(Option::as_ref);
        // This must not wait; without the lock the file stays as it was.
        if let Some(shared) = shared {
            shared.try_enter();
        }
        self.limiter.booked(shared, |schedule| schedule.postpone(self.start, &self.times, over));
    }
}

fn nanoseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX)
}

/// This moment on the clock that all servers of a machine share; a simulated clock runs ahead of it.
fn now() -> u64 {
    shared::now() + nanoseconds(clock::now().saturating_duration_since(Instant::now()))
}

fn too_fast(limit: WritesPerSecond) -> Error {
    Error::new(
        Reason::Timeout,
        format!("Timed out waiting: this device gets at most {} writes a second.", limit.get()),
    )
    .with_guidance(
        "Nothing was done; act more slowly, or let the owner of this server raise --writes-per-second.",
    )
}

fn too_crowded(limit: u32) -> Error {
    Error::invalid(format!(
        "Nothing was done: this puts down more than {limit} fingers within one second, and this device gets at most \
        {limit} writes a second."
    ))
    .with_guidance(
        "Let the paths start further apart in time or use several calls; the owner of this server can raise \
        --writes-per-second.",
    )
}

fn too_often(limit: u32, most: u64) -> Error {
    Error::invalid(format!(
        "Nothing was done: parameter 'count' must be at most {most}: this device gets at most {limit} writes a second."
    ))
    .with_guidance("Use several calls; the owner of this server can raise --writes-per-second.")
}

fn too_long(limit: u32, count: u32, most: u64) -> Error {
    Error::invalid(format!(
        "Nothing was done: this text counts as {count} writes (one a line, one each {PIECE} characters), and one call \
        may have {most} of them at {limit} writes a second."
    ))
    .with_guidance("Write it in several parts; the owner of this server can raise --writes-per-second.")
}

#[cfg(test)]
mod tests {
    use fingertip_core::Point;
    use fingertip_core::gesture::Waypoint;

    use super::*;

    fn far() -> Deadline {
        Deadline::after(Duration::from_secs(3600))
    }

    fn limit(count: u32) -> WritesPerSecond {
        WritesPerSecond::new(count).unwrap()
    }

    #[tokio::test(start_paused = true)]
    async fn a_call_that_would_be_over_by_then_fails_and_is_not_counted() {
        let limiter = RateLimiter::default();
        assert_eq!(
            limiter.acquire(limit(1), &Charge::ONE, far(), None).await.unwrap().delay(),
            Duration::ZERO
        );
        let soon = Deadline::after(Duration::from_millis(500));
        let error = limiter.acquire(limit(1), &Charge::ONE, soon, None).await.unwrap_err();
        assert_eq!(error.reason(), Reason::Timeout);
        assert!(limiter.acquire(limit(1), &Charge::ONE, far(), None).await.unwrap().delay() <= SPAN);
    }

    #[test]
    fn fingers_count_and_not_gestures() {
        let at = |time| Waypoint::new(Point::new(1.0, 1.0), Duration::from_millis(time));
        let tap = |time| vec![at(time), at(time + 50)];
        let taps = |every: u64| Gesture::custom((0..10).map(|number| tap(number * every)).collect()).unwrap();
        let quick = Charge::gesture(&taps(80));
        assert_eq!(quick.times(limit(10)).unwrap().0.len(), 10);
        let error = quick.times(limit(9)).unwrap_err();
        assert_eq!(error.reason(), Reason::InvalidParams);
        assert!(error.message().contains("more than 9 fingers"), "{error}");
        assert!(Charge::gesture(&taps(120)).times(limit(9)).is_ok(), "slower it can be done");
        let double = Charge::gesture(&Gesture::double_tap(Point::new(1.0, 1.0)));
        assert_eq!(double.times(limit(10)).unwrap().0.len(), 2);
    }

    #[test]
    fn a_text_counts_by_its_lines_and_their_length() {
        for (text, steps) in
            [("", 1), ("a", 1), (&"a".repeat(500), 3), ("a\nb\n", 3), (&"\n".repeat(99), 100)]
        {
            assert_eq!(Charge::text(text), Charge::Steps(steps), "{text:?}");
        }
        assert!(Charge::text(&"a".repeat(10_000)).times(limit(10)).is_ok());
        let error = Charge::text(&"\n".repeat(8_000)).times(limit(10)).unwrap_err();
        assert!(error.message().contains("8001 writes"), "{error}");
    }

    #[test]
    fn a_key_counts_as_often_as_it_is_pressed() {
        assert_eq!(Charge::Keys(7).times(limit(10)).unwrap().0.len(), 7);
        assert_eq!(Charge::text("a").and_a_key(), Charge::Steps(2));
        let error = Charge::Keys(11).times(limit(1)).unwrap_err();
        assert!(error.message().contains("'count' must be at most 10"), "{error}");
    }

    #[tokio::test]
    async fn writes_that_took_long_count_from_when_they_can_have_been() {
        let limiter = RateLimiter::default();
        let slow = limiter.acquire(limit(1), &Charge::ONE, far(), None).await.unwrap();
        tokio::time::sleep(Duration::from_millis(400)).await;
        drop(slow);
        let next = limiter.acquire(limit(1), &Charge::ONE, far(), None).await.unwrap();
        assert!(next.delay() > Duration::from_millis(900), "{:?}", next.delay());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn servers_that_meet_at_a_target_share_its_limit() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run");
        let meet = |target| Some(SharedLimit { folder: &path, target });
        let (one, two) = (RateLimiter::default(), RateLimiter::default());
        let mut delays = Vec::new();
        for limiter in [&one, &two, &one, &two] {
            delays.push(limiter.acquire(limit(2), &Charge::ONE, far(), meet("adb:1")).await.unwrap().delay());
        }
        assert_eq!(delays[..2], [Duration::ZERO; 2]);
        assert!(delays[2] > Duration::ZERO, "{delays:?}");
        let other = RateLimiter::default();
        let other = other.acquire(limit(2), &Charge::ONE, far(), meet("adb:2/../..")).await.unwrap();
        assert_eq!(other.delay(), Duration::ZERO, "another target");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_server_sees_what_others_added_and_what_they_postponed() {
        let folder = tempfile::tempdir().unwrap();
        let shared = Some(SharedLimit { folder: folder.path(), target: "adb:1" });
        let (one, two) = (RateLimiter::default(), RateLimiter::default());
        for limiter in [&one, &one, &two, &one] {
            drop(limiter.acquire(limit(5), &Charge::ONE, far(), shared).await.unwrap());
        }
        let slow = two.acquire(limit(5), &Charge::ONE, far(), shared).await.unwrap();
        tokio::time::sleep(Duration::from_millis(300)).await;
        drop(slow);
        let sixth = one.acquire(limit(5), &Charge::ONE, far(), shared).await.unwrap();
        assert!(sixth.delay() > Duration::ZERO, "{:?}", sixth.delay());
        let after_all = one.acquire(limit(1), &Charge::ONE, far(), shared).await.unwrap();
        assert!(after_all.delay() > Duration::from_millis(900), "{:?}", after_all.delay());
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn a_file_that_makes_no_sense_or_is_gone_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let shared = Some(SharedLimit { folder: folder.path(), target: "adb:1" });
        let limiter = RateLimiter::default();
        let file = || std::fs::read_dir(folder.path()).unwrap().next().unwrap().unwrap().path();
        drop(limiter.acquire(limit(1000), &Charge::ONE, far(), shared).await.unwrap());
        for content in [vec![], vec![7; 5], vec![255; 80], vec![1; 83], vec![0; 1 << 20]] {
            std::fs::write(file(), &content).unwrap();
            for _ in 0..3 {
                let paid = limiter.acquire(limit(1000), &Charge::ONE, far(), shared).await.unwrap();
                assert_eq!(paid.delay(), Duration::ZERO, "{}", content.len());
            }
            let size = std::fs::metadata(file()).unwrap().len();
            assert_eq!((size % 8, size <= 128), (0, true), "{} became {size}", content.len());
        }
        std::fs::remove_file(file()).unwrap();
        drop(limiter.acquire(limit(1), &Charge::ONE, far(), shared).await.unwrap());
        assert_eq!(std::fs::metadata(file()).unwrap().len(), 16, "a version and one write");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn without_the_file_or_its_lock_each_counts_for_itself() {
        let folder = tempfile::tempdir().unwrap();
        let in_the_way = folder.path().join("file");
        std::fs::write(&in_the_way, "").unwrap();
        let limiter = RateLimiter::default();
        for expected in [false, true] {
            let shared_limits = Some(SharedLimit { folder: &in_the_way, target: "adb:1" });
            let paid = limiter.acquire(limit(1), &Charge::ONE, far(), shared_limits).await.unwrap();
            assert_eq!(paid.delay() > Duration::ZERO, expected);
        }
        let (one, two) = (RateLimiter::default(), RateLimiter::default());
        let shared_limits = Some(SharedLimit { folder: folder.path(), target: "adb:1" });
        drop(one.acquire(limit(1), &Charge::ONE, far(), shared_limits).await.unwrap());
        let file = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
        let mut file = file.filter(|path| *path != in_the_way);
        let held = std::fs::File::open(file.next().unwrap()).unwrap();
        held.lock().unwrap();
        let begun = Instant::now();
        drop(two.acquire(limit(1), &Charge::ONE, far(), shared_limits).await.unwrap());
        assert!(begun.elapsed() < Duration::from_secs(5), "it does not wait for the lock");
    }

    #[test]
    fn a_limit_of_none_or_of_no_limit_cannot_be_set() {
        assert_eq!(WritesPerSecond::new(0), None);
        assert_eq!(WritesPerSecond::new(MAX_WRITES_PER_SECOND + 1), None);
        assert_eq!(WritesPerSecond::default().get(), 10);
    }
}
