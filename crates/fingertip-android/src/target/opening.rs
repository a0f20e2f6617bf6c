//! Opening and closing applications of a phone, by the commands every Android has, whichever driver serves.
//!
//! An application is a package with an icon. What is sent to the phone's shell is made of names that were checked letter
//! by letter and found in the phone's own list, and of one URL; each word is quoted.

use std::collections::BTreeSet;
use std::time::Duration;

use async_trait::async_trait;
use fingertip_core::prelude::*;
use fingertip_core::target::{
    AppRef, ClosedApp, Installed, InstalledApps, LaunchPlan, LaunchRequest, Launched, MOST_INSTALLED,
};
use fingertip_core::{Candidate, Deadline, Error, Reason, Result, Window};

use super::AndroidTarget;
use crate::apps::{MAX_PROCESSES, PROCESSES, processes};
use crate::parse::packages::{activities, is_package, packages};
use crate::quote::shell_quoted;
use crate::shell::command;
use crate::wait::pause;

/// The activities that have an icon.
const ICONS: &str =
    "cmd package query-activities --brief -a android.intent.action.MAIN -c android.intent.category.LAUNCHER";
/// All packages, and those that are switched off.
const PACKAGES: &str = "pm list packages";
const SWITCHED_OFF: &str = "pm list packages -d";
/// What parts their outputs.
const PART: &str = "--fingertip--";
/// The most that is read of them, in bytes.
const MAX_OUTPUT: usize = 4 * 1024 * 1024;
/// As an icon does it: a task of its own, or the one that is there, as its user left it.
const AS_AN_ICON: &str = "0x10200000";
/// How long an application may take to be in front.
const IN_FRONT_WITHIN: Duration = Duration::from_secs(10);
/// How long one that was stopped may take to be gone.
const GONE_WITHIN: Duration = Duration::from_secs(5);
/// What is kept of the deadline for the last look and the answer.
const ANSWER: Duration = Duration::from_secs(2);
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(120);
/// How many applications an error names.
const MOST_NAMED: usize = 5;

/// What is installed.
struct Known {
    /// Packages with the activity their icons open.
    icons: Vec<(String, String)>,
    all: BTreeSet<String>,
    switched_off: BTreeSet<String>,
}

#[async_trait]
impl Applications for AndroidTarget {
    async fn installed(&self, deadline: Deadline) -> Result<InstalledApps> {
        let known = self.known(deadline).await?;
        let off =
            known.switched_off.iter().filter(|package| !known.icons.iter().any(|(icon, _)| icon == *package));
        let off = off.map(|package| (package, Some("it is switched off in the settings".into())));
        let icons = known.icons.iter().map(|(package, _)| (package, None));
        let mut apps: Vec<Installed> = icons
            .chain(off)
            .map(|(package, closed)| Installed {
                id: package.as_str().into(),
                name: package.as_str().into(),
                programs: vec![package.as_str().into()],
                closed,
            })
            .collect();
        apps.sort_by(|one, other| one.id.cmp(&other.id));
        let truncated = apps.len() > MOST_INSTALLED;
        apps.truncate(MOST_INSTALLED);
        Ok(InstalledApps { apps, truncated })
    }

    async fn plan_launch(&self, request: &LaunchRequest, deadline: Deadline) -> Result<LaunchPlan> {
        let url = request.document.as_deref();
        if url.is_some_and(|url| url.starts_with(['/', '~']) || url.to_lowercase().starts_with("file:")) {
            return Err(Error::invalid(
                "Parameter 'file' must be a URL on a phone, which shares no files by path.",
            ));
        }
        let known = self.known(deadline).await?;
        let (package, component) = find(&known, &request.app)?;
        let mut words: Vec<&str> = vec!["am", "start"];
        match url {
            None => words.extend([
                "-a",
                "android.intent.action.MAIN",
                "-c",
                "android.intent.category.LAUNCHER",
                "-f",
                AS_AN_ICON,
                "-n",
                component,
            ]),
            // Only to this package: no other that could open it is asked.
            Some(url) => words.extend(["-a", "android.intent.action.VIEW", "-d", url, "-p", package]),
        }
        Ok(LaunchPlan {
            id: package.into(),
            name: package.into(),
            programs: vec![package.into()],
            words: words.into_iter().map(str::to_owned).collect(),
            document: request.document.clone(),
            vetted: true,
            ..LaunchPlan::default()
        })
    }

