//! What opening an application would run. Only looks.

use std::path::{Path, PathBuf};

use fingertip_core::target::{LaunchPlan, LaunchRequest};
use fingertip_core::{Candidate, Error, Reason, Result};

use crate::entries::{Command, Document, Entries, Entry, Places, is_vetted};

/// How many entries an error names.
const MOST_NAMED: usize = 5;
/// What the files in these folders do when they are read is not known.
const SPECIAL: [&str; 3] = ["/proc", "/sys", "/dev"];
/// What a file manager says it opens, and what sort of program it says it is.
const FOLDER_TYPE: &str = "inode/directory";
const FILE_MANAGER: &str = "FileManager";
/// What precedes folders, drives and the like among the types of an entry.
const NO_FILE_TYPE: &str = "inode/";
/// What precedes a scheme among the types of an entry.
const SCHEME_TYPE: &str = "x-scheme-handler/";
/// Said of an entry of the system that was chosen although the user has one of the same id.
const PASSED_OVER: &str =
    "The entry of the system was used; one of the same id in the user's own folders was passed over.";

/// What opening this would run.
pub(crate) fn plan(request: &LaunchRequest, places: &Places) -> Result<LaunchPlan> {
    if request.app.starts_with('/') {
        return program(request, places);
    }
    let entries = Entries::read(places);
    let (entry, passed_over) = find(&entries, &request.app, request.unvetted)?;
    let id = entry.id.as_str();
    if entry.terminal {
        return Err(cannot(id, "is a program for a terminal and has no window of its own"));
    }
    if !entry.is_there(places) {
        return Err(cannot(id, "is not installed completely: the program it needs is missing"));
    }
    let command = Command::parse(entry)
        .ok_or_else(|| cannot(id, "has no command line that can be run; one for D-Bus alone is not used"))?;
    let document = request.document.as_deref().map(|text| document(text, places)).transpose()?;
    if let Some(document) = &document {
        must_take(entry, &command, document)?;
        if command.runs_documents(places) {
            return Err(cannot(id, "would run the document as a program or as a part of one"));
        }
    }
    let found = places.program(command.program(), entry.vetted && !request.unvetted);
    let path = found.ok_or_else(|| cannot(id, "is not installed completely: its program is missing"))?;
    let vetted = entry.vetted && is_vetted(&path, places.home.as_deref()) && !command.is_opener(places);
    Ok(LaunchPlan {
        id: id.into(),
        name: entry.name.as_str().into(),
        aliases: entry.window_class.iter().map(|class| class.as_str().into()).collect(),
        programs: command.programs(places),
        words: words(&command, &path, document.as_ref()),
        document: request.document.clone(),
        vetted,
        note: passed_over.then(|| PASSED_OVER.to_owned()),
    })
}

/// A program by its path.
fn program(request: &LaunchRequest, places: &Places) -> Result<LaunchPlan> {
    let command = Command::of_program(&request.app);
    let name = Path::new(&request.app).file_name().and_then(|name| name.to_str()).unwrap_or_default();
    if !request.unvetted {
        let plan = LaunchPlan { id: request.app.as_str().into(), name: name.into(), ..LaunchPlan::default() };
        // The reply must not reveal then whether the file is there.
        return Ok(plan);
    }
    let path = places.program(&request.app, false).ok_or_else(|| {
        Error::new(Reason::NotFound, "The path of 'app' is no program; nothing was opened.")
    })?;
    let document = request.document.as_deref().map(|text| document(text, places)).transpose()?;
    Ok(LaunchPlan {
        id: request.app.as_str().into(),
        name: name.into(),
        programs: command.programs(places),
        words: words(&command, &path, document.as_ref()),
        document: request.document.clone(),
        ..LaunchPlan::default()
    })
}

/// The words of a command, its program by its path.
fn words(command: &Command, path: &Path, document: Option<&Document>) -> Vec<String> {
    let mut words = command.words(document);
    if let Some(first) = words.first_mut() {
        *first = path.to_string_lossy().into_owned();
    }
    words
}

