//! The token with which the portal gives a session without asking again, readable by its owner only.

use std::fs::OpenOptions;
use std::io::Write;
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// The name of the file.
const NAME: &str = "gnome-portal-token";
/// Read and written by its owner alone.
const PRIVATE: u32 = 0o600;

/// Where the token is kept; nowhere without a folder.
#[derive(Debug, Clone)]
pub(super) struct TokenFile(Option<PathBuf>);

impl TokenFile {
    /// The file in this folder.
    pub(super) fn within(folder: Option<&Path>) -> Self {
        Self(folder.map(|folder| folder.join(NAME)))
    }

    /// Whether there is one.
    pub(super) fn is_kept(&self) -> bool {
        self.0.as_ref().is_some_and(|path| path.exists())
    }

    /// The token, which is given up: it is good for once.
    pub(super) fn take(&self) -> Option<String> {
        let token = std::fs::read_to_string(self.0.as_ref()?).ok();
        self.forget();
        token.filter(|token| !token.is_empty())
    }

    /// Keeps a token instead of the one before. Without it the person is asked again, which is no failure of the call.
    pub(super) fn keep(&self, token: &str) {
        let Some(path) = &self.0 else { return };
        if let Err(error) = write(path, token) {
            tracing::warn!(%error, "the consent to remote control cannot be kept; it will be asked for again");
        }
    }

    /// Gives it up.
    pub(super) fn forget(&self) {
        let Some(path) = &self.0 else { return };
        match std::fs::remove_file(path) {
            Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                tracing::warn!(%error, "the token for remote control cannot be removed");
            }
            _ => {}
        }
    }
}

fn write(path: &Path, token: &str) -> std::io::Result<()> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let new = path.with_extension(format!("{}.new", std::process::id()));
    // One that was left over may be another's to read.
    let _ = std::fs::remove_file(&new);
    let mut file = OpenOptions::new().write(true).create_new(true).mode(PRIVATE).open(&new)?;
    file.write_all(token.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(new, path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_token_is_private_and_good_for_once() {
        let folder = tempfile::tempdir().unwrap();
        let tokens = TokenFile::within(Some(&folder.path().join("new")));
        assert_eq!(tokens.take(), None);
        tokens.keep("one");
        tokens.keep("two");
        let path = folder.path().join("new").join(NAME);
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, PRIVATE);
        assert_eq!(std::fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
        assert!(tokens.is_kept());
        assert_eq!(tokens.take().as_deref(), Some("two"));
        assert!(!tokens.is_kept());
        assert_eq!(tokens.take(), None);
    }

    #[test]
    fn without_a_folder_nothing_is_kept() {
        let tokens = TokenFile::within(None);
        tokens.keep("one");
        assert_eq!(tokens.take(), None);
    }
}
