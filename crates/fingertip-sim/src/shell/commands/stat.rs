//! `stat`: the fields of `-c`, or a short block.

use std::sync::Arc;

use super::{Output, ls};
use crate::SimPhone;
use crate::files::Entry;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let (format, paths) = match words {
        ["-c", format, paths @ ..] => (Some(*format), paths),
        paths => (None, paths),
    };
    let files = phone.files();
    let mut output = Output::default();
    for path in paths {
        match files.get(path) {
            Ok(entry) => {
                let text =
                    format.map_or_else(|| block(path, entry), |format| fields(format, path, entry) + "\n");
                output.stdout.extend(text.into_bytes());
            }
            Err(error) => {
                output.exit = 1;
                output.stderr.extend(format!("stat: '{path}': {error}\n").into_bytes());
            }
        }
    }
    output
}

fn fields(format: &str, path: &str, entry: &Entry) -> String {
    let mut text = String::new();
    let mut characters = format.chars();
    while let Some(character) = characters.next() {
        if character != '%' {
            text.push(character);
            continue;
        }
        match characters.next() {
            Some('s') => text.push_str(&entry.size().to_string()),
            Some('n') => text.push_str(path),
            Some('a') => text.push_str(&format!("{:o}", entry.mode & 0o777)),
            Some('A') => text.push_str(&ls::permissions(entry)),
            Some('f') => text.push_str(&format!("{:x}", entry.mode)),
            Some('i') => text.push_str(&entry.inode.to_string()),
            Some('X' | 'Y' | 'Z') => text.push_str(&entry.modified.to_string()),
            Some('U' | 'G') => text.push_str("shell"),
            Some('u' | 'g') => text.push_str("2000"),
            Some('F') => text.push_str(if entry.is_folder() { "directory" } else { "regular file" }),
            Some(other) => text.extend(['%', other]),
            None => text.push('%'),
        }
    }
    text
}

fn block(path: &str, entry: &Entry) -> String {
    let kind = if entry.is_folder() { "directory" } else { "regular file" };
    let blocks = entry.size().div_ceil(512);
    format!(
        "  File: {path}\n  Size: {}\t Blocks: {blocks}\t IO Blocks: 512\t{kind}\n\
            Device: fd05h/64773d\t Inode: {}\t Links: 1\n\
         Access: (0{:o}/{})\tUid: (2000/ shell)\tGid: (2000/ shell)\n",
        entry.size(),
        entry.inode,
        entry.mode & 0o777,
        ls::permissions(entry),
    )
}