/// The entry that is meant, exactly one: by id, then by the end of its id, by name, by its program.
fn find<'a>(entries: &'a Entries, wanted: &str, unvetted: bool) -> Result<(&'a Entry, bool)> {
    let all: Vec<(&Entry, bool)> = entries.in_force(unvetted).collect();
    let id = wanted.strip_suffix(".desktop").unwrap_or(wanted);
    let same = |name: &str, other: &str| name.to_lowercase() == other.to_lowercase();
    let ways: [&dyn Fn(&Entry) -> bool; 5] = [
        &|entry| entry.id == id,
        &|entry| entry.name == wanted && !entry.no_display,
        &|entry| same(&entry.id, id),
        &|entry| same(&entry.name, wanted) && !entry.no_display,
        &|entry| entry.id.rsplit('.').next().is_some_and(|end| same(end, id)) || is_plainly(entry, wanted),
    ];
    for way in ways {
        let found: Vec<&(&Entry, bool)> = all.iter().filter(|(entry, _)| way(entry)).collect();
        match found.as_slice() {
            [] => {}
            [one] => return Ok(**one),
            several => return Err(ambiguous(wanted, several)),
        }
    }
    Err(missing(wanted, &all))
}

/// Whether an entry runs this program and nothing more.
fn is_plainly(entry: &Entry, program: &str) -> bool {
    let words = Command::parse(entry).map(|command| command.words(None)).unwrap_or_default();
    !entry.no_display && matches!(words.as_slice(), [only] if only.rsplit('/').next() == Some(program))
}

/// The file or URL that is to be opened.
fn document(text: &str, places: &Places) -> Result<Document> {
    let path = if let Some(rest) = text.strip_prefix("~/") {
        let home = places.home.as_ref().ok_or_else(|| wrong_file("there is no home folder"))?;
        home.join(rest)
    } else if text.starts_with('/') {
        PathBuf::from(text)
    } else if let Some(rest) = text.strip_prefix("file://") {
        let decoded = decoded(rest).filter(|path| path.starts_with('/'));
        PathBuf::from(decoded.ok_or_else(|| wrong_file("it is a file URL of another machine"))?)
    } else {
        return Ok(Document::Url(text.to_owned()));
    };
    let real = path.canonicalize().map_err(|_| wrong_file("there is no such file that can be read"))?;
    if SPECIAL.iter().any(|folder| real.starts_with(folder)) {
        return Err(wrong_file("it is no ordinary file"));
    }
    let facts = real.metadata().map_err(|_| wrong_file("it cannot be read"))?;
    if !facts.is_file() && !facts.is_dir() {
        return Err(wrong_file("it is no ordinary file"));
    }
    if real.to_str().is_none() {
        return Err(wrong_file("its name is no text"));
    }
    Ok(Document::File(real))
}

/// The path in a URL; `None` where it is not one.
fn decoded(text: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'%' {
            bytes.push(byte);
            continue;
        }
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        let value = digit(rest.next())? * 16 + digit(rest.next())?;
        bytes.push(u8::try_from(value).ok().filter(|byte| *byte >= b' ')?);
    }
    String::from_utf8(bytes).ok()
}

/// Whether it shows folders and passes the files in them on. Editors, players and viewers open folders too, beside the
/// files that they name and open themselves.
fn is_file_manager(entry: &Entry) -> bool {
    let is_file = |kind: &String| !kind.starts_with(NO_FILE_TYPE) && !kind.starts_with(SCHEME_TYPE);
    let opens_folders = entry.types.iter().any(|kind| kind.eq_ignore_ascii_case(FOLDER_TYPE));
    let says_so = entry.categories.iter().any(|category| category.eq_ignore_ascii_case(FILE_MANAGER));
    opens_folders && (says_so || !entry.types.iter().any(is_file))
}

