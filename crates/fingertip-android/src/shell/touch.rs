//! Playing gestures.
//!
//! A gesture is played in a task of its own: once a finger is down it also goes up, even when the caller has
//! stopped waiting. It is not begun when the deadline leaves too little time for it.

use std::time::{Duration, Instant};

use fingertip_core::gesture::{Gesture, Phase};
use fingertip_core::{Deadline, Error, Reason, Result};

use super::ShellDriver;
use super::command;
use super::uinput;
use crate::adb::AdbDevice;
use crate::input::{Plan, TouchEvent, plan, too_long};
use crate::screen::Glass;
use crate::{wait, within};

/// How long a gesture may run on after its deadline, to lift its finger.
const LIFTING: Duration = Duration::from_secs(2);

impl ShellDriver {
    /// Plays finger paths; returns when the last finger is up.
    pub(super) async fn play(&self, gesture: &Gesture, deadline: Deadline) -> Result<()> {
        let plan = plan(gesture, self.facts.sdk)?;
        let mut needed = gesture.duration();
        let mut script = String::new();
        if plan == Plan::Device {
            let glass = Glass::of(self.look(deadline).await?.display).ok_or_else(sizeless)?;
            script = uinput::script(gesture, glass);
            needed += uinput::SETTLING;
        }
        if deadline.remaining() < needed {
            return Err(too_long(needed));
        }
        let device = self.device.clone();
        let lifted = Deadline::at(deadline.instant() + LIFTING).on_behalf(deadline.claim());
        let playing = tokio::spawn(async move {
            match plan {
                Plan::Strokes(strokes) => play_strokes(&device, &strokes, lifted).await,
                Plan::Events(events) => play_events(&device, &events, lifted).await,
                Plan::Device => command::feed(&device, "uinput -", script.as_bytes(), lifted).await,
            }
        });
        within(deadline, "playing the gesture", async {
            playing.await.unwrap_or_else(|_| Err(Error::new(Reason::Internal, "The gesture broke off.")))
        })
        .await
    }
}

async fn play_strokes(device: &AdbDevice, strokes: &[(Duration, String)], deadline: Deadline) -> Result<()> {
    let start = Instant::now();
    for (time, command) in strokes {
        wait::until(start + *time).await;
        command::run(device, command, deadline).await?;
    }
    Ok(())
}

async fn play_events(device: &AdbDevice, events: &[TouchEvent], deadline: Deadline) -> Result<()> {
    let start = Instant::now();
    let mut down: Option<TouchEvent> = None;
    for (position, event) in events.iter().enumerate() {
        let late = events.get(position + 1).is_some_and(|next| start.elapsed() >= next.time);
        if event.smoothing && late {
            continue;
        }
        wait::until(start + event.time).await;
        if event.phase != Phase::Up {
            down = Some(*event);
        }
        let sent = command::run(device, &event.command(), deadline).await;
        if let (Err(error), Some(down)) = (&sent, down) {
            let lifting = Deadline::after(LIFTING).on_behalf(deadline.claim());
            let _ = command::run(device, &down.cancel_command(), lifting).await;
            return Err(error.clone());
        }
        sent?;
        if event.phase == Phase::Up {
            down = None;
        }
    }
    Ok(())
}

fn sizeless() -> Error {
    Error::new(Reason::ActionFailed, "The phone does not say how large its screen is.")
        .with_guidance("Use taps and swipes of one finger instead.")
}
