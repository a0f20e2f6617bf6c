//! Another program's configuration file, read and written without touching other settings.
//!
//! A file is read and written only in the folders of this user, links followed, and only when it is theirs. It is replaced
//! as a whole, so that its program sees the old text or the new, and keeps its mode. One that is read-only is left alone: its owner,
//! or what manages it, does not want it changed.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// The most bytes of such a file. Claude Code keeps its history in it, too.
const MAX_BYTES: u64 = 64 * 1024 * 1024;

/// A file, or the place for one.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ConfigFile {
    /// Where it really is, links followed.
    path: PathBuf,
}

impl ConfigFile {
    /// The file that is meant by this path.
    ///
    /// # Errors
    /// When it lies elsewhere than in these folders, or is no file.
    pub(crate) fn at(path: &Path, roots: &[PathBuf]) -> anyhow::Result<Self> {
        let real = real(path).with_context(|| format!("cannot look at {}", path.display()))?;
        let is_inside = |root: &PathBuf| fs::canonicalize(root).is_ok_and(|root| real.starts_with(root));
        if !roots.iter().any(is_inside) {
            bail!(
                "{} leads to {}, out of the folders of this user; nothing was done",
                path.display(),
                real.display()
            );
        }
        Ok(Self { path: real })
    }

    /// What is in it; `None` when it is not there.
    ///
    /// # Errors
    /// When it cannot be read, is no text, or is not this user's.
    pub(crate) fn read(&self) -> anyhow::Result<Option<String>> {
        let what = || format!("cannot read {}", self.path.display());
        let found = match fs::symlink_metadata(&self.path) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
            found => found.with_context(what)?,
        };
        if !found.is_file() {
            bail!("{} is no regular file", self.path.display());
        }
        owner::check(&self.path, &found)?;
        let mut content = Vec::new();
        let file = File::open(&self.path).with_context(what)?;
        file.take(MAX_BYTES + 1).read_to_end(&mut content).with_context(what)?;
        if content.len() as u64 > MAX_BYTES {
            bail!("{} has more than {MAX_BYTES} bytes", self.path.display());
        }
        Ok(Some(String::from_utf8(content).with_context(|| format!("{} is no text", self.path.display()))?))
    }

    /// Replaces what is in it, if that is still `before`; makes it when that is `None`.
    ///
    /// # Errors
    /// When it was changed meanwhile, or cannot be written.
    pub(crate) fn replace(&self, before: Option<&str>, after: &str) -> anyhow::Result<()> {
        let what = || format!("cannot write {}", self.path.display());
        self.must_be_writable()?;
        let folder = self.path.parent().with_context(what)?;
        fs::create_dir_all(folder).with_context(what)?;
        let fresh = self.fresh_name();
        let written = self.write(&fresh, after).and_then(|()| {
            // As late as can be.
            if self.read()?.as_deref() != before {
                bail!("{} was changed meanwhile; nothing was done", self.path.display());
            }
            fs::rename(&fresh, &self.path).with_context(what)
        });
        written.inspect_err(|_| drop(fs::remove_file(&fresh)))
    }

    /// Removes it, if it still holds `content`.
    ///
    /// # Errors
    /// When it was changed meanwhile, or cannot be removed.
    pub(crate) fn remove(&self, content: &str) -> anyhow::Result<()> {
        self.must_be_writable()?;
        if self.read()?.as_deref() != Some(content) {
            bail!("{} was changed meanwhile; nothing was done", self.path.display());
        }
        fs::remove_file(&self.path).with_context(|| format!("cannot remove {}", self.path.display()))
    }

    /// Replacing a file does not need its own permission, so that it is asked for here.
    fn must_be_writable(&self) -> anyhow::Result<()> {
        if fs::metadata(&self.path).is_ok_and(|found| found.permissions().readonly()) {
            bail!("{} is read-only; nothing was done. Make it writable first", self.path.display());
        }
        Ok(())
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    fn fresh_name(&self) -> PathBuf {
        let mut name = self.path.file_name().unwrap_or_default().to_owned();
        name.push(format!(".fingertip-{}", std::process::id()));
        self.path.with_file_name(name)
    }

    fn write(&self, fresh: &Path, content: &str) -> anyhow::Result<()> {
        let what = || format!("cannot write {}", fresh.display());
        let mut options = OpenOptions::new();
        owner::only(options.write(true).create_new(true));
        let mut file = options.open(fresh).with_context(what)?;
        if let Ok(found) = fs::metadata(&self.path) {
            file.set_permissions(found.permissions()).with_context(what)?;
        }
        file.write_all(content.as_bytes()).and_then(|()| file.sync_all()).with_context(what)
    }
}

/// The path with all links in it followed, as far as it exists.
fn real(path: &Path) -> io::Result<PathBuf> {
    match fs::canonicalize(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // A link to nowhere would become a file elsewhere.
            if fs::symlink_metadata(path).is_ok() {
                return Err(io::Error::other("it is a link that leads nowhere"));
            }
            let (Some(folder), Some(name)) = (path.parent(), path.file_name()) else { return Err(error) };
            Ok(real(folder)?.join(name))
        }
        found => found,
    }
}

#[cfg(unix)]
mod owner {
    use std::fs::{Metadata, OpenOptions};
    use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
    use std::path::Path;

    use anyhow::bail;

    /// Readable by the owner only, until the mode of the old file is known.
    const OWNER_ONLY: u32 = 0o600;

    /// Refuses another user's file: replaced, it would become ours, and its program could not write it.
    pub(super) fn check(path: &Path, found: &Metadata) -> anyhow::Result<()> {
        let user = rustix::process::geteuid().as_raw();
        if found.uid() != user {
            bail!(
                "{} belongs to user {}, this is user {user}; run it as that user",
                path.display(),
                found.uid()
            );
        }
        Ok(())
    }

    pub(super) fn only(options: &mut OpenOptions) {
        options.mode(OWNER_ONLY);
    }
}

#[cfg(not(unix))]
mod owner {
    use std::fs::{Metadata, OpenOptions};
    use std::path::Path;

    /// The system's own rules decide who owns a file.
    #[allow(clippy::unnecessary_wraps, reason = "the same function as on Unix")]
    pub(super) fn check(_path: &Path, _found: &Metadata) -> anyhow::Result<()> {
        Ok(())
    }

    pub(super) fn only(_options: &mut OpenOptions) {}
}
