//! `pm` and `cmd package`: what is installed, and what starts it.

use std::sync::Arc;

use super::Output;
use crate::phone::Package;
use crate::{SimPhone, installed_app};

/// What Android prints of a match above each component.
const MATCH: &str = "priority=0 preferredOrder=0 match=0x108000 specificIndex=-1 isDefault=true";

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let packages = phone.with(|phone| phone.packages());
    let switched_on = |name: &str| phone.with(|phone| phone.is_enabled(name));
    match words {
        ["list", "packages", rest @ ..] if rest.contains(&"-d") => {
            let off: Vec<Package> =
                packages.iter().filter(|package| !switched_on(package.name)).cloned().collect();
            list(&off, rest)
        }
        ["list", "packages", rest @ ..] => list(packages, rest),
        ["install", rest @ ..] => phone.app.install(phone, rest),
        ["uninstall", rest @ ..] => phone.app.uninstall(phone, rest),
        ["path", installed_app::PACKAGE] => phone.app.path(),
        ["path", name, ..] => match packages.iter().find(|package| package.name == *name) {
            Some(package) => Output::success(format!("package:{}\n", path(package))),
            None => Output::failure(1, ""),
        },
        ["resolve-activity", rest @ ..] => resolve(packages, rest),
        ["query-activities", rest @ ..] => {
            let on: Vec<Package> =
                packages.iter().filter(|package| switched_on(package.name)).cloned().collect();
            query(&on, rest)
        }
        [word @ ("disable-user" | "enable"), rest @ ..] => switch(phone, *word == "enable", rest),
        ["clear", name, ..] => {
            let cleared = phone.with(|phone| phone.clear_data(name));
            if cleared { Output::success("Success\n") } else { Output::failure(1, "Failed\n") }
        }
        [unknown, ..] => Output {
            stdout: format!("Unknown command: {unknown}\n").into(),
            exit: u8::MAX,
            ..Output::default()
        },
        [] => Output::failure(
            u8::MAX,
            "Package manager (package) commands:\n  list packages [-f] [-U] [FILTER]\n  path PACKAGE\n",
        ),
    }
}

/// Switches a package off or on.
fn switch(phone: &SimPhone, on: bool, words: &[&str]) -> Output {
    let name = target(words).unwrap_or_default();
    if !phone.with(|phone| phone.set_enabled(name, on)) {
        let text = format!("java.lang.IllegalArgumentException: Unknown package: {name}\n");
        return Output::failure(u8::MAX, text);
    }
    let state = if on { "enabled" } else { "disabled-user" };
    Output::success(format!("Package {name} new state: {state}\n"))
}

/// Where the package's file is.
pub(super) fn path(package: &Package) -> String {
    format!("/system/app/{0}/{0}.apk", package.label.replace(' ', ""))
}

/// `package/.Class` where the class lies inside the package, `package/class` elsewhere.
pub(super) fn short_component(package: &str, class: &str) -> String {
    match class.strip_prefix(package).filter(|rest| rest.starts_with('.')) {
        Some(relative) => format!("{package}/{relative}"),
        None => format!("{package}/{class}"),
    }
}

fn list(packages: &[Package], words: &[&str]) -> Output {
    if words.contains(&"-3") {
        return Output::default();
    }
    let filter = words.iter().find(|word| !word.starts_with('-')).copied().unwrap_or_default();
    let line = |package: &Package| {
        let file = if words.contains(&"-f") { format!("{}=", path(package)) } else { String::new() };
        let version = if words.contains(&"--show-versioncode") {
            format!(" versionCode:{}", package.version_code)
        } else {
            String::new()
        };
        let uid = if words.contains(&"-U") { format!(" uid:{}", package.uid) } else { String::new() };
        format!("package:{file}{}{version}{uid}\n", package.name)
    };
    Output::success(
        packages.iter().filter(|package| package.name.contains(filter)).map(line).collect::<String>(),
    )
}

