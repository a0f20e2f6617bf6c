//! `fingertip phone install` and `uninstall`: the app on a phone, from a computer.
//!
//! Rules: accessibility services that are on stay on; what is pushed is removed; each state in which the app cannot serve
//! is reported with what to do, and nothing is called done that the phone did not confirm. The app answers orders only of
//! the shell.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::{Context, bail};
use fingertip_core::visible;
use serde::Deserialize;

use super::remote::{Facts, Remote, quoted};
use crate::cli::phone::Install;
use crate::{logs, qr};

const PACKAGE: &str = "dev.fingertip.app";
const SERVICE: &str = "dev.fingertip.app/dev.fingertip.app.ScreenService";
const RECEIVER: &str = "dev.fingertip.app/.ComputerReceiver";
const SETTINGS: &str = "dev.fingertip.app/.SettingsActivity";
/// Where Android keeps which accessibility services are on.
const SERVICES: &str = "enabled_accessibility_services";
/// Where the package is while it is installed.
const PUSHED: &str = "/data/local/tmp/fingertip.apk";
const FILE: &str = "fingertip.apk";
/// The oldest level of Android's interfaces that the app is made for: Android 11.
const OLDEST_SDK: u32 = 30;
/// The processor that the server in the app is built for.
const ABI: &str = "arm64-v8a";
/// How long the app may take until it serves and its service is on.
const SERVES_WITHIN: Duration = Duration::from_secs(20);
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// The largest package that is installed, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;

/// What the app says of itself.
#[derive(Debug, Deserialize)]
struct Answer {
    /// Whether its accessibility service is on.
    connected: bool,
    failed: bool,
    state: String,
    urls: Vec<String>,
}

/// Installs the app, switches its service on, starts its server.
pub(super) async fn install(options: &Install) -> anyhow::Result<()> {
    let remote = Remote::find(options.which.serial.as_deref()).await?;
    let facts = remote.facts().await?;
    fitting(&facts)?;
    let path = find(options.apk.as_deref())?;
    let package = read(&path)?;
    logs::say(&format!("installing {} ({} bytes) on {}", path.display(), package.len(), remote.serial()));
    put(&remote, &package).await?;
    switch_on(&remote).await?;
    // In front, an app may show that it serves.
    remote.ask(&format!("am start -n {SETTINGS}")).await?;
    let network = if options.network { " --ez network true" } else { "" };
    order(&remote, &format!("-a {PACKAGE}.START{network}")).await?;
    let answer = serving(&remote).await?;
    Ok(logs::print(&report(&facts, &answer))?)
}

/// Removes the app; its settings, token and certificate go with it.
pub(super) async fn uninstall(remote: &Remote) -> anyhow::Result<()> {
    if !is_installed(remote).await? {
        return Ok(logs::print(&format!("the app is not on {}", remote.serial()))?);
    }
    let listed = remote.ask(&format!("settings get secure {SERVICES}")).await?;
    if let Some(others) = without(&listed) {
        remote.ask(&format!("settings put secure {SERVICES} {}", quoted(&others))).await?;
    }
    let said = remote.ask_patiently(&format!("pm uninstall {PACKAGE}")).await?;
    if is_installed(remote).await? {
        bail!("the phone did not remove the app: {}", visible::escape_lines(said.trim()));
    }
    Ok(logs::print(&format!("the app is removed from {}, with its token and settings", remote.serial()))?)
}

async fn is_installed(remote: &Remote) -> anyhow::Result<bool> {
    Ok(remote.ask(&format!("pm path {PACKAGE}")).await?.contains("package:"))
}

/// Whether the app can run on such a phone.
fn fitting(facts: &Facts) -> anyhow::Result<()> {
    let Facts { sdk, android, abi, .. } = facts;
    if *sdk < OLDEST_SDK {
        bail!(
            "the phone has Android {android} (level {sdk}); the app needs Android 11 or newer, use `fingertip phone start`"
        );
    }
    if abi != ABI {
        bail!("the phone's processor is '{abi}'; the app is built for {ABI}, use `fingertip phone start`");
    }
    Ok(())
}

/// The package: the one given, else one that lies ready.
fn find(given: Option<&Path>) -> anyhow::Result<PathBuf> {
    if let Some(path) = given {
        return Ok(path.to_owned());
    }
    let this = std::env::current_exe().context("this program does not know where it is")?;
    let folder = this.parent().unwrap_or(Path::new("."));
    let tree = folder.parent().filter(|folder| folder.ends_with("target")).and_then(Path::parent);
    let places = [Some(folder.to_owned()), Some(folder.join("dist")), tree.map(|tree| tree.join("dist"))];
    let found = places.into_iter().flatten().map(|place| place.join(FILE)).find(|path| path.is_file());
    found.with_context(|| {
        format!("there is no {FILE} beside {} or in dist/; build it with `scripts/package-apk`, or name one with --apk", this.display())
    })
}

fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let about = || format!("cannot read {}", path.display());
    if std::fs::metadata(path).with_context(about)?.len() > MAX_BYTES {
        bail!("{} is larger than any package of the app", path.display());
    }
    std::fs::read(path).with_context(about)
}

/// Installs the package, over an older one of the same signer.
async fn put(remote: &Remote, package: &[u8]) -> anyhow::Result<()> {
    let pushed = remote.write(PUSHED, package).await;
    let said = match pushed {
        // With what a user is asked for at run time: notifications.
        Ok(()) => remote.ask_patiently(&format!("pm install -r -g {PUSHED}")).await,
        Err(error) if error.to_string().contains("No space left") => Ok(error.to_string()),
        Err(error) => Err(error),
    };
    remote.ask(&format!("rm -f {PUSHED}")).await?;
    let said = said?;
    if !is_installed(remote).await? || !said.contains("Success") {
        bail!(explained(&said));
    }
    Ok(())
}

/// Why a package was not installed, by what the phone says.
fn explained(said: &str) -> String {
    let said = visible::escape_lines(said.trim());
    let advice = [
        ("INSUFFICIENT_STORAGE", "the phone's storage is full"),
        ("No space left", "the phone's storage is full"),
        (
            "UPDATE_INCOMPATIBLE",
            "an app signed by somebody else is there; remove it first with `fingertip phone uninstall`",
        ),
        ("VERSION_DOWNGRADE", "a newer version is there; remove it first with `fingertip phone uninstall`"),
        (
            "USER_RESTRICTED",
            "the phone does not let adb install apps; in its developer options switch on \"Install via USB\"",
        ),
        (
            "VERIFICATION_FAILURE",
            "the phone's protection did not let it; confirm it on the screen, or allow it there",
        ),
        ("NO_MATCHING_ABIS", "this package has no server for the phone's processor"),
        ("OLDER_SDK", "the phone's Android is too old for it"),
        ("NOT_APK", "the file is no package of an app"),
    ];
    let why = advice
        .iter()
        .find(|(word, _)| said.contains(word))
        .map_or("the phone did not install the app", |(_, why)| why);
    format!("{why}: {said}")
}

/// Adds our service to those that are on, and sees that it was taken.
async fn switch_on(remote: &Remote) -> anyhow::Result<()> {
    let ask = format!("settings get secure {SERVICES}");
    let Some(services) = with(&remote.ask(&ask).await?) else { return Ok(()) };
    remote
        .ask(&format!(
            "settings put secure {SERVICES} {}; settings put secure accessibility_enabled 1",
            quoted(&services)
        ))
        .await?;
    if with(&remote.ask(&ask).await?).is_some() {
        bail!("the phone does not let the shell switch accessibility services on; {BY_HAND}");
    }
    Ok(())
}

/// What a user does where the shell may not.
const BY_HAND: &str = "switch it on by hand: Settings, Accessibility, Fingertip (where the switch is greyed out: App info of \
    Fingertip, menu, \"Allow restricted settings\")";

fn services(listed: &str) -> impl Iterator<Item = &str> {
    listed.trim().split(':').filter(|service| !service.is_empty() && *service != "null")
}

/// Ours, by its whole name or the short form of it.
fn is_ours(service: &str) -> bool {
    service == SERVICE || service == "dev.fingertip.app/.ScreenService"
}

/// The list with our service on it; `None` when it is.
fn with(listed: &str) -> Option<String> {
    if services(listed).any(is_ours) {
        return None;
    }
    Some(services(listed).chain([SERVICE]).collect::<Vec<_>>().join(":"))
}

/// The list without our service; `None` when it is not on it.
fn without(listed: &str) -> Option<String> {
    services(listed)
        .any(is_ours)
        .then(|| services(listed).filter(|service| !is_ours(service)).collect::<Vec<_>>().join(":"))
}

/// Sends the app an order, or asks how it is; what it answers.
async fn order(remote: &Remote, words: &str) -> anyhow::Result<Option<Answer>> {
    let said = remote.ask(&format!("am broadcast -n {RECEIVER} {words}")).await?;
    Ok(answer(&said))
}

/// The answer of a receiver, as `am` prints it.
fn answer(said: &str) -> Option<Answer> {
    let (_, data) = said.split_once("data=\"")?;
    let (data, _) = data.rsplit_once('"')?;
    serde_json::from_str(data).ok()
}

