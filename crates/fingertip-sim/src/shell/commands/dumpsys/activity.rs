//! `dumpsys activity [activities|top]`: the resumed activity.

use super::super::Output;
use super::super::pm::short_component;
use super::{activity_record, identity};
use crate::SimPhone;
use crate::phone::Phone;

pub(super) fn run(phone: &SimPhone, words: &[&str]) -> Output {
    Output::success(phone.with(|phone| match words.first() {
        Some(&"top") => top(phone),
        _ => activities(phone),
    }))
}

fn activities(phone: &Phone) -> String {
    let focus = phone.focus();
    let record = activity_record(&focus);
    let uid = phone
        .packages()
        .iter()
        .find(|package| package.name == focus.package)
        .map_or(10_000, |package| package.uid);
    // Android 12 renamed the line.
    let resumed = if phone.profile().sdk <= 30 {
        format!("mResumedActivity: {record}")
    } else {
        format!("topResumedActivity={record}")
    };
    let task = identity(&focus.package);
    format!(
        "ACTIVITY MANAGER ACTIVITIES (dumpsys activity activities)\n\
            Display #0 (activities from top to bottom):\n\
         \x20 * Task{{{task} #{0} type=standard A={uid}:{1} U=0 visible=true visibleRequested=true mode=fullscreen translucent=false sz=1}}\n\
         \x20   mLastPausedActivity: null\n    {resumed}\n    * Hist  #0: {record}\n\
             \x20     packageName={1} processName={1}\n\n\
         \x20 ResumedActivity: {record}\n",
        focus.task, focus.package,
    )
}

fn top(phone: &Phone) -> String {
    let focus = phone.focus();
    let component = short_component(&focus.package, &focus.activity);
    let pid = phone.pid_of(&focus.package).map_or_else(|| "(not running)".to_owned(), |pid| pid.to_string());
    format!(
        "TASK {} id={} userId=0\n  ACTIVITY {component} {} pid={pid}\n    Local Activity {} State:\n\
            \x20     mResumed=true mStopped=false mFinished=false\n",
        focus.package,
        focus.task,
        identity(&component),
        identity(&component),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[tokio::test]
    async fn the_resumed_activity_has_the_name_of_its_version() {
        let phone = SimPhone::start(Profile::default());
        let text = String::from_utf8(run(&phone, &["activities"]).stdout).unwrap();
        assert!(text.contains("\n    topResumedActivity=ActivityRecord{"), "{text}");
        assert!(text.contains("\n  ResumedActivity: ActivityRecord{"), "{text}");
        let old = SimPhone::start(Profile { sdk: 30, android: "11".into(), ..Profile::default() });
        let text = String::from_utf8(run(&old, &["activities"]).stdout).unwrap();
        assert!(text.contains("\n    mResumedActivity: ActivityRecord{"), "{text}");
    }
}
