//! `uiautomator dump`: the accessibility tree of the active window, or of all windows, as XML.
//!
//! Quirks kept: errors go to standard error and the exit code is 0 all the same; "hierchary" is how Android
//! spells it; with `/dev/tty` the message follows the XML without a line break.

mod xml;

use std::time::Duration;

use super::{Call, Closed, Output};
use crate::SimPhone;
use crate::phone::{Phone, reported};

/// Where the tree goes when no file is named.
const DEFAULT_FILE: &str = "/sdcard/window_dump.xml";

/// How long a quiet moment is waited for.
const IDLE_LIMIT: Duration = Duration::from_secs(10);

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let words = call.words();
    if words.first() != Some(&"dump") {
        return call.print(Output::failure(1, USAGE)).await;
    }
    let options = xml::Options {
        compressed: words.contains(&"--compressed"),
        windows: words.contains(&"--windows"),
        // Android 15 began to say these of each node.
        drawing_order_and_hint: call.phone.profile().sdk >= 35,
    };
    let file =
        words[1..].iter().find(|word| !word.starts_with('-')).copied().unwrap_or(DEFAULT_FILE).to_owned();
    if !is_idle(call.phone).await {
        return call.print(Output::failure(0, "ERROR: could not get idle state.\n")).await;
    }
    let plan = call.phone.faults().plan();
    let tree = match plan.recorded {
        _ if plan.null_root => None,
        Some(file) => {
            call.phone.files().read(&file).ok().map(|xml| String::from_utf8_lossy(&xml).into_owned())
        }
        None => call.phone.with(|phone| dump(phone, options)),
    };
    let Some(tree) = tree else {
        return call
            .print(Output::failure(0, "ERROR: null root node returned by UiTestAutomationBridge.\n"))
            .await;
    };
    if file == "/dev/tty" || file == "/dev/stdout" {
        call.stdout.write(tree).await?;
    } else {
        let now = call.phone.epoch_seconds();
        let written = call.phone.files().write(&file, tree.into(), 0o660, now);
        if let Err(error) = written {
            let text = format!("java.io.FileNotFoundException: {file}: open failed: {error}\n");
            return call.print(Output::failure(0, text)).await;
        }
    }
    call.stdout.write(format!("UI hierchary dumped to: {file}\n")).await?;
    Ok(0)
}

const USAGE: &str = "Usage: uiautomator <subcommand> [options]\n\nAvailable subcommands:\n\n\
    help: displays help message\n\n\
    dump: creates an XML dump of current UI hierarchy\n    dump [--verbose][file]\n\
        \x20     [--compressed]: dumps compressed layout information.\n      \
    [file]: the location where the dumped XML should be stored, default is\n      /sdcard/window_dump.xml\n\
        \n";

/// Whether the screen becomes idle; at once unless the phone is set to be as slow as a real one.
async fn is_idle(phone: &SimPhone) -> bool {
    let plan = phone.faults().plan();
    if plan.never_idle {
        return false;
    }
    let Some(quiet) = plan.idle_wait else { return true };
    let settle = async {
        loop {
            let still =
                phone.with(|phone| Duration::from_millis(phone.now().saturating_sub(phone.last_change())));
            if still >= quiet {
                return;
            }
            tokio::time::sleep(quiet - still).await;
        }
    };
    tokio::time::timeout(IDLE_LIMIT, settle).await.is_ok()
}

/// The XML; `None` when there is no active window.
fn dump(phone: &Phone, options: xml::Options) -> Option<String> {
    if options.windows {
        return Some(xml::windows(reported(phone.windows()), phone.rotation(), options));
    }
    let active = phone.windows().iter().find(|window| window.focused)?;
    Some(xml::hierarchy(&active.root, phone.rotation(), options))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::{Profile, WindowKind};

    #[test]
    fn a_toast_is_not_reported() {
        let mut window = Phone::new(Profile::default()).windows()[0].clone();
        assert_eq!(reported(std::slice::from_ref(&window)).count(), 1);
        window.kind = WindowKind::Toast;
        assert_eq!(reported(&[window]).count(), 0);
    }

    #[test]
    fn what_the_open_shade_covers_is_not_reported() {
        let mut phone = Phone::new(Profile::default());
        let kinds = |phone: &Phone| reported(phone.windows()).map(|window| window.kind).collect::<Vec<_>>();
        assert!(kinds(&phone).contains(&WindowKind::Application));
        phone.expand_notifications();
        assert!(kinds(&phone).contains(&WindowKind::NotificationShade));
        assert!(!kinds(&phone).contains(&WindowKind::Application));
    }
}