    async fn launch(&self, plan: &LaunchPlan, deadline: Deadline) -> Result<Launched> {
        self.choice(deadline).await?;
        let was_running = !self.processes_of(&plan.id, deadline).await?.is_empty();
        let words: Vec<String> = plan.words.iter().map(|word| shell_quoted(word)).collect();
        command::run(self.device(), &words.join(" "), deadline)
            .await
            .map_err(|error| error.with_app(&*plan.id))?;
        let limit = deadline.earlier(ANSWER).slice(IN_FRONT_WITHIN);
        loop {
            let windows = self.receivers(deadline).await?;
            let front = windows.into_iter().find(|window| window.focused);
            if let Some(window) = front.as_ref().filter(|window| window.app.as_deref() == Some(&plan.id)) {
                return Ok(Launched { window: Some(window.clone()), was_running, note: None });
            }
            if limit.passed() {
                return Err(covered(&plan.id, front.as_ref()));
            }
            pause(LOOK_EVERY, limit).await;
        }
    }
}

#[async_trait]
impl AppCloser for AndroidTarget {
    async fn close_app(&self, app: &AppRef, deadline: Deadline) -> Result<ClosedApp> {
        let known = self.known(deadline).await?;
        let (package, _) = find(&known, &app.name)?;
        let own = |windows: Vec<Window>| {
            windows.into_iter().filter(|window| window.app.as_deref() == Some(package)).collect::<Vec<_>>()
        };
        let before = own(self.receivers(deadline).await?).len();
        let running = !self.processes_of(package, deadline).await?.is_empty();
        if !running && before == 0 {
            return Err(Error::new(
                Reason::NotRunning,
                format!("'{package}' is not running; nothing was done."),
            )
            .with_app(package));
        }
        command::run(self.device(), &format!("am force-stop {}", shell_quoted(package)), deadline).await?;
        let limit = deadline.earlier(ANSWER).slice(GONE_WITHIN);
        loop {
            let left = own(self.receivers(deadline).await?);
            let still_running = !self.processes_of(package, deadline).await?.is_empty();
            if left.is_empty() && !still_running || limit.passed() {
                return Ok(ClosedApp { windows: before.saturating_sub(left.len()), left, still_running });
            }
            pause(LOOK_EVERY, limit).await;
        }
    }
}

impl AndroidTarget {
    async fn known(&self, deadline: Deadline) -> Result<Known> {
        self.choice(deadline).await?;
        let questions = format!("{ICONS}; echo {PART}; {PACKAGES}; echo {PART}; {SWITCHED_OFF}");
        let text = self.device().run(&questions, MAX_OUTPUT, deadline).await?.text();
        let mut parts = text.split(PART);
        let mut next = || parts.next().unwrap_or_default();
        let known =
            Known { icons: activities(next()), all: packages(next()), switched_off: packages(next()) };
        if known.icons.is_empty() && known.all.is_empty() {
            return Err(Error::new(Reason::ActionFailed, "The phone does not say what is installed."));
        }
        Ok(known)
    }

    async fn processes_of(&self, package: &str, deadline: Deadline) -> Result<BTreeSet<u32>> {
        let listed = self.device().run(PROCESSES, MAX_PROCESSES, deadline).await?.text();
        Ok(processes(package, "", &listed))
    }
}

