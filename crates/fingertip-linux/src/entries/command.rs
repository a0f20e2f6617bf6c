//! The command line of an entry: words, quotes and field codes as the specification has them. No shell is involved.

use std::path::{Path, PathBuf};

use super::{Entry, Places};

/// The most words a command line has.
const MAX_WORDS: usize = 64;
/// Programs that open whatever the user prefers for something, or run the file they are given: what that starts cannot be
/// known.
const OPENERS: [&str; 26] = [
    "xdg-open",
    "sensible-terminal",
    "ktelnetservice5",
    "ktelnetservice6",
    "exo-open",
    "gio",
    "gtk-launch",
    "dex",
    "kde-open",
    "kde-open5",
    "kfmclient",
    "kioclient",
    "kioclient5",
    "mimeopen",
    "run-mailcap",
    "sensible-browser",
    "sensible-editor",
    "systemd-run",
    "pkexec",
    "sudo",
    "cautious-launcher",
    "nautilus-autorun-software",
    "jexec",
    "wine",
    "wine64",
    "wine-stable",
];
/// Programs that run the first file they are given.
const INTERPRETERS: [&str; 16] = [
    "sh", "bash", "dash", "ash", "zsh", "ksh", "fish", "python", "perl", "ruby", "node", "lua", "php",
    "wish", "tclsh", "java",
];

/// What is opened with an application.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Document {
    /// A file or folder that is there.
    File(PathBuf),
    /// Anything else.
    Url(String),
}

/// One word of a command line, with its field codes.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    /// `%f` and `%F`.
    File,
    /// `%u` and `%U`.
    Url,
}

/// A command line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Command {
    words: Vec<Vec<Part>>,
}

impl Command {
    /// Reads the command line of an entry; `None` where it has none, or one that breaks the rules.
    pub(crate) fn parse(entry: &Entry) -> Option<Self> {
        let words = split(entry.exec.as_deref()?)?;
        let words: Option<Vec<Vec<Part>>> = words.iter().map(|word| coded(word, entry)).collect();
        // Codes that stand for nothing leave no word behind.
        let words: Vec<Vec<Part>> = words?.into_iter().filter(|word| !word.is_empty()).collect();
        let is_program =
            |word: &Vec<Part>| matches!(word.as_slice(), [Part::Text(program)] if !program.is_empty());
        words.first().is_some_and(is_program).then_some(Self { words })
    }

    /// A program by its path, which takes a document as its last word.
    pub(crate) fn of_program(path: &str) -> Self {
        Self { words: vec![vec![Part::Text(path.to_owned())], vec![Part::Url]] }
    }

    /// Its program, as it is written.
    pub(crate) fn program(&self) -> &str {
        match self.words.first().map(Vec::as_slice) {
            Some([Part::Text(program)]) => program,
            _ => "",
        }
    }

    /// Whether it takes files.
    pub(crate) fn takes_files(&self) -> bool {
        self.words.iter().flatten().any(is_code)
    }

    /// Whether it takes URLs.
    pub(crate) fn takes_urls(&self) -> bool {
        self.words.iter().flatten().any(|part| *part == Part::Url)
    }

    /// Whether a program of it, behind a wrapper too, opens something that cannot be known.
    pub(crate) fn is_opener(&self, places: &Places) -> bool {
        self.programs(places).iter().any(|name| OPENERS.contains(&&**name))
    }

    /// Whether a document would be run: as a part of the code of a shell, where its name could say anything, or as the file
    /// that an interpreter is for.
    pub(crate) fn runs_documents(&self, places: &Places) -> bool {
        let in_code = |word: &Vec<Part>| {
            word.iter().any(is_code)
                && word
                    .iter()
                    .any(|part| matches!(part, Part::Text(text) if !text.chars().all(is_of_options)))
        };
        self.words.iter().any(in_code) || self.interprets(places)
    }

    /// Whether a document is the first file that an interpreter gets, behind a wrapper too.
    fn interprets(&self, places: &Places) -> bool {
        let text = |word: &Vec<Part>| match word.as_slice() {
            [Part::Text(text)] => Some(text.clone()),
            _ => None,
        };
        let document = self.words.iter().position(|word| word.iter().any(is_code));
        let before = &self.words[..document.unwrap_or(0)];
        let before: Vec<String> = before.iter().filter_map(text).collect();
        // What follows code that stands in the command line itself are its arguments.
        let is_code_given =
            |word: &String| word.starts_with('-') && !word.starts_with("--") && word.ends_with('c');
        if before.iter().any(is_code_given) {
            return false;
        }
        let last = before.iter().rposition(|word| !word.starts_with('-'));
        last.is_some_and(|at| names_of(&before[at], places).iter().any(|name| is_interpreter(name)))
    }

