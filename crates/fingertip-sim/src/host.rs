//! A phone that runs: the pure model with a clock, files, sockets and faults around it.
//!
//! Rules: the phone's time is the time since it was switched on, read from tokio's clock, so that a test that
//! pauses that clock drives the phone; the model is only touched inside [`SimPhone::with`], which brings it
//! up to date first and wakes who waits for changes. Not here: any protocol.

use std::sync::{Arc, Mutex, MutexGuard, Weak};
use std::time::Duration;

use tokio::sync::watch;
use tokio::time::Instant;

use crate::agent::{Automation, Jvm};
use crate::bounds::Bounds;
use crate::faults::{Faults, Presence};
use crate::files::Files;
use crate::installed_app::InstalledApp;
use crate::listeners::Listeners;
use crate::lock::lock;
use crate::phone::{Millis, Phone, Profile};
use crate::programs::Programs;
use crate::properties::{self, Properties};

/// How long the phone is away when it is asked to start again, on it or over adb.
pub const REBOOT: Duration = Duration::from_secs(3);

/// A running phone.
pub struct SimPhone {
    model: Mutex<Model>,
    files: Mutex<Files>,
    properties: Mutex<Properties>,
    changes: watch::Sender<u64>,
    faults: Faults,
    listeners: Listeners,
    bounds: Bounds,
    automation: Automation,
    pub(crate) jvm: Jvm,
    pub(crate) programs: Programs,
    pub(crate) app: InstalledApp,
}

struct Model {
    phone: Phone,
    booted: Instant,
}

impl SimPhone {
    /// Switches a phone on. It runs until the last handle on it is gone.
    ///
    /// # Panics
    /// Outside a tokio runtime, which its timers need.
    #[must_use]
    pub fn start(profile: Profile) -> Arc<Self> {
        let properties = Mutex::new(properties::of(&profile));
        let model = Mutex::new(Model { phone: Phone::new(profile), booted: Instant::now() });
        let phone = Arc::new(Self {
            model,
            files: Mutex::default(),
            properties,
            changes: watch::Sender::new(0),
            faults: Faults::default(),
            listeners: Listeners::default(),
            bounds: Bounds::default(),
            automation: Automation::default(),
            jvm: Jvm::of_environment(),
            programs: Programs::default(),
            app: InstalledApp::default(),
        });
        Programs::begin(&phone);
        tokio::spawn(run_timers(Arc::downgrade(&phone), phone.changes()));
        phone
    }

    /// Does something with the model, which is first brought up to the present.
    pub fn with<R>(&self, act: impl FnOnce(&mut Phone) -> R) -> R {
        let mut model = lock(&self.model);
        let now = now_of(&model);
        let before = state_of(&model.phone);
        model.phone.advance(now);
        let result = act(&mut model.phone);
        let changed = state_of(&model.phone) != before;
        drop(model);
        if changed {
            self.changes.send_modify(|count| *count += 1);
        }
        result
    }

    /// The phone's time.
    #[must_use]
    pub fn now(&self) -> Millis {
        now_of(&lock(&self.model))
    }

