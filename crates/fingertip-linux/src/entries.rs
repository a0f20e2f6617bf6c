//! The applications of this machine, from their desktop entries (freedesktop.org, Desktop Entry Specification).
//!
//! Entries are read again for each call: they are few and small, and come and go with packages. Of several entries with one
//! id the first folder wins, as the specification has it. Yet anyone who can save a file as this user can write into the
//! first folder, and an entry is a command line: so each entry records whether it is *vetted*, that is, put where only the
//! owner of the machine can write. Others are used only where the server's owner allows them.
//!
//! Non-goals: menus, icons, actions of entries, the folder an entry wants to start in, and D-Bus activation. An entry that can be activated by D-Bus is started by
//! its command line like any other; one that has no command line cannot be opened.

mod command;
mod file;
mod vetted;

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use fingertip_core::target::{Installed, InstalledApps, MOST_INSTALLED};
use rustix::fs::{Mode, OFlags};

pub(crate) use command::{Command, Document};
pub(crate) use file::Entry;
pub(crate) use vetted::is_vetted;

/// The folder of entries in each data folder.
const FOLDER: &str = "applications";
/// How deep folders are followed; each makes a part of an id.
const MAX_DEPTH: usize = 3;
/// The most names that are looked at in one data folder, so that a full one takes nothing from the others.
const MAX_NAMES: usize = 5000;
/// The most data folders.
const MAX_FOLDERS: usize = 32;
/// The largest entry that is read, in bytes.
const MAX_BYTES: u64 = 256 * 1024;
/// Where programs and entries are when the environment does not say.
const DATA_FOLDERS: &str = "/usr/local/share:/usr/share";
const PROGRAM_FOLDERS: &str = "/usr/local/bin:/usr/bin:/bin:/usr/local/games:/usr/games";

/// Why an entry that is not vetted cannot be opened.
const OWN_FOLDER: &str = "it is in the user's own folders, which takes --allow-commands";

/// Where entries and programs are looked for.
#[derive(Debug, Clone)]
pub(crate) struct Places {
    /// The user's home, where nothing is vetted.
    pub(crate) home: Option<PathBuf>,
    /// The folders of entries, the first wins.
    pub(crate) data: Vec<PathBuf>,
    /// The folders of programs.
    pub(crate) programs: Vec<PathBuf>,
    /// The names of this desktop.
    pub(crate) desktops: Vec<String>,
}

impl Places {
    /// Those of this process.
    pub(crate) fn current() -> Self {
        let set = |name: &str| std::env::var_os(name).filter(|value| !value.is_empty());
        let folders = |list: &OsStr| {
            std::env::split_paths(list).filter(|folder| folder.is_absolute()).collect::<Vec<_>>()
        };
        // A home that is the root folder, as of some services, says nothing.
        let home =
            set("HOME").map(PathBuf::from).filter(|home| home.is_absolute() && home.parent().is_some());
        let own =
            set("XDG_DATA_HOME").map(PathBuf::from).or_else(|| Some(home.as_ref()?.join(".local/share")));
        let shared = folders(&set("XDG_DATA_DIRS").unwrap_or_else(|| DATA_FOLDERS.into()));
        let desktops = std::env::var("XDG_CURRENT_DESKTOP").unwrap_or_default();
        Self {
            home,
            data: own.into_iter().chain(shared).collect(),
            programs: folders(&set("PATH").unwrap_or_else(|| PROGRAM_FOLDERS.into())),
            desktops: desktops.split(':').filter(|name| !name.is_empty()).map(str::to_owned).collect(),
        }
    }

    /// The file of a program; a vetted one only where `vetted` is asked for.
    pub(crate) fn program(&self, name: &str, vetted: bool) -> Option<PathBuf> {
        let is_one = |path: &PathBuf| is_program(path) && (!vetted || is_vetted(path, self.home.as_deref()));
        if name.contains('/') {
            return Some(PathBuf::from(name)).filter(|path| path.is_absolute() && is_one(path));
        }
        self.programs.iter().map(|folder| folder.join(name)).find(is_one)
    }
}

/// Whether this is a file that can be run.
fn is_program(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata().is_ok_and(|facts| facts.is_file() && facts.permissions().mode() & 0o111 != 0)
}

