//! The clock: a label that changes ten times a second, so that the screen is never idle; and a stopwatch.

use super::{App, Context, Event};
use crate::phone::apps::installed::CLOCK;
use crate::phone::log::Level;
use crate::phone::profile::Millis;
use crate::phone::toolkit::theme;
use crate::phone::toolkit::view::{Align, Size, View};
use crate::phone::toolkit::widgets::{button, caption, column, row, text, toolbar};
use crate::phone::world::World;

pub(crate) const ACTIVITY: &str = "com.android.deskclock.DeskClock";

/// How often the label changes.
const TICK: Millis = 100;

/// A view of the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Tag {
    StartStop,
    Reset,
}

/// The state of the clock.
#[derive(Default)]
pub(crate) struct Clock {
    /// Time measured before the stopwatch was last started.
    measured: Millis,
    /// When the stopwatch was last started, while it runs.
    started: Option<Millis>,
}

impl Clock {
    fn elapsed(&self, now: Millis) -> Millis {
        self.measured + self.started.map_or(0, |started| now - started)
    }
}

impl App for Clock {
    fn activity(&self) -> &'static str {
        ACTIVITY
    }

    fn title(&self) -> String {
        "Clock".into()
    }

    fn screen(&self, world: &World) -> View {
        let (hours, minutes, seconds, milliseconds) = world.time_of_day();
        let time = format!("{hours:02}:{minutes:02}:{seconds:02}.{}", milliseconds / 100);
        let elapsed = self.elapsed(world.now);
        let stopwatch = format!("{:02}:{:02}.{}", elapsed / 60_000, elapsed / 1000 % 60, elapsed / 100 % 10);
        let start_label = if self.started.is_some() { "Stop" } else { "Start" };
        column(vec![
            toolbar(None, "Clock", vec![]),
            text(time)
                .id("digital_clock")
                .text_size(48.0)
                .width(Size::Fill)
                .text_align(Align::Center)
                .pad(16.0, 32.0),
            caption(world.profile.time_zone.clone())
                .id("time_zone")
                .width(Size::Fill)
                .text_align(Align::Center),
            text(stopwatch)
                .id("stopwatch_time")
                .text_size(32.0)
                .width(Size::Fill)
                .text_align(Align::Center)
                .pad(16.0, 32.0),
            row(vec![
                button(start_label, Tag::StartStop).id("start_stop").margin(8.0, 0.0).weight(1.0),
                button("Reset", Tag::Reset).id("reset").margin(8.0, 0.0).weight(1.0),
            ])
            .pad(16.0, 0.0),
        ])
        .height(Size::Fill)
        .background(theme::BACKGROUND)
    }

    fn on_event(&mut self, tag: super::Tag, event: Event, context: &mut Context<'_>) {
        let (super::Tag::Clock(tag), Event::Click) = (tag, event) else { return };
        let now = context.world.now;
        match tag {
            Tag::StartStop if self.started.is_some() => {
                self.measured = self.elapsed(now);
                self.started = None;
            }
            Tag::StartStop => self.started = Some(now),
            Tag::Reset => *self = Self::default(),
        }
        context.world.log_app(
            CLOCK,
            Level::Info,
            "Stopwatch",
            if self.started.is_some() { "running" } else { "at rest" },
        );
    }

    fn next_tick(&self, world: &World) -> Option<Millis> {
        let tick = TICK as i64;
        let clock = tick - world.local_ms().rem_euclid(tick);
        let stopwatch = self.started.map(|_| tick - self.elapsed(world.now) as i64 % tick);
        Some(world.now + stopwatch.unwrap_or(clock).min(clock) as Millis)
    }
}