/// The words that name a package or a component: those that no option takes as its value.
fn target<'a>(words: &[&'a str]) -> Option<&'a str> {
    let mut words = words.iter();
    let mut found = None;
    while let Some(word) = words.next() {
        match *word {
            "-a" | "-c" | "-d" | "-t" | "-f" | "--user" | "--query-flags" => {
                words.next();
            }
            "-n" | "-p" => found = words.next().copied(),
            word if !word.starts_with('-') => found = Some(word),
            _ => {}
        }
    }
    found
}

fn resolve(packages: &[Package], words: &[&str]) -> Output {
    let name = target(words).map(|target| target.split('/').next().unwrap_or(target));
    let found = packages.iter().find(|package| Some(package.name) == name);
    let Some((package, class)) = found.and_then(|package| Some((package, package.launcher_activity?))) else {
        return Output::success("No activity found\n");
    };
    let component = short_component(package.name, class);
    if words.contains(&"--components") {
        return Output::success(format!("{component}\n"));
    }
    if words.contains(&"--brief") {
        return Output::success(format!("{MATCH}\n{component}\n"));
    }
    Output::success(format!(
        "{MATCH}\nActivityInfo:\n  name={class}\n  packageName={0}\n\
            \x20 enabled=true exported=true directBootAware=false\n  processName={0}\n",
        package.name
    ))
}

fn query(packages: &[Package], words: &[&str]) -> Output {
    let only = target(words);
    let found: Vec<String> = packages
        .iter()
        .filter(|package| only.is_none_or(|only| only == package.name))
        .filter_map(|package| Some(short_component(package.name, package.launcher_activity?)))
        .collect();
    if words.contains(&"--components") {
        return Output::success(found.iter().map(|component| format!("{component}\n")).collect::<String>());
    }
    if found.is_empty() {
        return Output::success("No activities found\n");
    }
    let mut text = format!("{} activities found:\n", found.len());
    for (index, component) in found.iter().enumerate() {
        text.push_str(&format!("  Activity #{index}:\n    {MATCH}\n    {component}\n"));
    }
    Output::success(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    const APPS: [Package; 2] = [
        Package {
            name: "org.a",
            label: "An App",
            uid: 10_001,
            version_name: "1.0",
            version_code: 1,
            launcher_activity: Some("org.a.Main"),
            activities: &["org.a.Main"],
        },
        Package {
            name: "org.b",
            label: "B",
            uid: 10_002,
            version_name: "2.0",
            version_code: 20,
            launcher_activity: None,
            activities: &[],
        },
    ];

    #[test]
    fn packages_are_listed_with_what_is_asked_for() {
        assert_eq!(list(&APPS, &[]).stdout, b"package:org.a\npackage:org.b\n");
        assert_eq!(
            list(&APPS, &["-f", "-U", "org.a"]).stdout,
            b"package:/system/app/AnApp/AnApp.apk=org.a uid:10001\n"
        );
    }

    #[test]
    fn an_activity_is_resolved_from_a_package_behind_options() {
        let expected = format!("{MATCH}\norg.a/.Main\n");
        assert_eq!(resolve(&APPS, &["--brief", "org.a"]).stdout, expected.as_bytes());
        let launcher = ["--brief", "-c", "android.intent.category.LAUNCHER", "org.a"];
        assert_eq!(resolve(&APPS, &launcher).stdout, expected.as_bytes());
        assert_eq!(resolve(&APPS, &["--brief", "org.b"]).stdout, b"No activity found\n");
    }

    #[test]
    fn activities_are_queried_in_two_forms() {
        let words = ["--brief", "-a", "android.intent.action.MAIN", "-c", "android.intent.category.LAUNCHER"];
        let expected = format!("1 activities found:\n  Activity #0:\n    {MATCH}\n    org.a/.Main\n");
        assert_eq!(query(&APPS, &words).stdout, expected.as_bytes());
        assert_eq!(query(&APPS, &["--components"]).stdout, b"org.a/.Main\n");
    }

    #[test]
    fn a_class_outside_its_package_keeps_its_whole_name() {
        assert_eq!(short_component("org.a", "org.a.ui.Main"), "org.a/.ui.Main");
        assert_eq!(short_component("org.a", "org.ab.Main"), "org.a/org.ab.Main");
    }
}
