//! `fingertip-sim fault …`: switches faults on from the phone's own shell.

use std::sync::Arc;
use std::time::Duration;

use super::Output;
use crate::{AgentFault, FaultPlan, Latency, Presence, ServiceFault, SimPhone};

const USAGE: &str = "usage: fingertip-sim fault clear\n       fingertip-sim fault show\n\
    \x20      fingertip-sim fault latency MILLISECONDS [COMMAND…]\n       \
    fingertip-sim fault cut BYTES|off\n       fingertip-sim fault idle-wait MILLISECONDS|off\n       \
    fingertip-sim fault recorded FILE|off\n       \
    fingertip-sim fault garbage|frozen-screen|never-idle|null-root|screencap-fails|automation-taken|storage-full|no-inet on|off\n       \
    fingertip-sim fault presence online|offline|unauthorized|away\n\
        \x20      fingertip-sim fault reboot MILLISECONDS\n\
        \x20      fingertip-sim fault agent fine|no-start|silent-start|hung|other-version|killed\n\
        \x20      fingertip-sim runner PROGRAM ABI\n";

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    match words {
        ["fault", "show"] => Output::success(format!("{:#?}\n", phone.faults().plan())),
        ["fault", "reboot", milliseconds] => {
            let Some(away) = duration(milliseconds) else { return Output::failure(1, USAGE) };
            let phone = Arc::clone(phone);
            tokio::spawn(async move { phone.reboot(away).await });
            Output::default()
        }
        ["fault", "agent", "killed"] => {
            phone.automation().kill_agents();
            Output::default()
        }
        ["fault", rest @ ..] => {
            let mut plan = phone.faults().plan();
            if apply(&mut plan, rest).is_none() {
                return Output::failure(1, USAGE);
            }
            phone.faults().change(|current| *current = plan);
            Output::default()
        }
        ["runner", runner, abi] => {
            phone.run_programs_by(Some(runner), abi);
            Output::default()
        }
        _ => Output::failure(1, USAGE),
    }
}

/// Changes the plan as asked; `None` when the words make no sense.
fn apply(plan: &mut FaultPlan, words: &[&str]) -> Option<()> {
    match words {
        ["clear"] => *plan = FaultPlan::default(),
        ["latency", milliseconds, command @ ..] => {
            plan.latency.push(Latency { prefix: command.join(" "), delay: duration(milliseconds)? });
        }
        ["cut", "off"] => plan.cut_after = None,
        ["cut", bytes] => plan.cut_after = Some(bytes.parse().ok()?),
        ["idle-wait", "off"] => plan.idle_wait = None,
        ["idle-wait", milliseconds] => plan.idle_wait = Some(duration(milliseconds)?),
        ["garbage", switch] => plan.garbage = on(switch)?,
        ["frozen-screen", switch] => plan.frozen_screen = on(switch)?,
        ["never-idle", switch] => plan.never_idle = on(switch)?,
        ["null-root", switch] => plan.null_root = on(switch)?,
        ["automation-taken", switch] => plan.automation_taken = on(switch)?,
        ["storage-full", switch] => plan.storage_full = on(switch)?,
        ["no-inet", switch] => plan.no_inet = on(switch)?,
        ["services", "fine"] => plan.services = ServiceFault::None,
        ["services", "locked"] => plan.services = ServiceFault::Locked,
        ["services", "idle"] => plan.services = ServiceFault::Idle,
        ["agent", word] => plan.agent = agent(word)?,
        ["screencap-fails", switch] => plan.screencap_fails = on(switch)?,
        ["recorded", "off"] => plan.recorded = None,
        ["recorded", file] => plan.recorded = Some((*file).to_owned()),
        ["presence", "online"] => plan.presence = Presence::Online,
        ["presence", "offline"] => plan.presence = Presence::Offline,
        ["presence", "unauthorized"] => plan.presence = Presence::Unauthorized,
        ["presence", "away"] => plan.presence = Presence::Away,
        _ => return None,
    }
    Some(())
}

fn duration(milliseconds: &str) -> Option<Duration> {
    milliseconds.parse().ok().map(Duration::from_millis)
}

fn agent(word: &str) -> Option<AgentFault> {
    Some(match word {
        "fine" => AgentFault::None,
        "no-start" => AgentFault::NoStart,
        "silent-start" => AgentFault::SilentStart,
        "hung" => AgentFault::Hung,
        "other-version" => AgentFault::OtherVersion,
        _ => return None,
    })
}

fn on(word: &str) -> Option<bool> {
    match word {
        "on" => Some(true),
        "off" => Some(false),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[tokio::test]
    async fn faults_are_switched_on_and_off_by_words() {
        let phone = SimPhone::start(Profile::default());
        for words in [
            &["fault", "latency", "50", "input", "tap"][..],
            &["fault", "never-idle", "on"],
            &["fault", "cut", "9"],
            &["fault", "agent", "hung"],
            &["fault", "automation-taken", "on"],
            &["fault", "recorded", "/sdcard/other.xml"],
        ] {
            assert_eq!(run(&phone, words), Output::default(), "{words:?}");
        }
        let plan = phone.faults().plan();
        assert_eq!(plan.delay_of("input tap 1 2"), Some(Duration::from_millis(50)));
        assert!(plan.never_idle);
        assert_eq!(plan.cut_after, Some(9));
        assert_eq!(plan.recorded.as_deref(), Some("/sdcard/other.xml"));
        assert_eq!((plan.agent, plan.automation_taken), (AgentFault::Hung, true));
        run(&phone, &["fault", "clear"]);
        assert_eq!(phone.faults().plan(), FaultPlan::default());
    }

    #[tokio::test]
    async fn nonsense_changes_nothing() {
        let phone = SimPhone::start(Profile::default());
        for words in [&["fault"][..], &["fault", "cut", "x"], &["fault", "garbage", "maybe"], &["other"]] {
            assert_eq!(run(&phone, words), Output::failure(1, USAGE), "{words:?}");
        }
        assert_eq!(phone.faults().plan(), FaultPlan::default());
    }
}
