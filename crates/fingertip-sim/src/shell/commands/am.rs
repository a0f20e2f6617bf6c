//! `am`: starting, stopping and signalling apps.

use std::sync::Arc;

use super::Output;
use super::pm::short_component;
use crate::SimPhone;
use crate::phone::{KeyCode, StartError};

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    match words {
        ["start" | "start-activity", rest @ ..] => start(phone, &Intent::parse(rest)),
        ["force-stop", rest @ ..] => {
            if let Some(package) = rest.last() {
                phone.with(|phone| phone.force_stop(package));
            }
            Output::default()
        }
        ["crash", rest @ ..] => {
            let exception = "android.app.RemoteServiceException$CrashedByAdbException: shell-induced crash";
            if let Some(package) = rest.last() {
                phone.with(|phone| phone.crash(package, exception));
            }
            Output::default()
        }
        ["broadcast", rest @ ..] => {
            let intent = Intent::parse(rest);
            if let Some(answer) =
                intent.component.and_then(|component| phone.app.order(phone, component, rest))
            {
                return answer;
            }
            Output::success(format!(
                "Broadcasting: Intent {{ {}flg=0x400000 }}\nBroadcast completed: result=0\n",
                intent.action_text()
            ))
        }
        ["get-current-user"] => Output::success("0\n"),
        [unknown, ..] => Output {
            stdout: format!("Unknown command: {unknown}\n").into(),
            exit: u8::MAX,
            ..Output::default()
        },
        [] => Output::failure(
            u8::MAX,
            "Activity manager (activity) commands:\n  start-activity [-W] [-S] <INTENT>\n\
                \x20 force-stop <PACKAGE>\n  crash <PACKAGE>\n  broadcast <INTENT>\n",
        ),
    }
}

/// The parts of an intent that matter here.
#[derive(Debug, Default, PartialEq, Eq)]
struct Intent<'a> {
    component: Option<&'a str>,
    action: Option<&'a str>,
    data: Option<&'a str>,
    categories: Vec<&'a str>,
    package: Option<&'a str>,
    wait: bool,
    stop_first: bool,
}

impl<'a> Intent<'a> {
    fn parse(words: &[&'a str]) -> Self {
        let mut intent = Self::default();
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            match word {
                "-n" => intent.component = words.next(),
                "-a" => intent.action = words.next(),
                "-d" => intent.data = words.next(),
                "-p" => intent.package = words.next(),
                "-c" => intent.categories.extend(words.next()),
                "-W" => intent.wait = true,
                "-S" => intent.stop_first = true,
                "-f" | "-t" | "--user" | "--display" | "--windowingMode" | "--activity-clear-top" => {
                    words.next();
                }
                "-e" | "--es" | "--ez" | "--ei" | "--el" | "--ef" | "--eu" => {
                    words.nth(1);
                }
                word if word.starts_with('-') => {}
                word if word.contains('/') && !word.contains("://") => intent.component = Some(word),
                word if word.contains(':') => intent.data = Some(word),
                word => intent.package = Some(word),
            }
        }
        intent
    }

    fn action_text(&self) -> String {
        let action = self.action.map(|action| format!("act={action} ")).unwrap_or_default();
        let categories = if self.categories.is_empty() {
            String::new()
        } else {
            format!("cat=[{}] ", self.categories.join(","))
        };
        let data = self.data.map(|data| format!("dat={data} ")).unwrap_or_default();
        format!("{action}{categories}{data}")
    }

    fn text(&self) -> String {
        let package = self.package.map(|package| format!("pkg={package} ")).unwrap_or_default();
        let component =
            self.component.map(|component| format!("cmp={} ", shorten(component))).unwrap_or_default();
        format!("Intent {{ {}{package}{component}}}", self.action_text())
    }

    fn is_home(&self) -> bool {
        self.categories.contains(&"android.intent.category.HOME")
    }
}

