//! Who would receive a touch or a key: asked of the window manager, which answers at once. A dump of the tree would
//! take a second or more, and on a screen that never rests not come at all.

use fingertip_core::{Deadline, Result, Window};

use super::ShellDriver;
use crate::driver::Driver;
use crate::parse::windows;

/// The lines wanted of the list of windows.
const LINES: &str = "Window #|mDisplayId=|package=| ty=|fl=|Frames:|rame=|touchable region=|isVisible=|mHasSurface=|mCurrentFocus=";
/// What they can come to, in bytes.
const MAX_BYTES: usize = 1024 * 1024;

impl ShellDriver {
    /// Reads the windows that take touches or keys, topmost first.
    pub(super) async fn read_receivers(&self, deadline: Deadline) -> Result<Vec<Window>> {
        let script = format!(
            "dumpsys window windows | grep -E '{LINES}'; dumpsys window displays | grep -E 'mCurrentFocus='"
        );
        let output = self.device.run(&script, MAX_BYTES, deadline).await?;
        let windows = windows::parse(&output.text());
        if windows.is_empty() {
            // A phone that lists them in a way not known here still shows its tree.
            let mut windows = self.snapshot(deadline).await?.windows().to_vec();
            windows.sort_by_key(|window| std::cmp::Reverse(window.layer));
            return Ok(windows);
        }
        Ok(windows)
    }
}