/// All entries, by id; of each id all that there are, the one that wins first.
#[derive(Debug, Default)]
pub(crate) struct Entries {
    by_id: BTreeMap<String, Vec<Entry>>,
    truncated: bool,
}

impl Entries {
    /// Reads the entries of these places.
    pub(crate) fn read(places: &Places) -> Self {
        let mut entries = Self::default();
        for data in places.data.iter().take(MAX_FOLDERS) {
            let mut left = MAX_NAMES;
            let folder = data.join(FOLDER);
            entries.read_folder(&folder, "", MAX_DEPTH, places, &mut left);
            entries.truncated |= left == 0;
        }
        entries
    }

    fn read_folder(&mut self, folder: &Path, prefix: &str, depth: usize, places: &Places, left: &mut usize) {
        let Ok(files) = folder.read_dir() else { return };
        for file in files.flatten() {
            if *left == 0 {
                return;
            }
            *left -= 1;
            let name = file.file_name();
            let Some(name) = name.to_str() else { continue };
            let path = file.path();
            if let Some(stem) = name.strip_suffix(".desktop") {
                let id = format!("{prefix}{stem}");
                if let Some(entry) = read_entry(&path, &id, places) {
                    self.by_id.entry(id).or_default().push(entry);
                }
            } else if depth > 1 && path.is_dir() {
                self.read_folder(&path, &format!("{prefix}{name}-"), depth - 1, places, left);
            }
        }
    }

    /// The entries that count, with whether another one was passed over for each. One that says it is deleted hides its
    /// id, vetted or not: that opens nothing.
    pub(crate) fn in_force(&self, unvetted: bool) -> impl Iterator<Item = (&Entry, bool)> {
        self.by_id.values().filter_map(move |all| {
            let first = all.first().filter(|first| !first.hidden)?;
            if unvetted || first.vetted {
                return Some((first, false));
            }
            // An entry of the user's own takes no system entry away, nor its place.
            match all.iter().find(|entry| entry.vetted && !entry.hidden) {
                Some(vetted) => Some((vetted, true)),
                None => Some((first, false)),
            }
        })
    }

    /// What can be opened, sorted by name.
    pub(crate) fn list(&self, places: &Places) -> InstalledApps {
        let shown = self.in_force(false).filter(|(entry, _)| entry.is_shown(places));
        let mut apps: Vec<Installed> = shown
            .map(|(entry, _)| Installed {
                id: entry.id.as_str().into(),
                name: entry.name.as_str().into(),
                programs: Command::parse(entry).map(|command| command.programs(places)).unwrap_or_default(),
                closed: (!entry.vetted).then(|| OWN_FOLDER.into()),
            })
            .collect();
        apps.sort_by_cached_key(|app| app.name.to_lowercase());
        let truncated = self.truncated || apps.len() > MOST_INSTALLED;
        apps.truncate(MOST_INSTALLED);
        InstalledApps { apps, truncated }
    }
}

fn read_entry(path: &Path, id: &str, places: &Places) -> Option<Entry> {
    use std::io::Read;
    // Opening a pipe would wait for a writer.
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC;
    let file = std::fs::File::from(rustix::fs::open(path, flags, Mode::empty()).ok()?);
    if !file.metadata().is_ok_and(|facts| facts.is_file()) {
        return None;
    }
    let mut bytes = Vec::new();
    file.take(MAX_BYTES).read_to_end(&mut bytes).ok()?;
    let mut entry = file::parse(&bytes)?;
    id.clone_into(&mut entry.id);
    entry.path = path.to_owned();
    entry.vetted = is_vetted(path, places.home.as_deref());
    Some(entry)
}

