//! `fingertip init --kde`: the desktop entry by which KWin gives this program pointer, keys and pictures.
//!
//! KWin asks no person: it gives them to whatever program an entry of the user's names. So the entry is a grant of this user to
//! every server of this program that is started later, and is written only when they agree to it.

use anyhow::bail;

use super::clients::Places;
use super::file::ConfigFile;
use super::record::Record;
use super::{agreed, program, show};
use crate::cli::init::Init;
use crate::home::Home;
use crate::logs;
use crate::platforms::desktop::KDE_GRANT;

/// What it is called where it is shown and kept.
const LABEL: &str = "KDE Plasma";
const NAME: &str = "kde";
/// The file, in the folder of this user's data.
const FILE: &str = "applications/fingertip-kde.desktop";

/// Shows, writes or takes back the entry.
pub(super) fn run(command: &Init, places: &Places, home: &Home) -> anyhow::Result<()> {
    if command.undo {
        return undo(command, places, home);
    }
    let (path, entry) = (places.data().join(FILE), entry(&program()?)?);
    if command.print {
        return Ok(logs::print(&format!("# {LABEL}: {}\n{entry}", path.display()))?);
    }
    let file = ConfigFile::at(&path, places.roots())?;
    let before = file.read()?;
    if before.as_deref() == Some(&entry) {
        return Ok(logs::print(&format!("{LABEL}: granted already by {}", file.path().display()))?);
    }
    logs::print(
        "KWin gives pointer, keys and pictures of the session to programs alone that a desktop entry of yours names.\n\
         With this one every server of this program can use them, whatever starts it:",
    )?;
    show(LABEL, file.path(), before.as_deref().unwrap_or_default(), &entry)?;
    if !agreed(command)? {
        return Ok(logs::print("left as it is")?);
    }
    let earlier = Record::load(home, NAME)?.filter(|earlier| earlier.path == file.path());
    let first = match earlier {
        Some(earlier) if before.as_deref() == Some(&earlier.after) => earlier.before,
        _ => before.clone(),
    };
    let record = Record { path: file.path().to_owned(), before: first, after: entry };
    // Kept first: what was written can always be taken back.
    record.save(home, NAME)?;
    file.replace(before.as_deref(), &record.after)?;
    logs::print("written; `fingertip init --kde --undo` takes it back")?;
    Ok(logs::print("Plasma notices it within seconds. Then start servers that run anew.")?)
}

fn undo(command: &Init, places: &Places, home: &Home) -> anyhow::Result<()> {
    let Some(record) = Record::load(home, NAME)? else {
        bail!("{LABEL} was not set up by `fingertip init --kde`; there is nothing to undo");
    };
    let file = ConfigFile::at(&record.path, places.roots())?;
    let now = file.read()?;
    if let Some(now) = now.as_deref().filter(|now| record.before.as_deref() != Some(now)) {
        if now != record.after {
            bail!("{} was changed since; take out its lines X-KDE-… by hand", file.path().display());
        }
        show(LABEL, file.path(), now, record.before.as_deref().unwrap_or_default())?;
        if !agreed(command)? {
            return Ok(logs::print("left as it is")?);
        }
        match &record.before {
            Some(before) => file.replace(Some(now), before)?,
            None => file.remove(now)?,
        }
    }
    Record::forget(home, NAME)?;
    Ok(logs::print(&format!("{LABEL}: undone"))?)
}

/// The entry for this program.
fn entry(program: &str) -> anyhow::Result<String> {
    if KDE_GRANT.is_empty() {
        bail!("this build does not serve Linux desktops; there is nothing to grant");
    }
    let granted: String = KDE_GRANT.iter().map(|(key, value)| format!("{key}={value}\n")).collect();
    Ok(format!(
        "[Desktop Entry]\n\
         Type=Application\n\
         Name=Fingertip\n\
         Comment=Lets Fingertip use pointer, keys and pictures of this session; by `fingertip init --kde`\n\
         Exec={}\n\
         NoDisplay=true\n\
         {granted}",
        quoted(program)?
    ))
}

/// A path as desktop entries write it.
fn quoted(program: &str) -> anyhow::Result<String> {
    let is_plain = |letter: char| letter.is_alphanumeric() || "/._-+@:,=~".contains(letter);
    match program {
        plain if plain.chars().all(is_plain) => Ok(plain.to_owned()),
        spaced if spaced.chars().all(|letter| is_plain(letter) || letter == ' ') => {
            Ok(format!("\"{spaced}\""))
        }
        other => {
            bail!("{other} has characters that a desktop entry cannot name for certain; move the program")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_is_written_so_that_kwin_finds_the_program() {
        assert_eq!(quoted("/usr/bin/fingertip").unwrap(), "/usr/bin/fingertip");
        assert_eq!(quoted("/home/a b/fingertip").unwrap(), "\"/home/a b/fingertip\"");
        for path in ["/a$b", "/a\"b", "/a%b", "/a\nExec=b", "/a`b`"] {
            assert!(quoted(path).is_err(), "{path}");
        }
    }
}
