//! Playing gestures.
//!
//! A gesture is played in a task of its own: once a finger is down it also goes up, even when the caller has
//! stopped waiting. It is not begun when the deadline leaves too little time for it. Before a finger comes down later than
//! at the start it is checked that the expected receiver still lies there.

use std::time::{Duration, Instant};

use async_trait::async_trait;
use fingertip_core::gesture::{Gesture, Phase};
use fingertip_core::prelude::*;
use fingertip_core::target::{Capabilities, Drag, Expected};
use fingertip_core::{Deadline, Error, Point, Reason, Result};

use super::ShellDriver;
use super::command;
use super::receivers::must_lie_at;
use super::uinput::{self, Segment};
use crate::channel::{Device, collect};
use crate::driver::Driver;
use crate::input::{Plan, TouchEvent, plan, too_long};
use crate::screen::Glass;
use crate::{wait, within};

/// How long a gesture may run on after its deadline, to lift its finger.
const LIFTING: Duration = Duration::from_secs(2);

#[async_trait]
impl Touch for ShellDriver {
    fn multi_touch(&self) -> bool {
        self.capabilities().contains(Capabilities::MULTI_TOUCH)
    }

    /// Plays finger paths; returns when the last finger is up.
    async fn gesture(&self, gesture: &Gesture, to: &Expected, deadline: Deadline) -> Result<()> {
        let plan = plan(gesture, self.facts.sdk)?;
        let mut needed = gesture.duration();
        let mut segments = Vec::new();
        if plan == Plan::Device {
            let glass = Glass::of(self.look(deadline).await?.display).ok_or_else(sizeless)?;
            segments = uinput::segments(gesture, glass, !to.is_anyone());
            needed += uinput::SETTLING;
        }
        if deadline.remaining() < needed {
            return Err(too_long(needed));
        }
        let starts: Vec<(Duration, Point)> =
            gesture.strokes().iter().map(|stroke| (stroke.start().time, stroke.start().at)).collect();
        let ground = Ground { device: self.device.clone(), to: to.clone(), fingers: starts.len() };
        let lifted = Deadline::at(deadline.instant() + LIFTING).on_behalf(deadline.claim());
        let playing = tokio::spawn(async move {
            match plan {
                Plan::Strokes(strokes) => play_strokes(&ground, &strokes, &starts, lifted).await,
                Plan::Events(events) => play_events(&ground, &events, lifted).await,
                Plan::Device => {
                    within(lifted, "waiting for the phone", play_segments(&ground, &segments, lifted)).await
                }
            }
        });
        within(deadline, "playing the gesture", async {
            playing.await.unwrap_or_else(|_| Err(Error::new(Reason::Internal, "The gesture broke off.")))
        })
        .await
    }

    async fn drag(&self, drag: &Drag, to: &Expected, deadline: Deadline) -> Result<()> {
        self.gesture(&Gesture::drag(drag.from, drag.to), to, deadline).await
    }
}

/// Where fingers come down, and the expected receiver there.
struct Ground {
    device: Device,
    to: Expected,
    fingers: usize,
}

impl Ground {
    /// Checks that the expected receiver lies there, before another finger comes down beside the `put` that did.
    async fn must_hold(&self, points: &[Point], put: usize, deadline: Deadline) -> Result<()> {
        let done = || format!("Put down {put} of {} fingers", self.fingers);
        must_lie_at(&self.device, &self.to, points, done, deadline).await
    }
}

async fn play_strokes(
    ground: &Ground,
    strokes: &[(Duration, String)],
    starts: &[(Duration, Point)],
    deadline: Deadline,
) -> Result<()> {
    let start = Instant::now();
    for (number, ((time, command), (_, at))) in strokes.iter().zip(starts).enumerate() {
        wait::until(start + *time).await;
        if !time.is_zero() {
            ground.must_hold(&[*at], number, deadline).await?;
        }
        command::run(&ground.device, command, deadline).await?;
    }
    Ok(())
}

/// The device is there for as long as the stream is open; its end takes all fingers away.
async fn play_segments(ground: &Ground, segments: &[Segment], deadline: Deadline) -> Result<()> {
    let mut device = ground.device.spawn("uinput -", deadline).await?;
    let start = Instant::now();
    let mut put = 0;
    let mut diverted = Ok(());
    for Segment { time, downs, script } in segments {
        wait::until(start + *time).await;
        diverted = ground.must_hold(downs, put, deadline).await;
        if diverted.is_err() {
            break;
        }
        device.write(script.as_bytes()).await?;
        put += downs.len();
    }
    device.close_input().await?;
    let ended = command::check(&collect(&mut *device, command::MAX_OUTPUT).await?);
    diverted.and(ended)
}

async fn play_events(ground: &Ground, events: &[TouchEvent], deadline: Deadline) -> Result<()> {
    let device = &ground.device;
    let start = Instant::now();
    let mut put = 0;
    let mut down: Option<TouchEvent> = None;
    for (position, event) in events.iter().enumerate() {
        let late = events.get(position + 1).is_some_and(|next| start.elapsed() >= next.time);
        if event.smoothing && late {
            continue;
        }
        wait::until(start + event.time).await;
        if event.phase == Phase::Down {
            if !event.time.is_zero() {
                ground.must_hold(&[event.at], put, deadline).await?;
            }
            put += 1;
        }
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
