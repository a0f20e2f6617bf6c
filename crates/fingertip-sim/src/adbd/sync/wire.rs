//! The records of the `sync:` service, byte by byte.

use crate::files::{Entry, FileError};

/// The four letters that name a record.
pub(super) type Id = [u8; 4];

/// The device number of the phone's one disk.
const DEVICE: u64 = 0xfd05;

/// The user and the group of everything the shell may touch.
const SHELL: u32 = 2000;

/// An id and a length.
pub(super) fn header(id: Id, length: usize) -> [u8; 8] {
    let [a, b, c, d] = id;
    let [e, f, g, h] = u32::try_from(length).unwrap_or(u32::MAX).to_le_bytes();
    [a, b, c, d, e, f, g, h]
}

/// What the first version says of an entry; a missing one is all zero.
pub(super) fn stat_v1(found: Result<&Entry, FileError>) -> Vec<u8> {
    let mut record = b"STAT".to_vec();
    record.extend(summary(found.ok()).into_iter().flat_map(u32::to_le_bytes));
    record
}

/// What the second version says: an error number, and everything `stat(2)` knows.
pub(super) fn stat_v2(id: Id, found: Result<&Entry, FileError>) -> Vec<u8> {
    let mut record = id.to_vec();
    record.extend(details(found));
    record
}

/// A folder in the first version.
pub(super) fn list_v1(entries: Vec<(&str, &Entry)>) -> Vec<u8> {
    let mut listing = Vec::new();
    for (name, entry) in entries {
        listing.extend(b"DENT");
        listing.extend(summary(Some(entry)).into_iter().flat_map(u32::to_le_bytes));
        push_name(&mut listing, name);
    }
    listing.extend(b"DONE");
    listing.extend([0; 16]);
    listing
}

/// A folder in the second version.
pub(super) fn list_v2(entries: Vec<(&str, &Entry)>) -> Vec<u8> {
    let mut listing = Vec::new();
    for (name, entry) in entries {
        listing.extend(b"DNT2");
        listing.extend(details(Ok(entry)));
        push_name(&mut listing, name);
    }
    listing.extend(b"DONE");
    listing.extend([0; 72]);
    listing
}

fn push_name(listing: &mut Vec<u8>, name: &str) {
    listing.extend(u32::try_from(name.len()).unwrap_or(u32::MAX).to_le_bytes());
    listing.extend(name.as_bytes());
}

/// Mode, size and time of change, as the first version has room for.
fn summary(entry: Option<&Entry>) -> [u32; 3] {
    entry
        .map_or([0; 3], |entry| [entry.mode, u32::try_from(entry.size()).unwrap_or(u32::MAX), entry.modified])
}

fn details(found: Result<&Entry, FileError>) -> Vec<u8> {
    let mut record = Vec::with_capacity(68);
    let entry = match found {
        Ok(entry) => entry,
        Err(error) => {
            record.extend(error.number().to_le_bytes());
            record.resize(68, 0);
            return record;
        }
    };
    record.extend(0_u32.to_le_bytes());
    record.extend(DEVICE.to_le_bytes());
    record.extend(entry.inode.to_le_bytes());
    for word in [entry.mode, 1, SHELL, SHELL] {
        record.extend(word.to_le_bytes());
    }
    record.extend(entry.size().to_le_bytes());
    for _ in ["accessed", "modified", "changed"] {
        record.extend(i64::from(entry.modified).to_le_bytes());
    }
    record
}