/// Whether an application opens such a thing by itself. One that passes it on might start any other.
fn must_take(entry: &Entry, command: &Command, document: &Document) -> Result<()> {
    let id = entry.id.as_str();
    if !command.takes_files() {
        return Err(cannot(id, "takes no file and no URL"));
    }
    let opens = |kind: &str| entry.types.iter().any(|known| known.eq_ignore_ascii_case(kind));
    match document {
        Document::File(path) if is_file_manager(entry) && !path.is_dir() => Err(cannot(
            id,
            "is a file manager: it would pass the file on to another application, and which one is not known",
        )),
        Document::File(_) => Ok(()),
        Document::Url(url) => {
            let scheme = url.split(':').next().unwrap_or_default();
            if command.takes_urls() && opens(&format!("{SCHEME_TYPE}{scheme}")) {
                return Ok(());
            }
            Err(cannot(
                id,
                "does not say that it opens such URLs itself: it might pass this one on to an application that is \
                 not known",
            ))
        }
    }
}

fn wrong_file(why: &str) -> Error {
    Error::invalid(format!("Parameter 'file' cannot be opened: {why}. Nothing was opened."))
}

fn cannot(id: &str, why: &str) -> Error {
    Error::new(Reason::Unsupported, format!("'{id}' {why}. Nothing was opened."))
        .with_guidance("list_apps lists what can be opened.")
        .with_app(id)
}

fn candidate(entry: &Entry) -> Candidate {
    Candidate { id: entry.id.clone(), label: entry.name.clone() }
}

fn ambiguous(wanted: &str, several: &[&(&Entry, bool)]) -> Error {
    Error::new(
        Reason::Ambiguous,
        format!("{} applications are called '{wanted}'. Nothing was opened.", several.len()),
    )
    .with_guidance("Say which one by its id.")
    .with_candidates(several.iter().take(MOST_NAMED).map(|(entry, _)| candidate(entry)).collect())
}

