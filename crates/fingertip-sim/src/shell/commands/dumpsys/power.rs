//! `dumpsys power` and `dumpsys battery`: whether the screen is on, and how full the phone is.

use super::super::Output;
use crate::SimPhone;

pub(super) fn run(phone: &SimPhone) -> Output {
    let awake = phone.with(|phone| phone.is_awake());
    let (wakefulness, display) = if awake { ("Awake", "ON") } else { ("Asleep", "OFF") };
    Output::success(format!(
        "POWER MANAGER (dumpsys power)\n\nPower Manager State:\n  mWakefulness={wakefulness}\n\
            \x20 mWakefulnessChanging=false\n  \
         mIsPowered=true\n  mHoldingDisplaySuspendBlocker={awake}\n\nDisplay Power: state={display}\n"
    ))
}

/// A phone on a desk: plugged in and full.
pub(super) fn battery() -> Output {
    Output::success(
        "Current Battery Service state:\n  AC powered: false\n  USB powered: true\n\
            \x20 Wireless powered: false\n  Dock powered: false\n  \
         Max charging current: 500000\n  status: 5\n  health: 2\n  present: true\n  level: 100\n\
             \x20 scale: 100\n  voltage: 4350\n  \
         temperature: 250\n  technology: Li-ion\n",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::{KeyCode, Profile};

    #[tokio::test]
    async fn a_sleeping_screen_is_off() {
        let phone = SimPhone::start(Profile::default());
        let says = |text: &str| String::from_utf8_lossy(&run(&phone).stdout).contains(text);
        assert!(says("\n  mWakefulness=Awake\n") && says("Display Power: state=ON\n"));
        phone.with(|phone| phone.key(KeyCode::SLEEP, 0));
        assert!(says("\n  mWakefulness=Asleep\n") && says("Display Power: state=OFF\n"));
    }
}
