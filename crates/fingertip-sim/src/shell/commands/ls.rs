//! `ls`: names, or with `-l` what `stat` knows too.

use std::sync::Arc;

use super::{Output, date};
use crate::SimPhone;
use crate::files::{Entry, Files};

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let flags: String = words.iter().filter_map(|word| word.strip_prefix('-')).collect();
    let mut paths: Vec<&str> = words.iter().copied().filter(|word| !word.starts_with('-')).collect();
    if paths.is_empty() {
        paths.push("/");
    }
    let offset = phone.profile().utc_offset_minutes;
    let files = phone.files();
    let mut output = Output::default();
    let headings = paths.len() > 1;
    for path in paths {
        let shown = match list(&files, path, &flags) {
            Ok(shown) => shown,
            Err(error) => {
                output.exit = 1;
                output.stderr.extend(format!("ls: {path}: {error}\n").into_bytes());
                continue;
            }
        };
        let is_folder = shown.iter().all(|(name, _)| *name != path);
        if headings && is_folder {
            output.stdout.extend(format!("{path}:\n").into_bytes());
        }
        if flags.contains('l') && is_folder {
            output.stdout.extend(format!("total {}\n", shown.len() * 4).into_bytes());
        }
        for (name, entry) in shown {
            let line = if flags.contains('l') { long(name, entry, offset) } else { format!("{name}\n") };
            output.stdout.extend(line.into_bytes());
        }
    }
    output
}

fn list<'a>(
    files: &'a Files,
    path: &'a str,
    flags: &str,
) -> Result<Vec<(&'a str, &'a Entry)>, crate::files::FileError> {
    let entry = files.get(path)?;
    if !entry.is_folder() || flags.contains('d') {
        return Ok(vec![(path, entry)]);
    }
    let hidden = flags.contains(['a', 'A']);
    Ok(files.list(path)?.into_iter().filter(|(name, _)| hidden || !name.starts_with('.')).collect())
}

fn long(name: &str, entry: &Entry, offset: i32) -> String {
    let time = date::civil(i64::from(entry.modified) * 1000, offset).strftime("%Y-%m-%d %H:%M").to_string();
    format!("{} 1 shell shell {:>7} {time} {name}\n", permissions(entry), entry.size())
}

/// Such as `-rw-r--r--`.
pub(super) fn permissions(entry: &Entry) -> String {
    let letters = "rwxrwxrwx".chars().enumerate();
    let bits = letters.map(|(index, letter)| if entry.mode & (0o400 >> index) == 0 { '-' } else { letter });
    let kind = if entry.is_folder() { 'd' } else { '-' };
    std::iter::once(kind).chain(bits).collect()
}
