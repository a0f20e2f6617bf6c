//! `dumpsys SurfaceFlinger --display-id`: the physical display, which `screencap -d` names.

use super::super::Output;

/// The number of the phone's one display.
pub(super) const DISPLAY_ID: u64 = 4_619_827_259_835_644_672;

pub(super) fn run(words: &[&str]) -> Output {
    if words.contains(&"--display-id") {
        return Output::success(format!(
            "Display {DISPLAY_ID} (HWC display 0): port=0 pnpId=GGL displayName=\"EMU_display_0\"\n"
        ));
    }
    Output::success("Build configuration: [sf PRESENT_TIME_OFFSET=0]\n")
}