    /// The words with this document in them; the first is the program as it is written.
    pub(crate) fn words(&self, document: Option<&Document>) -> Vec<String> {
        let shown = document.map(|document| match document {
            Document::File(path) => path.to_string_lossy().into_owned(),
            Document::Url(url) => url.clone(),
        });
        let mut words = Vec::new();
        for word in &self.words {
            let is_only_a_code = word.iter().all(|part| !matches!(part, Part::Text(_)));
            if is_only_a_code && shown.is_none() {
                continue;
            }
            let parts = word.iter().map(|part| match part {
                Part::Text(text) => text.as_str(),
                _ => shown.as_deref().unwrap_or_default(),
            });
            words.push(parts.collect());
        }
        words
    }

    /// Every name in it that could be a program's, the one that is run first: behind a wrapper, in the code of a shell, or
    /// as the value of an option. What the links of each lead to is among them.
    pub(crate) fn programs(&self, places: &Places) -> Vec<Box<str>> {
        let mut names = names_of(self.program(), places);
        let others = self.words.iter().skip(1).flatten().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            _ => None,
        });
        for text in others {
            let is_of_names =
                |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '-' | '+');
            for name in text.split(|letter| !is_of_names(letter)).filter(|name| name.len() > 1) {
                for name in names_of(name, places) {
                    if !names.contains(&name) {
                        names.push(name);
                    }
                }
            }
        }
        names
    }
}

const fn is_code(part: &Part) -> bool {
    !matches!(part, Part::Text(_))
}

/// Whether the letter may stand beside a document in a word that is one option, as in `--file=%f`.
fn is_of_options(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '-' | '_' | '=' | ':' | '.' | ',' | '/' | '@' | '+')
}

/// Whether the program is an interpreter, of any version: `python3.11` is `python`.
fn is_interpreter(name: &str) -> bool {
    INTERPRETERS.contains(&name.trim_end_matches(|letter: char| letter.is_ascii_digit() || letter == '.'))
}

/// The name of a program, and that of what it really is.
fn names_of(program: &str, places: &Places) -> Vec<Box<str>> {
    let name = |path: &Path| Some(path.file_name()?.to_str()?.into());
    let mut names: Vec<Box<str>> = name(Path::new(program)).into_iter().collect();
    let real = places.program(program, false).and_then(|path| path.canonicalize().ok());
    names.extend(real.as_deref().and_then(name).filter(|real| names.first() != Some(real)));
    names
}

/// Splits a command line into words; `None` where a quote is open or there are too many.
fn split(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut word: Option<String> = None;
    let mut letters = line.chars();
    while let Some(letter) = letters.next() {
        match letter {
            ' ' | '\t' | '\n' => words.extend(word.take()),
            '"' => {
                let word = word.get_or_insert_default();
                loop {
                    match letters.next()? {
                        '"' => break,
                        '\\' => word.push(letters.next()?),
                        other => word.push(other),
                    }
                }
            }
            '\\' => word.get_or_insert_default().push(letters.next()?),
            other => word.get_or_insert_default().push(other),
        }
        if words.len() > MAX_WORDS {
            return None;
        }
    }
    words.extend(word);
    Some(words)
}

