//! Every variable of the environment that has a meaning here. One that looks like ours and is not known stops the
//! program: `FINGERTIP_READ_ONYL=true` must not leave a device open that was meant to be closed.
//!
//! Looks like ours: it begins with `FINGERTIP` and a separator, in any case; or it is a letter or two away from a name
//! of ours, separators and case aside (`FINGER_TIP_READ_ONLY`, `FINGERTIPS_READ_ONLY`). Names are case-sensitive, as in the
//! system: `fingertip_read_only` sets nothing, so it is refused like any other.

use std::ffi::OsString;
use std::path::Path;

use anyhow::bail;
use fingertip_core::visible;
use fingertip_mcp::nearest::{distance, nearest};

use super::Settings;
use crate::{home, logs, token};

/// The beginning of all our names, without the separator.
const PREFIX: &str = "FINGERTIP";

/// Names of the test and benchmark tooling, which the program may inherit.
const TOOLING: [&str; 11] = [
    "FINGERTIP_AGENT_JVM",
    "FINGERTIP_ANDROID_API",
    "FINGERTIP_BRIDGE",
    "FINGERTIP_BRIDGE_SECRET",
    "FINGERTIP_DUMPS",
    "FINGERTIP_MODEL_SEED",
    "FINGERTIP_MODEL_SEEDS",
    "FINGERTIP_PHONE_ROOT",
    "FINGERTIP_SIM_PROGRAMS",
    "FINGERTIP_SOAK",
    "FINGERTIP_TRANSCRIPT",
];

/// The beginning of the variables that hold secrets; the rest is the name of the secret.
const SECRET: &str = "FINGERTIP_SECRET_";

/// How many letters a name may differ from one of ours to be taken for a typo.
const TYPO: usize = 2;
/// Shorter names are not compared so: two letters more or less make them any word.
const TYPO_LETTERS: usize = PREFIX.len() + 4;

/// Names that users set.
fn settings() -> Vec<&'static str> {
    let settings = Settings::defaults(Path::new(""));
    let variables = settings.all().into_iter().map(|setting| setting.key().variable);
    variables.chain([home::VARIABLE, logs::VARIABLE, token::VARIABLE]).collect()
}

/// Refuses variables that look like ours and are not known.
///
/// # Errors
/// The first such name, with the nearest known one.
pub(crate) fn check(names: impl IntoIterator<Item = OsString>) -> anyhow::Result<()> {
    let settings = settings();
    let mut unknown: Vec<String> = names
        .into_iter()
        .map(|name| name.to_string_lossy().into_owned())
        .filter(|name| is_typo(name, &settings))
        .collect();
    unknown.sort();
    if let Some(name) = unknown.first() {
        let near = nearest(name, settings.iter().copied(), 1).first().copied().unwrap_or_default();
        let name = visible::escape(name);
        bail!(
            "there is no variable '{name}'; did you mean '{near}'? Rename it, or take it out of the environment"
        );
    }
    Ok(())
}

/// The name of the secret that a variable holds.
pub(super) fn secret(variable: &str) -> Option<&str> {
    variable.strip_prefix(SECRET).filter(|name| !name.is_empty())
}

fn is_typo(name: &str, settings: &[&str]) -> bool {
    if settings.contains(&name) || TOOLING.contains(&name) || secret(name).is_some() {
        return false;
    }
    let begins = name.get(..PREFIX.len()).is_some_and(|start| start.eq_ignore_ascii_case(PREFIX));
    if begins && name[PREFIX.len()..].starts_with(|next: char| !next.is_alphanumeric()) {
        return true;
    }
    let letters = letters(name);
    // Nothing of the environment that is so long can be near.
    let is_near = |known: &str| {
        let known = self::letters(known);
        known.len().abs_diff(letters.len()) <= TYPO && distance(&letters, &known) <= TYPO
    };
    letters.len() >= TYPO_LETTERS && settings.iter().any(|known| is_near(known))
}

/// The name without separators and case.
fn letters(name: &str) -> String {
    name.chars().filter(char::is_ascii_alphanumeric).map(|letter| letter.to_ascii_uppercase()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(name: &str) -> Option<String> {
        check([OsString::from(name)]).err().map(|error| error.to_string())
    }

    #[test]
    fn a_typo_is_refused_with_what_was_meant() {
        for (name, meant) in [
            ("FINGERTIP_READ_ONYL", "FINGERTIP_READ_ONLY"),
            ("FINGERTIP_READONLY", "FINGERTIP_READ_ONLY"),
            ("FINGERTIP_BLOCK_APP", "FINGERTIP_BLOCK_APPS"),
            ("fingertip_read_only", "FINGERTIP_READ_ONLY"),
            ("Fingertip_Confirm", "FINGERTIP_CONFIRM"),
            ("FINGERTIP-READ-ONLY", "FINGERTIP_READ_ONLY"),
            ("FINGERTIP.CONFIRM", "FINGERTIP_CONFIRM"),
            ("FINGERTIPS_READ_ONLY", "FINGERTIP_READ_ONLY"),
            ("FINGERTIPREAD_ONLY", "FINGERTIP_READ_ONLY"),
            ("FINGER_TIP_READ_ONLY", "FINGERTIP_READ_ONLY"),
            ("FINGRETIP_READ_ONLY", "FINGERTIP_READ_ONLY"),
            ("FINGERTIP_TOOL", "FINGERTIP_TOOLS"),
            ("FINGERTIP__TOOLS", "FINGERTIP_TOOLS"),
        ] {
            let said = refused(name).unwrap_or_else(|| panic!("{name} is accepted"));
            assert!(said.contains(&format!("'{name}'")) && said.contains(&format!("'{meant}'")), "{said}");
        }
        assert!(
            refused("FINGERTIP_").is_some() && refused("FINGERTIP_\u{202e}X").unwrap().contains("\\u{202e}")
        );
    }

    #[test]
    fn names_of_ours_and_of_others_are_accepted() {
        for name in settings().into_iter().chain(TOOLING) {
            assert_eq!(refused(name), None);
        }
        for name in [
            "FINGERTIP_SECRET_BANK_PIN",
            "PATH",
            "FINGERTIP",
            "FINGERTIPS",
            "FINGER",
            "READ_ONLY",
            "MY_FINGERTIP_READ_ONLY_NOTE",
            "",
            "é",
        ] {
            assert_eq!(refused(name), None);
        }
    }

    /// Whatever a script of this repository exports must not stop the program it tests.
    #[test]
    fn every_name_the_scripts_use_is_known() {
        let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let mut folders: Vec<_> = ["agent", "bench", "scripts", "tests"].map(|name| root.join(name)).into();
        let mut seen = 0;
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(folder).unwrap().map(Result::unwrap) {
                if entry.file_type().unwrap().is_dir() {
                    if !["node_modules", "target", "build"]
                        .contains(&entry.file_name().to_string_lossy().as_ref())
                    {
                        folders.push(entry.path());
                    }
                    continue;
                }
                let Ok(text) = std::fs::read_to_string(entry.path()) else { continue };
                for name in text.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_')) {
                    if name.starts_with("FINGERTIP_") {
                        seen += 1;
                        assert_eq!(refused(name), None, "in {}", entry.path().display());
                    }
                }
            }
        }
        assert!(seen > 10);
    }
}