/// Waits until the app serves and sees the screen.
async fn serving(remote: &Remote) -> anyhow::Result<Answer> {
    let begun = Instant::now();
    loop {
        let answer = order(remote, &format!("-a {PACKAGE}.STATUS")).await?;
        let late = begun.elapsed() > SERVES_WITHIN;
        match answer {
            Some(answer) if answer.failed => bail!("{}", visible::escape(&answer.state)),
            Some(answer) if answer.connected && !answer.urls.is_empty() => return Ok(answer),
            Some(answer) if late && answer.urls.is_empty() => {
                bail!("the app does not serve yet; it says: {}", visible::escape(&answer.state));
            }
            Some(_) if late => bail!("the app serves, but its accessibility service is off; {BY_HAND}"),
            None if late => bail!("the app is installed and does not answer; open it on the phone"),
            _ => tokio::time::sleep(LOOK_EVERY).await,
        }
    }
}

fn report(facts: &Facts, answer: &Answer) -> String {
    let mut text = format!("the app serves on {}\n", visible::escape(&facts.model));
    for url in &answer.urls {
        text.push_str(&format!("address:     {}\n", visible::escape(url)));
    }
    text.push_str("token:       in the app, under \"Who may connect\"\n");
    let url = answer.urls.first().map_or("", String::as_str);
    if url.contains("127.0.0.1") {
        let port = url.rsplit(':').next().and_then(|rest| rest.split('/').next()).unwrap_or_default();
        text.push_str(&format!(
            "Only programs on the phone reach it, and this computer after `adb forward tcp:{port} tcp:{port}`; install with \
             --network, or switch it on in the app, for others.\n"
        ));
    } else {
        text.push_str(&qr::drawn(url).unwrap_or_default());
        text.push_str("Whoever is on the same network and has the token controls the phone.\n");
    }
    text.push_str("It starts with the phone when \"Start with the phone\" is on in the app. `fingertip phone uninstall` removes it.");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn services_of_others_stay_on() {
        let talkback = "com.google.android.marvin.talkback/.TalkBackService";
        assert_eq!(with("null\n").as_deref(), Some(SERVICE));
        assert_eq!(with(talkback), Some(format!("{talkback}:{SERVICE}")));
        assert_eq!(with(&format!("{SERVICE}:{talkback}")), None);
        assert_eq!(with("dev.fingertip.app/.ScreenService"), None);
        assert_eq!(without(&format!("{talkback}:{SERVICE}:a/b")), Some(format!("{talkback}:a/b")));
        assert_eq!(without(talkback), None);
    }

    #[test]
    fn the_answer_is_found_in_what_am_prints() {
        let said = "Broadcasting: Intent { }\nBroadcast completed: result=-1, \
            data=\"{\"connected\":true,\"failed\":false,\"state\":\"Serving at \\\"x\\\"\",\"urls\":[\"https://h:1/mcp\"]}\"\n";
        let answer = answer(said).unwrap();
        assert_eq!((answer.connected, answer.urls), (true, vec!["https://h:1/mcp".to_owned()]));
        for none in ["", "Broadcast completed: result=0", "data=\"x\"", "data=\"{}\""] {
            assert!(super::answer(none).is_none(), "{none}");
        }
    }

    #[test]
    fn phones_and_packages_that_do_not_fit_are_refused_with_the_reason() {
        let facts = |sdk, abi: &str| Facts { sdk, abi: abi.to_owned(), ..Facts::default() };
        assert!(fitting(&facts(34, ABI)).is_ok());
        for (facts, word) in [(facts(29, ABI), "Android 11"), (facts(34, "x86_64"), "x86_64")] {
            let why = fitting(&facts).unwrap_err().to_string();
            assert!(why.contains(word) && why.contains("phone start"), "{why}");
        }
        for (said, word) in [
            ("Failure [INSTALL_FAILED_INSUFFICIENT_STORAGE]", "storage is full"),
            ("couldn't create file: No space left on device", "storage is full"),
            ("Failure [INSTALL_FAILED_VERSION_DOWNGRADE: x]", "a newer version is there"),
            ("Failure [INSTALL_FAILED_NO_MATCHING_ABIS: x]", "the phone's processor"),
            ("Failure [INSTALL_FAILED_OLDER_SDK: x]", "too old"),
            ("Failure [INSTALL_FAILED_UPDATE_INCOMPATIBLE: x]", "signed by somebody else"),
            ("Failure [INSTALL_FAILED_USER_RESTRICTED: x]", "Install via USB"),
            ("nothing of it", "did not install"),
        ] {
            assert!(explained(said).contains(word), "{said}");
        }
    }
}
