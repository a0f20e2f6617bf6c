use super::*;

const NOW: u32 = 1_700_000_000;

fn with_file(path: &str) -> Files {
    let mut files = Files::default();
    files.write(path, Bytes::from_static(b"hello"), 0o644, NOW).unwrap();
    files
}

#[test]
fn a_written_file_can_be_read_listed_and_removed() {
    let mut files = with_file("/data/local/tmp/a");
    assert_eq!(files.read("/data/local/tmp/a").unwrap(), "hello");
    let entry = files.get("/data/local/tmp/a").unwrap();
    assert_eq!((entry.size(), entry.mode, entry.modified), (5, 0o100_644, NOW));
    let names: Vec<_> = files.list("/data/local/tmp").unwrap().into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a"]);
    files.remove("/data/local/tmp/a", false).unwrap();
    assert_eq!(files.read("/data/local/tmp/a"), Err(FileError::Missing));
}

#[test]
fn only_the_shell_users_places_are_writable() {
    let mut files = Files::default();
    let mut write = |path: &str| files.write(path, Bytes::new(), 0o644, NOW);
    assert_eq!(write("/system/bin/sh"), Err(FileError::Denied));
    assert_eq!(write("/x"), Err(FileError::Denied));
    assert_eq!(write("/sdcard/missing/x"), Err(FileError::Missing));
    assert_eq!(write("/sdcard"), Err(FileError::Denied));
    assert_eq!(write("/sdcard/DCIM"), Err(FileError::IsFolder));
    assert_eq!(write("/sdcard/x"), Ok(()));
    assert_eq!(files.remove("/data/local/tmp", true), Err(FileError::Denied));
}

#[test]
fn folders_are_made_moved_and_removed_with_what_is_in_them() {
    let mut files = Files::default();
    assert_eq!(files.make_folder("/sdcard/a/b", false, NOW), Err(FileError::Missing));
    files.make_folder("/sdcard/a/b", true, NOW).unwrap();
    files.make_folder("/sdcard/a/b", true, NOW).unwrap();
    assert_eq!(files.make_folder("/sdcard/a/b", false, NOW), Err(FileError::Exists));
    files.write("/sdcard/a/b/c", Bytes::from_static(b"c"), 0o600, NOW).unwrap();
    files.rename("/sdcard/a", "/sdcard/Download").unwrap();
    assert_eq!(files.read("/sdcard/Download/a/b/c").unwrap(), "c");
    assert!(files.get("/sdcard/a").is_err());
    assert_eq!(files.remove("/sdcard/Download/a", false), Err(FileError::IsFolder));
    files.remove("/sdcard/Download/a", true).unwrap();
    assert!(files.get("/sdcard/Download/a/b/c").is_err());
}

#[test]
fn sizes_are_bounded() {
    let mut files = Files::default();
    let big = Bytes::from(vec![0; MAX_FILE + 1]);
    assert_eq!(files.write("/sdcard/big", big.clone(), 0o644, NOW), Err(FileError::Full));
    let largest = big.slice(..MAX_FILE);
    for name in ["a", "b", "c", "d"] {
        files.write(&format!("/sdcard/{name}"), largest.clone(), 0o644, NOW).unwrap();
    }
    assert_eq!(files.write("/sdcard/e", Bytes::from_static(b"e"), 0o644, NOW), Err(FileError::Full));
    files.write("/sdcard/a", Bytes::new(), 0o644, NOW).unwrap();
    files.write("/sdcard/e", Bytes::from_static(b"e"), 0o644, NOW).unwrap();
}