fn shorten(component: &str) -> String {
    match component.split_once('/') {
        Some((package, class)) if !class.starts_with('.') => short_component(package, class),
        _ => component.to_owned(),
    }
}

fn start(phone: &SimPhone, intent: &Intent<'_>) -> Output {
    let mut output = Output::success(format!("Starting: {}\n", intent.text()));
    if intent.is_home() {
        phone.with(|phone| phone.key(KeyCode::HOME, 0));
        return output;
    }
    let Some(component) = resolve(phone, intent) else {
        output.stderr = format!(
            "Error: Activity not started, unable to resolve {}\n",
            intent.text().replace(" }", " flg=0x10000000 }")
        )
        .into();
        output.exit = 1;
        return output;
    };
    let started = phone.with(|phone| {
        if intent.stop_first {
            let package = component.split('/').next().unwrap_or_default();
            phone.force_stop(package);
        }
        phone.start(&component)
    });
    match started {
        Ok(started) => {
            if started.brought_to_front {
                output.stderr.extend(
                    b"Warning: Activity not started, its current task has been brought to the front\n",
                );
            }
            if intent.wait {
                let state = if started.brought_to_front { "HOT" } else { "COLD" };
                let activity = short_component(started.package, started.activity);
                let text = format!(
                    "Status: ok\nLaunchState: {state}\nActivity: {activity}\nTotalTime: 180\n\
                        WaitTime: 183\nComplete\n"
                );
                output.stdout.extend(text.into_bytes());
            }
        }
        Err(StartError::NotFound(_)) => {
            output.stderr =
                format!("Error type 3\nError: Activity class {{{}}} does not exist.\n", full(&component))
                    .into();
            output.exit = 1;
        }
        Err(_) => {
            output = Output::failure(
                u8::MAX,
                format!(
                    "\nException occurred while executing 'start':\n\
                        java.lang.IllegalArgumentException: Bad component name: {component}\n"
                ),
            );
        }
    }
    output
}

/// `package/class` with the class written out.
fn full(component: &str) -> String {
    match component.split_once('/') {
        Some((package, class)) if class.starts_with('.') => format!("{package}/{package}{class}"),
        _ => component.to_owned(),
    }
}

/// The component an intent means, by name, by package or by the few actions the phone's apps answer.
fn resolve(phone: &SimPhone, intent: &Intent<'_>) -> Option<String> {
    if let Some(component) = intent.component {
        return Some(component.to_owned());
    }
    let packages = phone.with(|phone| phone.packages());
    let wanted = match (intent.package, intent.action) {
        (Some(package), _) => package,
        (None, Some(action)) if action.starts_with("android.settings.") => "com.android.settings",
        _ => return None,
    };
    let package = packages.iter().find(|package| package.name == wanted)?;
    Some(format!("{}/{}", package.name, package.launcher_activity?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intents_are_read_and_shown_as_android_does() {
        let intent = Intent::parse(&[
            "-W",
            "-n",
            "org.a/org.a.Main",
            "-a",
            "android.intent.action.MAIN",
            "--es",
            "k",
            "v",
        ]);
        assert!(intent.wait);
        assert_eq!(intent.text(), "Intent { act=android.intent.action.MAIN cmp=org.a/.Main }");
        let view = Intent::parse(&["-a", "android.intent.action.VIEW", "-d", "https://example.org/x"]);
        assert_eq!(view.text(), "Intent { act=android.intent.action.VIEW dat=https://example.org/x }");
    }

    #[test]
    fn an_activity_that_does_not_exist_fails_as_on_a_phone() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let _guard = runtime.enter();
        let phone = SimPhone::start(crate::phone::Profile::default());
        let output = run(&phone, &["start", "-n", "org.none/.Main"]);
        assert_eq!(output.stdout, b"Starting: Intent { cmp=org.none/.Main }\n");
        assert_eq!(
            output.stderr,
            b"Error type 3\nError: Activity class {org.none/org.none.Main} does not exist.\n"
        );
        assert_eq!(output.exit, 1);
    }
}