/// The error of an application that is not there, with those whose names have a part in common with it.
fn missing(wanted: &str, all: &[(&Entry, bool)]) -> Error {
    let lower = wanted.to_lowercase();
    let near = |entry: &Entry| {
        let names = [entry.id.to_lowercase(), entry.name.to_lowercase()];
        names.iter().any(|name| name.contains(&lower) || name.len() > 2 && lower.contains(name.as_str()))
    };
    let candidates: Vec<Candidate> = all
        .iter()
        .filter(|(entry, _)| near(entry))
        .take(MOST_NAMED)
        .map(|(entry, _)| candidate(entry))
        .collect();
    let shown: String = wanted.chars().take(100).collect();
    Error::new(Reason::NotFound, format!("'{shown}' is not installed. Nothing was opened."))
        .with_guidance("list_apps lists what can be opened.")
        .with_candidates(candidates)
        .with_app(shown)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Entries in a home, so that all of it is allowed only as commands.
    fn places(home: &Path) -> Places {
        let write = |name: &str, text: &str| {
            let folder = home.join("applications");
            std::fs::create_dir_all(&folder).expect("made");
            let text = format!("[Desktop Entry]\nType=Application\n{text}");
            std::fs::write(folder.join(format!("{name}.desktop")), text).expect("written");
        };
        write("org.x.edit", "Name=Editor\nExec=true %F\n");
        write("browse", "Name=Browser\nExec=true %u\nMimeType=x-scheme-handler/https;\n");
        write("files", "Name=Files\nExec=true %U\nMimeType=inode/directory;x-scheme-handler/https;\n");
        write("viewer", "Name=Viewer\nExec=sh -c \"exec true %f\"\n");
        write(
            "kate",
            "Name=Kate\nExec=true %U\nMimeType=text/plain;inode/directory;\nCategories=Qt;TextEditor;\n",
        );
        let archives = "MimeType=inode/directory;application/zip;\nCategories=GNOME;FileManager;\n";
        write("nautilus", &format!("Name=Files too\nExec=true %U\n{archives}"));
        write("opener", "Name=Opener\nExec=env xdg-open %u\n");
        write("two", "Name=Same\nExec=true\n");
        write("three", "Name=Same\nExec=true\n");
        write("shell", "Name=Shell\nExec=sh\nTerminal=true\n");
        write("bus", "Name=Bus\nDBusActivatable=true\n");
        Places {
            home: Some(home.to_owned()),
            data: vec![home.to_owned()],
            programs: vec!["/usr/bin".into(), "/bin".into()],
            desktops: Vec::new(),
        }
    }

    fn planned(places: &Places, app: &str, document: Option<&str>, unvetted: bool) -> Result<LaunchPlan> {
        let document = document.map(str::to_owned);
        plan(&LaunchRequest { app: app.to_owned(), document, unvetted }, places)
    }

    #[test]
    fn an_entry_is_found_by_id_name_or_the_end_of_its_id() {
        let home = tempfile::tempdir().expect("a folder");
        let places = places(home.path());
        for name in ["org.x.edit", "org.x.edit.desktop", "Editor", "editor", "edit"] {
            assert_eq!(&*planned(&places, name, None, true).expect(name).id, "org.x.edit");
        }
        let error = planned(&places, "Same", None, true).unwrap_err();
        assert_eq!((error.reason(), error.candidates().len()), (Reason::Ambiguous, 2));
        let error = planned(&places, "Edi", None, true).unwrap_err();
        assert_eq!((error.reason(), &*error.candidates()[0].id), (Reason::NotFound, "org.x.edit"));
        for (app, said) in [("shell", "terminal"), ("bus", "D-Bus")] {
            let error = planned(&places, app, None, true).unwrap_err();
            assert!(error.reason() == Reason::Unsupported && error.message().contains(said), "{error}");
        }
    }

    #[test]
    fn what_lies_in_the_home_is_never_vetted() {
        let home = tempfile::tempdir().expect("a folder");
        let places = places(home.path());
        for unvetted in [false, true] {
            assert!(!planned(&places, "edit", None, unvetted).expect("a plan").vetted);
            assert!(!planned(&places, "/usr/bin/env", None, unvetted).expect("a plan").vetted);
        }
        assert_eq!(planned(&places, "/no/such", None, true).unwrap_err().reason(), Reason::NotFound);
        assert!(planned(&places, "/no/such", None, false).expect("to be refused").words.is_empty());
    }

    #[test]
    fn a_file_must_be_there_and_an_ordinary_one() {
        let home = tempfile::tempdir().expect("a folder");
        let places = places(home.path());
        let file = home.path().join("-rf a.txt");
        std::fs::write(&file, "").expect("written");
        let words = |document: &str| planned(&places, "edit", Some(document), true).map(|plan| plan.words);
        let real = file.canonicalize().expect("a path").to_string_lossy().into_owned();
        assert_eq!(words("~/-rf a.txt").expect("words").last(), Some(&real));
        let url = format!("file://{}/-rf%20a.txt", home.path().display());
        assert_eq!(words(&url).expect("words").last(), Some(&real));
        for wrong in [
            "/no/such/file",
            "/dev/null",
            "/proc/self/environ",
            "file://host/a",
            "file:///%0a",
            "file:///%zz",
        ] {
            let error = words(wrong).unwrap_err();
            assert!(
                error.reason() == Reason::InvalidParams && error.message().contains("'file'"),
                "{wrong}: {error}"
            );
        }
    }

    #[test]
    fn what_would_be_passed_on_is_refused() {
        let home = tempfile::tempdir().expect("a folder");
        let places = places(home.path());
        let file = home.path().join("a.txt");
        std::fs::write(&file, "").expect("written");
        let said = |app: &str, document: &str| match planned(&places, app, Some(document), true) {
            Ok(_) => "ok".to_owned(),
            Err(error) => error.message().to_owned(),
        };
        assert_eq!(said("browse", "https://example.org/"), "ok");
        assert!(said("browse", "mailto:a@b").contains("does not say that it opens such URLs"));
        assert!(said("edit", "https://example.org/").contains("does not say that it opens such URLs"));
        for manager in ["files", "nautilus"] {
            assert!(said(manager, file.to_str().expect("a text")).contains("file manager"));
        }
        assert!(said("viewer", file.to_str().expect("a text")).contains("would run the document"));
        assert_eq!(said("kate", file.to_str().expect("a text")), "ok");
        assert_eq!(said("files", home.path().to_str().expect("a text")), "ok");
        assert!(said("two", "https://example.org/").contains("takes no file"));
    }
}
