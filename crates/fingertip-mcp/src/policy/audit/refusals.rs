//! Calls that did not act: the first ones get lines of their own, the rest are counted together.
//!
//! What a client can send without limit must not fill the log. The name of a client is its own choice and a session
//! costs nothing, so beside the bound for each name there is one for all.

use std::time::{Duration, Instant};

use super::Line;

/// The span in which they are counted.
const SPAN: Duration = Duration::from_secs(60);
/// How many lines of their own the calls of one client get in that span.
const PER_CLIENT: u32 = 20;
/// How many such lines there are in that span for all clients.
const OVERALL: u32 = 60;
/// How many kinds of calls are counted apart; the rest is one more.
const KINDS: usize = 32;
/// Stands for the tool where calls of several are counted together.
const SEVERAL: &str = "several";

/// Calls that did not act, of this span.
#[derive(Debug, Default)]
pub(super) struct Refusals {
    began: Option<Instant>,
    clients: Vec<(Client, u32)>,
    written: u32,
    counted: Vec<Line>,
}

/// The transport, and what the client calls itself.
type Client = (String, Option<String>);

impl Refusals {
    /// The line back, when it gets one of its own; else it is counted.
    pub(super) fn admit(&mut self, line: Line, now: Instant) -> Option<Line> {
        if self.began.is_none_or(|began| now >= began + SPAN) {
            (self.began, self.written) = (Some(now), 0);
            self.clients.clear();
        }
        if self.written < OVERALL && self.room_for(&line) {
            self.written += 1;
            return Some(line);
        }
        self.count(line);
        None
    }

    fn room_for(&mut self, line: &Line) -> bool {
        let client = (line.transport.clone(), line.client.clone());
        match self.clients.iter_mut().find(|(known, _)| *known == client) {
            Some((_, written)) if *written >= PER_CLIENT => false,
            Some((_, written)) => {
                *written += 1;
                true
            }
            None => {
                self.clients.push((client, 1));
                true
            }
        }
    }

    /// Adds a line to those that are counted.
    pub(super) fn count(&mut self, line: Line) {
        let more = line.repeated.unwrap_or(1);
        let same = |known: &&mut Line| {
            (&known.client, &known.transport, &known.tool, &known.outcome, &known.rule)
                == (&line.client, &line.transport, &line.tool, &line.outcome, &line.rule)
        };
        if let Some(known) = self.counted.iter_mut().find(same) {
            known.repeated = Some(known.repeated.unwrap_or(1) + more);
            return;
        }
        let mut line =
            Line { text: None, selected: Vec::new(), duration_ms: 0, repeated: Some(more), ..line };
        if self.counted.len() >= KINDS {
            // The last one stands for all that are left, under the outcome of its first.
            if let Some(rest) = self.counted.get_mut(KINDS) {
                rest.repeated = Some(rest.repeated.unwrap_or(1) + more);
                return;
            }
            SEVERAL.clone_into(&mut line.tool);
            (line.client, line.target, line.app, line.rule) = (None, None, None, None);
        }
        self.counted.push(line);
    }

    /// When what was counted is to be written down.
    pub(super) fn due(&self) -> Option<Instant> {
        self.began.map(|began| began + SPAN)
    }

    /// What was counted, once its span is over; at once where `all` is wanted.
    pub(super) fn take(&mut self, now: Instant, all: bool) -> Vec<Line> {
        if !all && self.due().is_none_or(|due| now < due) {
            return Vec::new();
        }
        self.began = None;
        std::mem::take(&mut self.counted)
    }

    /// Keeps what could not be written down for the next time.
    pub(super) fn keep(&mut self, lines: Vec<Line>, now: Instant) {
        lines.into_iter().for_each(|line| self.count(line));
        self.began.get_or_insert(now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn by(client: &str) -> Line {
        Line { client: Some(client.to_owned()), ..Line::sample() }
    }

    #[test]
    fn the_first_get_lines_and_the_rest_is_one_line_with_a_count() {
        let (mut refusals, now) = (Refusals::default(), Instant::now());
        let own = (0..160_000).filter_map(|_| refusals.admit(by("one"), now)).count();
        assert_eq!(own, PER_CLIENT as usize);
        assert!(refusals.take(now, false).is_empty(), "not before the span is over");
        let summed = refusals.take(now + SPAN, false);
        let [line] = summed.as_slice() else { panic!("one line: {summed:?}") };
        assert_eq!(line.repeated, Some(160_000 - u64::from(PER_CLIENT)));
        assert!(refusals.admit(by("one"), now + SPAN).is_some(), "a new span");
    }

    #[test]
    fn another_name_for_each_call_does_not_evade_it() {
        let (mut refusals, now) = (Refusals::default(), Instant::now());
        let own = (0..10_000).filter_map(|name| refusals.admit(by(&name.to_string()), now)).count();
        assert_eq!(own, OVERALL as usize);
        let summed = refusals.take(now + SPAN, false);
        assert_eq!(summed.len(), KINDS + 1);
        assert_eq!(summed.iter().filter_map(|line| line.repeated).sum::<u64>(), 10_000 - u64::from(OVERALL));
    }

    #[test]
    fn what_could_not_be_written_is_kept() {
        let (mut refusals, now) = (Refusals::default(), Instant::now());
        for _ in 0..PER_CLIENT + 5 {
            refusals.admit(by("one"), now);
        }
        let lines = refusals.take(now, true);
        refusals.keep(lines, now);
        assert_eq!(refusals.take(now + SPAN, false)[0].repeated, Some(5));
    }
}