/// The field codes of a word; `None` where one is unknown.
fn coded(word: &str, entry: &Entry) -> Option<Vec<Part>> {
    let mut parts = Vec::new();
    let mut text = String::new();
    let mut letters = word.chars();
    let mut had_code = false;
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let code = match letters.next()? {
            '%' => {
                text.push('%');
                continue;
            }
            'c' => {
                text.push_str(&entry.name);
                continue;
            }
            'k' => {
                text.push_str(&entry.path.to_string_lossy());
                continue;
            }
            'f' | 'F' => Some(Part::File),
            'u' | 'U' => Some(Part::Url),
            // An icon, and what is no longer used.
            'i' | 'd' | 'D' | 'n' | 'N' | 'v' | 'm' => None,
            _ => return None,
        };
        had_code = true;
        if !text.is_empty() {
            parts.push(Part::Text(std::mem::take(&mut text)));
        }
        parts.extend(code);
    }
    if !text.is_empty() || !had_code {
        parts.push(Part::Text(text));
    }
    Some(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(exec: &str) -> Option<Command> {
        Command::parse(&Entry { exec: Some(exec.to_owned()), name: "App".to_owned(), ..Entry::default() })
    }

    fn words(exec: &str, document: Option<&str>) -> Vec<String> {
        let document = document.map(|path| Document::File(path.into()));
        command(exec).expect("a command").words(document.as_ref())
    }

    fn places() -> Places {
        Places { home: None, data: Vec::new(), programs: vec!["/usr/bin".into()], desktops: Vec::new() }
    }

    #[test]
    fn words_are_split_and_quoted_as_the_specification_says() {
        assert_eq!(
            words("edit --new \"two words\" \"a\\\"b\\$c\"", None),
            ["edit", "--new", "two words", "a\"b$c"]
        );
        assert_eq!(words("edit \"\"", None), ["edit", ""]);
        assert_eq!(words("a;b $(c) `d` | e", None), ["a;b", "$(c)", "`d`", "|", "e"], "nothing is a shell's");
        for wrong in ["", "edit \"open", "%f", "edit %x", "\"\" a"] {
            assert_eq!(command(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn codes_become_the_document_or_nothing() {
        assert_eq!(words("edit %U", None), ["edit"]);
        assert_eq!(
            words("edit %i --name %c %% -- %f", Some("/a b; rm")),
            ["edit", "--name", "App", "%", "--", "/a b; rm"]
        );
        assert_eq!(words("edit --file=%f", Some("/a")), ["edit", "--file=/a"]);
        assert_eq!(words("edit --file=%f", None), ["edit", "--file="]);
        let takes = |exec: &str| command(exec).map(|command| (command.takes_files(), command.takes_urls()));
        assert_eq!(takes("edit"), Some((false, false)));
        assert_eq!(takes("edit %F"), Some((true, false)));
        assert_eq!(takes("edit %u"), Some((true, true)));
    }

    #[test]
    fn every_program_behind_a_wrapper_is_named() {
        let programs = |exec: &str| command(exec).expect("a command").programs(&places());
        let has = |exec: &str, name: &str| programs(exec).iter().any(|program| &**program == name);
        assert!(has("env A=b xterm", "xterm"));
        assert!(has("sh -c \"exec /usr/bin/xterm -e x\"", "xterm"));
        assert!(has("flatpak run --command=kitty org.keepassxc.KeePassXC", "kitty"));
        assert!(has("flatpak run --command=kitty org.keepassxc.KeePassXC", "org.keepassxc.KeePassXC"));
        assert!(has("/opt/a/xterm", "xterm"));
        assert_eq!(&*programs("edit %f")[0], "edit");
        let folder = tempfile::tempdir().expect("a folder");
        std::os::unix::fs::symlink("/usr/bin/env", folder.path().join("friendly")).expect("linked");
        let linked = Places { programs: vec![folder.path().to_owned()], ..places() };
        let named = command("nice friendly").expect("a command").programs(&linked);
        assert!(named.iter().any(|name| &**name == "env"), "{named:?}");
    }

    #[test]
    fn a_document_that_would_be_run_is_known_for_it() {
        let runs = |exec: &str| command(exec).expect("a command").runs_documents(&places());
        for code in [
            "sh -c \"view %u\"",
            "sh -c \"exec view '%f' 2>/dev/null\"",
            "bash -c view;%f",
            "java -jar %f",
            "/usr/bin/python3.11 %F",
            "env perl -w %f",
        ] {
            assert!(runs(code), "{code}");
        }
        for argument in [
            "edit %U",
            "edit --file=%f",
            "python3 /usr/share/app/main.py %f",
            "java -jar /usr/share/java/app.jar %f",
            "sh -c \"exec edit \\\"$@\\\"\" sh %F",
            "sh",
        ] {
            assert!(!runs(argument), "{argument}");
        }
    }

    #[test]
    fn what_opens_anything_is_known_for_it() {
        assert!(command("xdg-open %u").expect("a command").is_opener(&places()));
        assert!(command("/usr/bin/gio open %u").expect("a command").is_opener(&places()));
        for wrapped in ["env A=b xdg-open %u", "sh -c \"exec /usr/bin/xdg-open $0\" %u", "ktelnetservice5 %u"]
        {
            assert!(command(wrapped).expect("a command").is_opener(&places()), "{wrapped}");
        }
        assert!(!command("mousepad %U").expect("a command").is_opener(&places()));
    }
}
