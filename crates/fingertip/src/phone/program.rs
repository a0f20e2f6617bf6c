//! The program for the phone: where it is found, and whether it can run there.

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};

/// The largest program that is pushed, in bytes.
const MAX_BYTES: u64 = 256 * 1024 * 1024;
/// How much of a file is read to see what it is; the tables of a program stand at its start.
const HEADER_BYTES: u64 = 64 * 1024;
/// The entry of a program's table that names its loader, which only dynamic programs have.
const LOADER: u32 = 3;

/// A kind of processor that phones have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Processor {
    Arm64,
    X86,
}

impl Processor {
    /// By what Android calls it.
    pub(super) fn of_abi(abi: &str) -> Option<Self> {
        match abi {
            "arm64-v8a" => Some(Self::Arm64),
            "x86_64" => Some(Self::X86),
            _ => None,
        }
    }

    /// By what the header of a program calls it.
    fn of_machine(number: u16) -> Option<Self> {
        match number {
            183 => Some(Self::Arm64),
            62 => Some(Self::X86),
            _ => None,
        }
    }

    /// Its name in the names of files.
    fn architecture(self) -> &'static str {
        match self {
            Self::Arm64 => "aarch64",
            Self::X86 => "x86_64",
        }
    }
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Kind {
    processor: Option<Processor>,
    is_static: bool,
}

/// What the header of a 64-bit program says; `None` for other files.
fn kind(header: &[u8]) -> Option<Kind> {
    let word = |at: usize| Some(u16::from_le_bytes(header.get(at..at + 2)?.try_into().ok()?));
    if header.get(..6)? != [0x7f, b'E', b'L', b'F', 2, 1] {
        return None;
    }
    let table = usize::try_from(u64::from_le_bytes(header.get(32..40)?.try_into().ok()?)).ok()?;
    let (size, count) = (usize::from(word(54)?), usize::from(word(56)?));
    let mut is_static = true;
    for index in 0..count {
        let at = table.checked_add(index.checked_mul(size)?)?;
        let entry = header.get(at..at.checked_add(4)?)?;
        is_static &= entry != LOADER.to_le_bytes();
    }
    Some(Kind { processor: Processor::of_machine(word(18)?), is_static })
}

fn kind_of(path: &Path) -> std::io::Result<Option<Kind>> {
    let mut header = Vec::new();
    File::open(path)?.take(HEADER_BYTES).read_to_end(&mut header)?;
    Ok(kind(&header))
}

/// The program for a phone with this processor: the one given, else one that lies ready, else this program itself.
///
/// # Errors
/// When there is none, or the one given is for something else.
pub(super) fn find(given: Option<&Path>, processor: Processor) -> anyhow::Result<PathBuf> {
    let architecture = processor.architecture();
    if let Some(path) = given {
        return match kind_of(path).with_context(|| format!("cannot read {}", path.display()))? {
            Some(kind) if kind.processor == Some(processor) => Ok(path.to_owned()),
            _ => bail!("{} is no program for the phone's processor, {architecture}", path.display()),
        };
    }
    let this = std::env::current_exe().context("this program does not know where it is")?;
    let runs = |path: &PathBuf| matches!(kind_of(path), Ok(Some(kind)) if kind.is_static && kind.processor == Some(processor));
    candidates(&this, architecture).into_iter().find(runs).with_context(|| {
        format!(
            "there is no fingertip-phone-{architecture} beside {} or in dist/; build it with `scripts/package-static \
             {architecture}`, or name one with --binary",
            this.display()
        )
    })
}

/// Where the program may be, the likeliest first. A build of a source tree is in `target/PROFILE` beside its `dist`.
fn candidates(this: &Path, architecture: &str) -> Vec<PathBuf> {
    let name = format!("fingertip-phone-{architecture}");
    let folder = this.parent().unwrap_or(Path::new("."));
    let mut found = vec![folder.join(&name), folder.join("dist").join(&name)];
    if let Some(target) = folder.parent().filter(|folder| folder.ends_with("target")) {
        found.extend(target.parent().map(|tree| tree.join("dist").join(&name)));
    }
    found.push(this.to_owned());
    found
}

/// Reads a program.
///
/// # Errors
/// When it cannot be read, or is larger than any that is pushed.
pub(super) fn read(path: &Path) -> anyhow::Result<Vec<u8>> {
    let mut content = Vec::new();
    let reading = || format!("cannot read {}", path.display());
    File::open(path)
        .with_context(reading)?
        .take(MAX_BYTES + 1)
        .read_to_end(&mut content)
        .with_context(reading)?;
    if content.len() as u64 > MAX_BYTES {
        bail!("{} is larger than {MAX_BYTES} bytes", path.display());
    }
    Ok(content)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The header of a program with this processor and these entries in its table.
    fn header(machine: u16, entries: &[u32]) -> Vec<u8> {
        let mut header = vec![0; 64];
        header[..6].copy_from_slice(b"\x7fELF\x02\x01");
        header[18..20].copy_from_slice(&machine.to_le_bytes());
        header[32..40].copy_from_slice(&64_u64.to_le_bytes());
        header[54..56].copy_from_slice(&56_u16.to_le_bytes());
        header[56..58].copy_from_slice(&u16::try_from(entries.len()).unwrap().to_le_bytes());
        for entry in entries {
            header.extend(entry.to_le_bytes());
            header.extend([0; 52]);
        }
        header
    }

    #[test]
    fn a_program_names_its_processor_and_whether_it_needs_a_loader() {
        let found = |machine, entries: &[u32]| kind(&header(machine, entries));
        assert_eq!(found(183, &[1, 1, 6]), Some(Kind { processor: Some(Processor::Arm64), is_static: true }));
        assert_eq!(found(62, &[6, LOADER]), Some(Kind { processor: Some(Processor::X86), is_static: false }));
        assert_eq!(found(40, &[]), Some(Kind { processor: None, is_static: true }));
        let this = kind_of(&std::env::current_exe().unwrap()).unwrap();
        assert!(this.is_some() || !cfg!(target_os = "linux"));
    }

    #[test]
    fn what_is_no_program_or_is_cut_short_is_none() {
        let whole = header(183, &[1, LOADER]);
        for end in 0..whole.len() - 55 {
            assert_eq!(kind(&whole[..end]), None, "{end}");
        }
        let mut far = whole;
        far[32..40].copy_from_slice(&u64::MAX.to_le_bytes());
        assert_eq!(kind(&far), None);
        assert_eq!(kind(b"#!/bin/sh\n"), None);
    }

    #[test]
    fn a_program_that_is_given_must_fit_the_phone() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("program");
        std::fs::write(&path, header(62, &[])).unwrap();
        assert_eq!(find(Some(&path), Processor::X86).unwrap(), path);
        let wrong = find(Some(&path), Processor::Arm64).unwrap_err().to_string();
        assert!(wrong.contains("no program for the phone's processor, aarch64"), "{wrong}");
        assert!(find(Some(&folder.path().join("none")), Processor::X86).is_err());
    }

    #[test]
    fn a_source_trees_own_build_is_looked_for() {
        let found = candidates(Path::new("/tree/target/release/fingertip"), "aarch64");
        assert!(found.contains(&PathBuf::from("/tree/dist/fingertip-phone-aarch64")), "{found:?}");
        let found = candidates(Path::new("/usr/local/bin/fingertip"), "aarch64");
        assert!(
            !found.iter().any(|path| path.starts_with("/usr/dist") || path.starts_with("/dist")),
            "{found:?}"
        );
    }
}
