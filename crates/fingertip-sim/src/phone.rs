//! A pure, deterministic model of an Android phone.
//!
//! Rules: no I/O, no threads, no clock, no randomness. Time comes in through [`Phone::advance`] and the
//! `at` of touches; the same calls give the same phone. After each call the accessibility view
//! ([`Phone::windows`]) is up to date. Not modelled: sound, network, cameras, more than one display or user.
//!
//! The way of an event: `touch` or `keys` find the view, `tasks` hands it to the app that owns the view,
//! `frame` rebuilds all windows from the state and compares.

mod adjust;
mod apps;
mod crash;
mod device;
mod display;
mod drag;
mod frame;
mod geometry;
mod gesture;
mod input;
mod keys;
mod log;
pub mod metrics;
mod motion;
mod package;
mod perform;
mod profile;
mod provider;
pub mod scene;
mod storage;
mod surface;
mod tasks;
mod toolkit;
mod touch;
mod tree;
mod ui;
mod world;

#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet};

pub use geometry::{Point, Rect};
pub use input::{KeyCode, META_CTRL, META_SHIFT, TouchAction, TouchEvent};
pub use log::{LOG_CAPACITY, Level, LogBuffer, LogLine};
pub use package::{Focus, Package, Process, StartError, Started};
pub use profile::{LATEST, Millis, Profile};
pub use scene::Scene;
pub use tree::{NodeAction, NodeFlags, NodeView, RangeView, WindowKind, WindowView, reported};

use apps::installed::{KEYBOARD, SYSTEM_UI};
use apps::keyboard::Keyboard;
use apps::system::System;
use gesture::{Gesture, LastTap};
use surface::Surface;
use tasks::Task;
use ui::{Toast, Ui};
use world::World;

/// A phone.
pub struct Phone {
    world: World,
    tasks: BTreeMap<&'static str, Task>,
    next_task: u32,
    system: System,
    keyboard: Keyboard,
    ui: Ui,
    gesture: Option<Gesture>,
    last_tap: Option<LastTap>,
    toast: Option<Toast>,
    awake: bool,
    /// Packages that are switched off.
    disabled: BTreeSet<&'static str>,
    size_override: Option<(u32, u32)>,
    density_override: Option<u32>,
    frame: Vec<Surface>,
    views: Vec<WindowView>,
    generation: u64,
    last_change: Millis,
}

impl Phone {
    /// A phone that has just booted and shows its home screen.
    #[must_use]
    pub fn new(profile: Profile) -> Self {
        let width = profile.width;
        let mut phone = Self {
            world: World::new(profile),
            tasks: BTreeMap::new(),
            next_task: 1,
            system: System::default(),
            keyboard: Keyboard::default(),
            ui: Ui::new(width),
            gesture: None,
            last_tap: None,
            toast: None,
            awake: true,
            disabled: BTreeSet::new(),
            size_override: None,
            density_override: None,
            frame: Vec::new(),
            views: Vec::new(),
            generation: 0,
            last_change: 0,
        };
        phone.world.log_system("SystemServer", "Entered the Android system server!");
        phone.world.spawn(SYSTEM_UI);
        phone.world.spawn(KEYBOARD);
        phone.go_home();
        phone.world.log_system("ActivityManager", "System now ready");
        phone.refresh();
        phone
    }

    /// What kind of phone it is.
    #[must_use]
    pub fn profile(&self) -> &Profile {
        &self.world.profile
    }

    /// The phone's time, in milliseconds since boot.
    #[must_use]
    pub fn now(&self) -> Millis {
        self.world.now
    }

    /// The phone's time, in milliseconds since 1970 (UTC).
    #[must_use]
    pub fn epoch_ms(&self) -> i64 {
        self.world.epoch_ms()
    }

    /// Runs the timers up to `now`; an earlier time than the phone's changes nothing.
    pub fn advance(&mut self, now: Millis) {
        if now > self.world.now {
            self.run_to(now);
            self.refresh();
        }
    }

    /// When `advance` would next change something that can be seen in [`Phone::windows`].
    #[must_use]
    pub fn next_timer(&self) -> Option<Millis> {
        let now = self.world.now;
        let press = self.gesture.as_ref().and_then(Gesture::long_press_at);
        let motion = (!self.ui.motions.is_empty()).then_some(now + motion::FRAME);
        let toast = self.toast.as_ref().map(|toast| toast.until);
        let app = self.front().next_tick(&self.world);
        let minute = 60_000 - self.world.local_ms().rem_euclid(60_000) as Millis;
        [press, motion, toast, app, Some(now + minute)].into_iter().flatten().min()
    }

    /// A finger does something.
    pub fn touch(&mut self, event: TouchEvent) {
        self.advance(event.at);
        self.touched(event);
        self.refresh();
    }

    /// A key is pressed and released.
    pub fn key(&mut self, code: KeyCode, meta: u32) {
        self.press(code, meta);
        self.refresh();
    }

    /// A key is held until it counts as a long press: a key that clicks long-clicks what has the focus, any
    /// other does what it always does.
    pub fn long_key(&mut self, code: KeyCode) {
        match self.ui.focus.get(self.ui.front).copied() {
            Some(tag) if self.awake && code.clicks() => self.dispatch(tag, apps::Event::LongClick),
            _ => self.press(code, 0),
        }
        self.refresh();
    }

    /// A character arrives in the focused field, as a key map would inject it.
    pub fn type_char(&mut self, character: char) {
        if !self.awake {
            return;
        }
        match character {
            '\n' => self.enter(),
            _ => self.write(character.encode_utf8(&mut [0; 4])),
        }
        self.refresh();
    }

    /// The accessibility view now, topmost window first.
    #[must_use]
    pub fn windows(&self) -> &[WindowView] {
        &self.views
    }

    /// Does `action` on the node with this key; `false` if it is gone or does not take it.
    pub fn perform(&mut self, key: u64, action: NodeAction) -> bool {
        let done = self.act(key, action);
        self.refresh();
        done
    }

    /// Grows with each change of [`Phone::windows`].
    #[must_use]
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// When `generation` last grew.
    #[must_use]
    pub fn last_change(&self) -> Millis {
        self.last_change
    }

    /// Lets time pass without building the windows.
    fn run_to(&mut self, now: Millis) {
        let now = now.clamp(self.world.now, LATEST);
        let press = self.gesture.as_ref().and_then(Gesture::long_press_at);
        if let Some(at) = press.filter(|at| *at <= now) {
            self.world.now = at.max(self.world.now);
            self.long_press();
        }
        self.world.now = now;
        self.toast.take_if(|toast| toast.until <= now);
        let moving = std::mem::take(&mut self.ui.motions);
        for (tag, motion) in moving {
            self.ui.offsets.insert(tag, motion.at(now));
            if !motion.is_over(now) {
                self.ui.motions.insert(tag, motion);
            }
        }
    }
}
