//! Who would receive a touch or a key: asked of the window manager, which answers at once. A dump of the tree would
//! take a second or more, and never come on a screen that does not settle.

use std::time::Duration;

use fingertip_core::target::{Expected, diverted};
use fingertip_core::{Deadline, Point, Result, Window};

use crate::channel::Device;
use crate::parse::windows;
use crate::wait::pause;

/// The lines wanted of the list of windows.
const LINES: &str = "Window #|mDisplayId=|package=| ty=|fl=|Frames:|rame=|touchable region=|isVisible=|mHasSurface=|mCurrentFocus=";
/// What they can come to, in bytes.
const MAX_BYTES: usize = 1024 * 1024;
/// How long no window may have the focus, as while one gives way to another, until that counts as an answer.
const FOCUSED_WITHIN: Duration = Duration::from_secs(1);
/// How often it is looked at meanwhile.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// The windows that take touches or keys as the window manager lists them, topmost first.
pub(super) async fn listed(device: &Device, deadline: Deadline) -> Result<Vec<Window>> {
    let script = format!(
        "dumpsys window windows | grep -E '{LINES}'; dumpsys window displays | grep -E 'mCurrentFocus='"
    );
    let output = device.run(&script, MAX_BYTES, deadline).await?;
    Ok(windows::parse(&output.text()))
}

/// Checks that the expected receiver has the keyboard; `done` says how far the act came.
pub(super) async fn must_have_keyboard(
    device: &Device,
    to: &Expected,
    done: impl FnOnce() -> String,
    deadline: Deadline,
) -> Result<()> {
    if to.is_anyone() {
        return Ok(());
    }
    let limit = deadline.slice(FOCUSED_WITHIN);
    loop {
        let windows = listed(device, deadline).await?;
        let focused: Vec<&Window> = windows.iter().filter(|window| window.focused).collect();
        if focused.is_empty() && !limit.passed() {
            pause(LOOK_EVERY, limit).await;
            continue;
        }
        let other = focused.iter().find(|window| !to.accepts(window));
        if !focused.is_empty() && other.is_none() {
            return Ok(());
        }
        return Err(diverted(&done(), other.and_then(|window| window.app.as_deref())));
    }
}

/// Checks that the expected receiver lies topmost at these points; `done` says how far the act came.
pub(super) async fn must_lie_at(
    device: &Device,
    to: &Expected,
    points: &[Point],
    done: impl FnOnce() -> String,
    deadline: Deadline,
) -> Result<()> {
    if to.is_anyone() || points.is_empty() {
        return Ok(());
    }
    let windows = listed(device, deadline).await?;
    for point in points {
        let top = windows.iter().find(|window| window.bounds.contains(*point));
        if !top.is_some_and(|window| to.accepts(window)) {
            return Err(diverted(&done(), top.and_then(|window| window.app.as_deref())));
        }
    }
    Ok(())
}
