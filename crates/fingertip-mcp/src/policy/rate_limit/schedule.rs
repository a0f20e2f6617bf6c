//! The moments of writes, past and to come, and when more of them fit between. Pure arithmetic on one clock.
//!
//! Booking one write after all others takes the same time however many there are.

use std::collections::VecDeque;

/// The span in which writes are counted, in nanoseconds.
const SPAN: u64 = super::SPAN.as_nanos() as u64;
/// No write is booked further ahead than this; what says otherwise is of another clock.
const HORIZON: u64 = 300 * SPAN;
/// The most moments that are kept.
pub(super) const MOST: usize = 8192;

/// Moments in nanoseconds, in order, and which of them the shared file does not hold yet.
#[derive(Debug, Default)]
pub(super) struct Schedule {
    moments: VecDeque<u64>,
    /// How many at the end are not in the file.
    unsaved: usize,
    /// Whether the whole file has to be written: more has changed than an end that grew.
    rearranged: bool,
}

impl Schedule {
    pub(super) fn moments(&self) -> impl ExactSizeIterator<Item = u64> {
        self.moments.iter().copied()
    }

    /// Those to add to the file; `None` when the whole file has to be written.
    pub(super) fn unsaved(&self) -> Option<impl Iterator<Item = u64>> {
        (!self.rearranged).then(|| self.moments.range(self.moments.len() - self.unsaved..).copied())
    }

    /// The file holds all of them.
    pub(super) fn saved(&mut self) {
        (self.unsaved, self.rearranged) = (0, false);
    }

    /// Takes over what the file holds, in whatever order that is.
    pub(super) fn replace(&mut self, moments: impl Iterator<Item = u64>) {
        self.moments.clear();
        self.moments.extend(moments);
        self.sort();
        let oldest = self.moments.len().saturating_sub(MOST);
        self.moments.drain(..oldest);
        self.saved();
    }

    /// Books writes at these times from a common start, the earliest at which no second holds more than `limit`.
    /// `None` when that is not before `end`. The times are in order and fit the limit by themselves.
    pub(super) fn book(&mut self, limit: u32, times: &[u64], now: u64, end: u64) -> Option<u64> {
        self.forget(now);
        let mut start = now;
        while let Some(later) = self.conflict(limit as usize, times, start) {
            start = later;
            if start >= end {
                return None;
            }
        }
        if start >= end || self.moments.len() + times.len() > MOST {
            return None;
        }
        self.add(times.iter().map(|time| start + time));
        Some(start)
    }

    /// Drops what no longer counts. The file may hold it on.
    fn forget(&mut self, now: u64) {
        while self.moments.front().is_some_and(|moment| moment.saturating_add(SPAN) <= now) {
            self.moments.pop_front();
        }
        self.unsaved = self.unsaved.min(self.moments.len());
        while self.moments.back().is_some_and(|moment| *moment >= now + HORIZON) {
            self.moments.pop_back();
            self.rearranged = true;
        }
    }

    /// Adds moments that are in order.
    fn add(&mut self, moments: impl Iterator<Item = u64>) {
        let mut in_order = true;
        for moment in moments {
            in_order &= self.moments.back().is_none_or(|last| *last <= moment);
            self.moments.push_back(moment);
            self.unsaved += 1;
        }
        if !in_order {
            self.sort();
            self.rearranged = true;
        }
    }

    fn sort(&mut self) {
        self.moments.make_contiguous().sort_unstable();
    }

    /// Where to try next if a second would hold too many with this start: later than it.
    fn conflict(&self, limit: usize, times: &[u64], start: u64) -> Option<u64> {
        let (first, last) = (start + times.first()?, start + times.last()?);
        let near = |moment: u64| moment + SPAN > first && moment < last + SPAN;
        let from = self.moments.partition_point(|moment| moment + SPAN <= first);
        let known = self.moments.range(from..);
        if known.len() + times.len() <= limit {
            return None;
        }
        // The usual case: one write after all others.
        if let [time] = times
            && self.moments.back().is_none_or(|last| *last <= first)
        {
            return Some(self.moments[self.moments.len() - limit] + SPAN - time);
        }
        let known = known.filter(|moment| near(**moment));
        let mut all: Vec<(u64, Option<u64>)> = known.map(|moment| (*moment, None)).collect();
        all.extend(times.iter().map(|time| (start + time, Some(*time))));
        all.sort_unstable();
        let crowded = |some: &&[(u64, Option<u64>)]| {
            some[limit].0 - some[0].0 < SPAN && some.iter().any(|(_, own)| own.is_some())
        };
        let crowd = all.windows(limit + 1).find(crowded)?;
        let foreign = crowd.iter().find(|(_, own)| own.is_none()).map(|(moment, _)| *moment)?;
        let last = crowd.iter().rev().find_map(|(_, own)| *own)?;
        // The last of ours that is too near leaves the span of the first that was there, or passes it.
        let next = if start + last >= foreign { foreign + SPAN - last } else { foreign + 1 - last };
        Some(next.max(start + 1))
    }

    /// Writes that were booked took so much longer than planned: they count as that much later.
    pub(super) fn postpone(&mut self, start: u64, times: &[u64], over: u64) {
        for time in times {
            if let Ok(place) = self.moments.binary_search(&(start + time)) {
                self.moments.remove(place);
            }
        }
        self.add(times.iter().map(|time| start + time + over));
        self.rearranged = true;
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn crowded(moments: &[u64], limit: usize) -> bool {
        moments.windows(limit + 1).any(|some| some[limit] - some[0] < SPAN)
    }

    #[test]
    fn no_second_ever_holds_more_than_the_limit() {
        let mut schedule = Schedule::default();
        let starts: Vec<u64> = (0..10).map(|_| schedule.book(3, &[0], 0, u64::MAX).unwrap() / SPAN).collect();
        assert_eq!(starts, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]);
    }

    #[test]
    fn a_pause_makes_room_again() {
        let mut schedule = Schedule::default();
        schedule.book(2, &[0, 0], 0, u64::MAX).unwrap();
        assert_eq!(schedule.book(2, &[0], SPAN, u64::MAX), Some(SPAN));
    }

    #[test]
    fn moments_of_another_clock_are_forgotten() {
        let mut schedule = Schedule::default();
        schedule.replace([u64::MAX, 5_000 * SPAN].into_iter());
        assert_eq!(schedule.book(1, &[0], SPAN, u64::MAX), Some(SPAN));
    }

    proptest! {
        #[test]
        fn whatever_is_booked_fits(
            calls in prop::collection::vec((prop::collection::vec(0..3 * SPAN, 1..6), 0..SPAN), 1..20),
            limit in 1_usize..8,
        ) {
            let mut schedule = Schedule::default();
            let (mut now, mut all) = (0, Vec::new());
            for (mut times, pause) in calls {
                times.sort_unstable();
                if crowded(&times, limit) {
                    continue;
                }
                let start = schedule.book(limit as u32, &times, now, u64::MAX).unwrap();
                prop_assert!(start >= now);
                all.extend(times.iter().map(|time| start + time));
                now += pause;
            }
            all.sort_unstable();
            prop_assert!(!crowded(&all, limit), "{all:?}");
        }
    }
}
