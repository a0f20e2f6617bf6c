//! One desktop entry: the keys of its first group that matter here.

use std::path::PathBuf;

use super::Places;

/// The longest value that is kept, in bytes.
const MAX_VALUE: usize = 8192;

/// A desktop entry.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Entry {
    /// Its id: the name of its file, folders included.
    pub(crate) id: String,
    /// What a person calls it.
    pub(crate) name: String,
    /// Its command line as it is written.
    pub(crate) exec: Option<String>,
    /// A program without which it is not there.
    pub(crate) try_exec: Option<String>,
    /// The class of its windows.
    pub(crate) window_class: Option<String>,
    /// The types of files and URLs it opens.
    pub(crate) types: Vec<String>,
    /// What sort of program it is, in the words of the menu specification.
    pub(crate) categories: Vec<String>,
    pub(crate) only_in: Vec<String>,
    pub(crate) not_in: Vec<String>,
    /// Not for menus.
    pub(crate) no_display: bool,
    /// As if it were deleted.
    pub(crate) hidden: bool,
    /// For a terminal.
    pub(crate) terminal: bool,
    /// Where it is written.
    pub(crate) path: PathBuf,
    /// Whether only the owner of the machine can have written it.
    pub(crate) vetted: bool,
}

impl Entry {
    /// Whether a menu of this desktop would show it, and it can be opened.
    pub(super) fn is_shown(&self, places: &Places) -> bool {
        let here = |names: &[String]| names.iter().any(|name| places.desktops.contains(name));
        let fits = places.desktops.is_empty()
            || (self.only_in.is_empty() || here(&self.only_in)) && !here(&self.not_in);
        fits && !self.no_display && !self.terminal && self.exec.is_some() && self.is_there(places)
    }

    /// Whether the program it needs is there.
    pub(crate) fn is_there(&self, places: &Places) -> bool {
        self.try_exec.as_deref().is_none_or(|program| places.program(program, false).is_some())
    }
}

/// Reads an entry; `None` where the bytes are no entry of an application.
pub(crate) fn parse(bytes: &[u8]) -> Option<Entry> {
    let text = String::from_utf8_lossy(bytes);
    let mut entry = Entry::default();
    let mut is_application = false;
    let mut lines = text.lines().map(str::trim).skip_while(|line| *line != "[Desktop Entry]");
    lines.next()?;
    for line in lines.take_while(|line| !line.starts_with('[')) {
        let Some((key, value)) = line.split_once('=').filter(|_| !line.starts_with('#')) else { continue };
        let value = value.trim_start();
        if value.len() > MAX_VALUE {
            continue;
        }
        let text = || Some(unescaped(value)).filter(|text| !text.is_empty());
        let is_true = value == "true";
        match key.trim_end() {
            "Type" => is_application = value == "Application",
            "Name" => entry.name = unescaped(value),
            "Exec" => entry.exec = text(),
            "TryExec" => entry.try_exec = text(),
            "StartupWMClass" => entry.window_class = text(),
            "MimeType" => entry.types = list(value),
            "Categories" => entry.categories = list(value),
            "OnlyShowIn" => entry.only_in = list(value),
            "NotShowIn" => entry.not_in = list(value),
            "NoDisplay" => entry.no_display = is_true,
            "Hidden" => entry.hidden = is_true,
            "Terminal" => entry.terminal = is_true,
            _ => {}
        }
    }
    // What is deleted needs no name.
    (is_application && !entry.name.is_empty() || entry.hidden).then_some(entry)
}

fn list(value: &str) -> Vec<String> {
    value.split(';').map(str::trim).filter(|item| !item.is_empty()).map(unescaped).collect()
}

/// A value with the escapes of all texts in an entry resolved.
fn unescaped(value: &str) -> String {
    let mut text = String::with_capacity(value.len());
    let mut letters = value.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => match letters.next() {
                Some('s') => text.push(' '),
                Some('n') => text.push('\n'),
                Some('t') => text.push('\t'),
                Some('r') => text.push('\r'),
                Some(other @ ('\\' | ';')) => text.push(other),
                // Escapes of command lines come later.
                Some(other) => text.extend(['\\', other]),
                None => text.push('\\'),
            },
            other => text.push(other),
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_first_group_counts() {
        let entry = parse(
            b"# a comment\n[Desktop Entry]\nType=Application\nName = Edit\\sor\nName[de]=Schreiber\nExec=edit %U\n\
              MimeType=text/plain;x-scheme-handler/http;\nTerminal=false\n\n[Desktop Action x]\nExec=xterm\nHidden=true\n",
        )
        .expect("an entry");
        assert_eq!((&*entry.name, entry.exec.as_deref()), ("Edit or", Some("edit %U")));
        assert_eq!(entry.types, ["text/plain", "x-scheme-handler/http"]);
        assert!(!entry.hidden && !entry.terminal);
    }

    #[test]
    fn what_is_no_application_is_nothing() {
        assert_eq!(parse(b""), None);
        assert_eq!(parse(b"[Desktop Entry]\nType=Link\nName=x\n"), None);
        assert_eq!(parse(b"[Desktop Entry]\nType=Application\nExec=x\n"), None);
        assert_eq!(parse(b"Type=Application\nName=x\n"), None);
        assert!(parse(b"[Desktop Entry]\nHidden=true\n").is_some_and(|entry| entry.hidden));
    }
}