    /// Tells when the screen or the log changed; the number has no meaning of its own.
    #[must_use]
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changes.subscribe()
    }

    /// What kind of phone it is.
    #[must_use]
    pub fn profile(&self) -> Profile {
        lock(&self.model).phone.profile().clone()
    }

    /// Its faults.
    #[must_use]
    pub fn faults(&self) -> &Faults {
        &self.faults
    }

    /// Its sockets in the abstract namespace.
    #[must_use]
    pub fn listeners(&self) -> &Listeners {
        &self.listeners
    }

    /// How much its clients may hold.
    pub(crate) fn bounds(&self) -> &Bounds {
        &self.bounds
    }

    /// Who has its UiAutomation, and the agents that run on it.
    #[must_use]
    pub fn automation(&self) -> &Automation {
        &self.automation
    }

    /// The programs that were pushed to it and run.
    pub(crate) fn programs(&self) -> &Programs {
        &self.programs
    }

    /// Its files, locked.
    pub fn files(&self) -> MutexGuard<'_, Files> {
        let mut files = lock(&self.files);
        files.refresh();
        files
    }

    pub(crate) fn properties(&self) -> MutexGuard<'_, Properties> {
        lock(&self.properties)
    }

    /// The phone's clock, in seconds since 1970.
    #[must_use]
    pub fn epoch_seconds(&self) -> u32 {
        let milliseconds = self.with(|phone| phone.epoch_ms());
        u32::try_from(milliseconds / 1000).unwrap_or_default()
    }

    /// Goes away, forgets everything but its files, and comes back after a while.
    pub async fn reboot(self: &Arc<Self>, away: Duration) {
        self.faults.change(|plan| plan.presence = Presence::Away);
        self.automation.kill_agents();
        self.programs.end_all();
        tokio::time::sleep(away).await;
        let mut profile = self.profile();
        // The processor is that of the programs it runs.
        if let Some(abi) = self.properties().get("ro.product.cpu.abi") {
            profile.abi.clone_from(abi);
        }
        profile.boot_epoch_ms = self.with(|phone| phone.epoch_ms());
        *self.properties() = properties::of(&profile);
        *lock(&self.model) = Model { phone: Phone::new(profile), booted: Instant::now() };
        self.changes.send_modify(|count| *count += 1);
        self.faults.change(|plan| plan.presence = Presence::Online);
    }
}

impl std::fmt::Debug for SimPhone {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("SimPhone").field("serial", &self.profile().serial).finish_non_exhaustive()
    }
}

fn now_of(model: &Model) -> Millis {
    u64::try_from(model.booted.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Grows whenever there is something new to see or to read.
fn state_of(phone: &Phone) -> (u64, Option<u64>) {
    (phone.generation(), phone.logs().back().map(|line| line.sequence))
}

/// Wakes waiters when something changes on its own, such as a clock on the screen.
async fn run_timers(phone: Weak<SimPhone>, mut changes: watch::Receiver<u64>) {
    loop {
        let Some(phone) = phone.upgrade() else { return };
        let next = phone.with(|phone| phone.next_timer());
        let pause = next.map(|at| Duration::from_millis(at.saturating_sub(phone.now()).max(1)));
        drop(phone);
        let timer = async {
            match pause {
                Some(pause) => tokio::time::sleep(pause).await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            () = timer => {}
            changed = changes.changed() => if changed.is_err() { return },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn the_phones_time_is_the_time_since_it_was_switched_on() {
        let phone = SimPhone::start(Profile::default());
        tokio::time::advance(Duration::from_millis(1500)).await;
        assert_eq!(phone.now(), 1500);
        assert_eq!(phone.with(|phone| phone.now()), 1500);
    }

    #[tokio::test(start_paused = true)]
    async fn a_reboot_starts_the_phones_time_again_and_keeps_its_calendar() {
        let phone = SimPhone::start(Profile::default());
        let born = phone.epoch_seconds();
        tokio::time::advance(Duration::from_secs(60)).await;
        phone.files().write("/sdcard/kept", "x".into(), 0o644, 0).unwrap();
        phone.reboot(Duration::from_secs(5)).await;
        assert!(phone.now() < 1000);
        assert_eq!(phone.epoch_seconds(), born + 65);
        assert!(phone.files().get("/sdcard/kept").is_ok());
        assert_eq!(phone.faults().plan().presence, Presence::Online);
    }

    #[tokio::test(start_paused = true)]
    async fn a_dropped_phone_stops_its_timers() {
        let phone = SimPhone::start(Profile::default());
        let weak = Arc::downgrade(&phone);
        drop(phone);
        tokio::time::sleep(Duration::from_secs(10)).await;
        assert!(weak.upgrade().is_none());
    }
}
