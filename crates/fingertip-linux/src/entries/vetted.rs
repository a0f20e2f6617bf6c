//! Whether a file lies where only the owner of the machine can have put it.

use std::os::unix::fs::MetadataExt;
use std::path::Path;

/// What others than the owner may not be able to do: write.
const WRITABLE_BY_OTHERS: u32 = 0o022;
/// The bit of folders in which no user can replace the files of others.
const STICKY: u32 = 0o1000;

/// Whether the file, and the folder it really lies in, belong to root and no other user can write there; never in the home.
pub(crate) fn is_vetted(path: &Path, home: Option<&Path>) -> bool {
    let Ok(real) = path.canonicalize() else { return false };
    let in_home = |path: &Path| {
        home.is_some_and(|home| {
            path.starts_with(home) || home.canonicalize().is_ok_and(|home| path.starts_with(home))
        })
    };
    // The name may be a link in another user's folder.
    let folders = [path.parent(), real.parent()];
    !in_home(path)
        && !in_home(&real)
        && belongs_to_root(&real)
        && folders.into_iter().all(|folder| folder.is_some_and(belongs_to_root))
}

fn belongs_to_root(path: &Path) -> bool {
    path.metadata().is_ok_and(|facts| {
        let open = facts.mode() & WRITABLE_BY_OTHERS != 0 && facts.mode() & STICKY == 0;
        facts.uid() == 0 && !open
    })
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_system_program_is_vetted_and_nothing_in_the_home_is() {
        let program = Path::new("/usr/bin/env");
        assert!(is_vetted(program, Some(Path::new("/home/somebody"))));
        assert!(!is_vetted(program, Some(Path::new("/usr"))), "in the home");
        assert!(!is_vetted(Path::new("/no/such/file"), None));
    }

    #[test]
    fn what_others_can_write_is_not() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("a.desktop");
        std::fs::write(&file, "").expect("written");
        std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o666)).expect("set");
        assert!(!is_vetted(&file, None));
        let link = folder.path().join("link.desktop");
        std::os::unix::fs::symlink("/usr/bin/env", &link).expect("linked");
        std::fs::set_permissions(folder.path(), std::fs::Permissions::from_mode(0o777)).expect("set");
        assert!(!is_vetted(&link, None), "to write the folder is to redirect the link");
    }
}