/// What an entry of these bytes would run, for the fuzzer.
#[cfg(feature = "fuzzing")]
pub(crate) fn entry_of_bytes(bytes: &[u8]) -> String {
    let nowhere = Places { home: None, data: Vec::new(), programs: Vec::new(), desktops: Vec::new() };
    let entry = file::parse(bytes);
    let command = entry.as_ref().and_then(Command::parse);
    let document = Document::Url("a:b".to_owned());
    let words = command.map(|command| (command.words(Some(&document)), command.programs(&nowhere)));
    format!("{entry:?} {words:?}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, name: &str, text: &str) {
        let path = folder.join(FOLDER).join(name);
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        std::fs::write(path, format!("[Desktop Entry]\nType=Application\n{text}")).expect("written");
    }

    fn places(home: &Path, data: &[&Path]) -> Places {
        Places {
            home: Some(home.to_owned()),
            data: data.iter().map(|folder| (*folder).to_owned()).collect(),
            programs: vec!["/usr/bin".into(), "/bin".into()],
            desktops: Vec::new(),
        }
    }

    #[test]
    fn folders_make_ids_and_the_first_folder_wins() {
        let home = tempfile::tempdir().expect("a folder");
        let (own, shared) = (home.path().join("own"), home.path().join("shared"));
        write(&own, "a.desktop", "Name=Mine\nExec=true\n");
        write(&shared, "a.desktop", "Name=Theirs\nExec=true\n");
        write(&shared, "kde/b.desktop", "Name=B\nExec=true\n");
        write(&own, "gone.desktop", "Name=Gone\nExec=true\nHidden=true\n");
        write(&shared, "gone.desktop", "Name=Gone\nExec=true\n");
        let entries = Entries::read(&places(home.path(), &[&own, &shared]));
        let named: Vec<(&str, &str)> =
            entries.in_force(true).map(|(entry, _)| (&*entry.id, &*entry.name)).collect();
        assert_eq!(named, [("a", "Mine"), ("kde-b", "B")]);
    }

    #[test]
    fn what_lies_in_the_home_is_listed_as_not_to_be_opened() {
        let home = tempfile::tempdir().expect("a folder");
        write(home.path(), "evil.desktop", "Name=Evil\nExec=sh -c 'xterm'\n");
        write(home.path(), "hidden.desktop", "Name=Hidden\nExec=sh\nNoDisplay=true\n");
        write(home.path(), "missing.desktop", "Name=Missing\nExec=sh\nTryExec=no-such-program\n");
        write(home.path(), "text.desktop", "Name=Text\nExec=sh\nTerminal=true\n");
        let places = places(home.path(), &[home.path()]);
        let listed = Entries::read(&places).list(&places).apps;
        assert_eq!(listed.len(), 1, "{listed:?}");
        assert_eq!((&*listed[0].id, listed[0].closed.as_deref()), ("evil", Some(OWN_FOLDER)));
        assert!(listed[0].programs.iter().any(|program| &**program == "xterm"), "{listed:?}");
    }

    #[test]
    fn what_else_lies_in_a_folder_neither_holds_up_nor_takes_the_place_of_other_folders() {
        let home = tempfile::tempdir().expect("a folder");
        let (own, shared) = (home.path().join("own"), home.path().join("shared"));
        write(&own, "first.desktop", "Name=First\nExec=true\n");
        let pipe = own.join(FOLDER).join("pipe.desktop");
        let kind = rustix::fs::FileType::Fifo;
        rustix::fs::mknodat(rustix::fs::CWD, &pipe, kind, Mode::from_raw_mode(0o600), 0).expect("a pipe");
        std::os::unix::fs::symlink("/dev/zero", own.join(FOLDER).join("zero.desktop")).expect("linked");
        for number in 0..MAX_NAMES {
            std::fs::write(own.join(FOLDER).join(format!("{number}.desktop")), "").expect("written");
        }
        write(&shared, "system.desktop", "Name=System\nExec=true\n");
        let (places, (sender, receiver)) =
            (places(home.path(), &[&own, &shared]), std::sync::mpsc::channel());
        std::thread::spawn(move || sender.send(Entries::read(&places)));
        let entries = receiver.recv_timeout(std::time::Duration::from_secs(60)).expect("an end");
        assert!(entries.truncated && entries.by_id.contains_key("system"), "{:?}", entries.by_id.keys());
    }

    #[test]
    fn an_entry_of_the_user_takes_no_vetted_one_away() {
        let (own, system) =
            (Entry { vetted: false, ..Entry::default() }, Entry { vetted: true, ..Entry::default() });
        let entries = Entries { by_id: [("a".to_owned(), vec![own, system])].into(), truncated: false };
        let in_force: Vec<(bool, bool)> =
            entries.in_force(false).map(|(entry, passed_over)| (entry.vetted, passed_over)).collect();
        assert_eq!(in_force, [(true, true)]);
        assert!(entries.in_force(true).all(|(entry, _)| !entry.vetted), "unless the owner allows it");
    }
}
