//! `rm`, `mkdir`, `mv`, `chmod` and `touch`: one small operation of the files each.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;
use crate::files::FileError;

/// Flags and plain words of a command line.
fn split<'a>(words: &[&'a str]) -> (String, Vec<&'a str>) {
    let flags = words.iter().filter_map(|word| word.strip_prefix('-')).collect();
    (flags, words.iter().copied().filter(|word| !word.starts_with('-')).collect())
}

/// Does something to each path and collects what went wrong.
fn each(paths: &[&str], name: &str, mut act: impl FnMut(&str) -> Result<(), FileError>) -> Output {
    if paths.is_empty() {
        return Output::failure(1, format!("{name}: Needs 1 argument (see \"{name} --help\")\n"));
    }
    let mut output = Output::default();
    for path in paths {
        if let Err(error) = act(path) {
            output.exit = 1;
            output.stderr.extend(format!("{name}: {path}: {error}\n").into_bytes());
        }
    }
    output
}

pub(super) fn rm(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let (flags, paths) = split(words);
    let (force, recursive) = (flags.contains('f'), flags.contains(['r', 'R']));
    if force && paths.is_empty() {
        return Output::default();
    }
    each(&paths, "rm", |path| match phone.files().remove(path, recursive) {
        Err(FileError::Missing) if force => Ok(()),
        result => result,
    })
}

pub(super) fn mkdir(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let (flags, paths) = split(words);
    let now = phone.epoch_seconds();
    each(&paths, "mkdir", |path| phone.files().make_folder(path, flags.contains('p'), now))
}

pub(super) fn touch(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let (_, paths) = split(words);
    let now = phone.epoch_seconds();
    each(&paths, "touch", |path| {
        let mut files = phone.files();
        let data = files.read(path).unwrap_or_default();
        files.write(path, data, 0o660, now)
    })
}

pub(super) fn chmod(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let [mode, paths @ ..] = words else {
        return Output::failure(1, "chmod: Needs 2 arguments\n");
    };
    // Of the symbolic modes only the one that makes a program of a file is used over adb.
    let number = if mode.ends_with("+x") { Some(0o755) } else { u32::from_str_radix(mode, 8).ok() };
    let Some(mode) = number else {
        return Output::failure(1, format!("chmod: bad mode '{mode}'\n"));
    };
    each(paths, "chmod", |path| phone.files().set_mode(path, mode))
}

pub(super) fn mv(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let (_, mut paths) = split(words);
    let Some(to) = paths.pop().filter(|_| !paths.is_empty()) else {
        return Output::failure(1, "mv: Needs 2 arguments (see \"mv --help\")\n");
    };
    let mut output = Output::default();
    for from in paths {
        if let Err(error) = phone.files().rename(from, to) {
            output.exit = 1;
            output.stderr.extend(format!("mv: bad '{from}': {error}\n").into_bytes());
        }
    }
    output
}