/// The package that is meant and the activity of its icon: by its name, or by the last word of it where only one has that.
fn find<'a>(known: &'a Known, wanted: &str) -> Result<(&'a str, &'a str)> {
    if let Some((package, component)) = known.icons.iter().find(|(package, _)| package == wanted) {
        return Ok((package, component));
    }
    if known.all.contains(wanted) {
        return Err(without_icon(known, wanted));
    }
    let ends_so =
        |package: &str| package.rsplit('.').next().is_some_and(|word| word.eq_ignore_ascii_case(wanted));
    let found: Vec<_> = known.icons.iter().filter(|(package, _)| ends_so(package)).collect();
    match found.as_slice() {
        [(package, component)] => Ok((package, component)),
        [] => Err(missing(known, wanted)),
        several => Err(Error::new(
            Reason::Ambiguous,
            format!("{} applications are called '{wanted}'; nothing was done.", several.len()),
        )
        .with_guidance("Name it by its package.")
        .with_candidates(several.iter().map(|(package, _)| candidate(package)).collect())),
    }
}

fn candidate(package: &str) -> Candidate {
    Candidate { id: package.to_owned(), label: "an application with an icon".to_owned() }
}

fn without_icon(known: &Known, package: &str) -> Error {
    if known.switched_off.contains(package) {
        return Error::new(
            Reason::Disabled,
            format!("'{package}' is installed and switched off; nothing was done."),
        )
        .with_guidance("Its user can switch it on in the settings, under apps.")
        .with_app(package);
    }
    Error::new(Reason::Unsupported, format!("'{package}' is installed and has no icon; nothing was done."))
        .with_guidance(
            "It is a part of the system or of another application; list_apps lists what can be opened.",
        )
        .with_app(package)
}

fn missing(known: &Known, wanted: &str) -> Error {
    let shown: String = wanted.chars().take(100).collect();
    let lower = shown.to_lowercase();
    let near = known.icons.iter().filter(|(package, _)| package.to_lowercase().contains(&lower));
    let candidates = near.take(MOST_NAMED).map(|(package, _)| candidate(package)).collect();
    let what =
        if is_package(&shown) { "is not installed" } else { "is no package, and no application ends so" };
    Error::new(Reason::NotFound, format!("'{shown}' {what}; nothing was done."))
        .with_guidance("list_apps lists what can be opened.")
        .with_candidates(candidates)
        .with_app(shown)
}

fn covered(package: &str, front: Option<&Window>) -> Error {
    let who = front.and_then(|window| window.app.as_deref());
    let message = match who {
        Some(other) => format!("'{package}' was started, but '{other}' is in front of it."),
        None => format!("'{package}' was started, but is not in front."),
    };
    Error::new(Reason::Covered, message)
        .with_guidance(
            "Look at the screen: a dialog may ask for something first, or the phone may be locked.",
        )
        .with_app(who.unwrap_or(package))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known() -> Known {
        let names = |list: &[&str]| list.iter().map(|name| (*name).to_owned()).collect();
        Known {
            icons: ["com.a.mail", "com.b.mail", "com.a.Notes"]
                .iter()
                .map(|package| ((*package).to_owned(), format!("{package}/.Main")))
                .collect(),
            all: names(&["com.a.mail", "com.b.mail", "com.a.Notes", "com.off", "com.part"]),
            switched_off: names(&["com.off"]),
        }
    }

    #[test]
    fn each_way_of_not_being_there_is_another_answer() {
        let known = known();
        assert_eq!(find(&known, "com.a.mail").unwrap(), ("com.a.mail", "com.a.mail/.Main"));
        assert_eq!(find(&known, "notes").unwrap().0, "com.a.Notes");
        let reason = |wanted: &str| find(&known, wanted).unwrap_err().reason();
        assert_eq!(reason("mail"), Reason::Ambiguous);
        assert_eq!(reason("com.off"), Reason::Disabled);
        assert_eq!(reason("com.part"), Reason::Unsupported);
        assert_eq!(reason("com.none"), Reason::NotFound);
        assert_eq!(reason("com.a.mail; reboot"), Reason::NotFound);
    }
}
