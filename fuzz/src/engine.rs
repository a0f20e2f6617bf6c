//! Gives mutated inputs to a target, and notices when it panics or takes too long.

use std::collections::HashSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use crate::FuzzTarget;
use crate::mutate::Mutator;

/// The longest a parser may take for one input, in a build that is not optimized and on a machine that is busy.
const MAX_TIME: Duration = Duration::from_secs(20);
/// The longest input.
const MAX_INPUT: usize = 64 * 1024;
/// The most inputs that are kept for further mutations.
const MAX_KEPT: usize = 2000;
/// How much of a result gives its form.
const MAX_FORM: usize = 2000;

/// An input that a parser did not survive.
#[derive(Debug)]
pub struct Find {
    /// The input.
    pub input: Vec<u8>,
    /// What happened.
    pub why: String,
}

/// What a run has come to.
#[derive(Debug)]
pub struct Report {
    /// How many inputs were tried.
    pub tried: u64,
    /// How many different forms of results were seen.
    pub forms: usize,
    /// The slowest input took so long.
    pub slowest: Duration,
}

/// Where the corpus of a target is.
#[must_use]
pub fn folder(target: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(target)
}

/// The corpus of a target, in the order of the names of its files.
#[must_use]
pub fn corpus(target: &str) -> Vec<Vec<u8>> {
    let entries = std::fs::read_dir(folder(target)).into_iter().flatten().flatten();
    let mut files: Vec<_> = entries.map(|entry| entry.path()).collect();
    files.sort();
    files.iter().filter_map(|file| std::fs::read(file).ok()).collect()
}

/// What runs now, for the one who watches the clock.
type Running = Arc<Mutex<Option<(Instant, Vec<u8>)>>>;

/// Tries the corpus and what can be made of it, for so long.
///
/// # Errors
/// The first input that makes the target panic. One that makes it hang ends the process, with the input as a file.
pub fn fuzz(target: FuzzTarget, corpus: &[Vec<u8>], span: Duration, seed: u64) -> Result<Report, Find> {
    let running = Running::default();
    watch(target.name, &running);
    let start = Instant::now();
    let mut report = Report { tried: 0, forms: 0, slowest: Duration::ZERO };
    let mut forms = HashSet::new();
    let mut mutator = Mutator::new(seed, corpus);
    let mut kept: Vec<Vec<u8>> = Vec::new();
    let mut next = 0;
    while next < corpus.len() || start.elapsed() < span {
        let mut input = match corpus.get(next) {
            Some(seed) => seed.clone(),
            None if kept.is_empty() => break,
            None => mutator.mutate(&kept),
        };
        let is_seed = next < corpus.len();
        next += 1;
        input.truncate(if is_seed { usize::MAX } else { MAX_INPUT });
        let begun = Instant::now();
        *running.lock().unwrap_or_else(PoisonError::into_inner) = Some((begun, input.clone()));
        let outcome = catch_unwind(AssertUnwindSafe(|| (target.run)(&input)));
        *running.lock().unwrap_or_else(PoisonError::into_inner) = None;
        report.tried += 1;
        report.slowest = report.slowest.max(begun.elapsed());
        match outcome {
            Err(panic) => return Err(Find { input, why: words(panic.as_ref()) }),
            Ok(result) => {
                if forms.insert(form(&result)) && kept.len() < MAX_KEPT || is_seed {
                    kept.push(input);
                }
            }
        }
    }
    report.forms = forms.len();
    Ok(report)
}

/// What is left of a result without its numbers and names: each run of letters or digits counts as one.
fn form(result: &str) -> u64 {
    let mut hasher = DefaultHasher::new();
    let mut last = ' ';
    for letter in result.chars().take(MAX_FORM) {
        let kind = match letter {
            '0'..='9' => '0',
            letter if letter.is_alphabetic() => 'a',
            letter => letter,
        };
        if kind != last || !kind.is_alphanumeric() {
            kind.hash(&mut hasher);
        }
        last = kind;
    }
    hasher.finish()
}

fn words(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("it panicked").to_owned()
}

/// Ends the process when an input takes too long: there is no way to stop a parser that hangs.
fn watch(name: &'static str, running: &Running) {
    let running = Arc::downgrade(running);
    std::thread::spawn(move || {
        while let Some(shared) = running.upgrade() {
            let late = shared.lock().unwrap_or_else(PoisonError::into_inner).clone();
            drop(shared);
            if let Some((_, input)) = late.filter(|(begun, _)| begun.elapsed() > MAX_TIME) {
                let saved = save(name, &input);
                print(&format!("{name}: an input takes longer than {MAX_TIME:?}: {}", saved.display()));
                std::process::exit(1);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    });
}

/// Keeps an input that was not survived; where.
#[must_use]
pub fn save(name: &str, input: &[u8]) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    input.hash(&mut hasher);
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("finds");
    let file = folder.join(format!("{name}-{:016x}", hasher.finish()));
    if let Err(error) = std::fs::create_dir_all(&folder).and_then(|()| std::fs::write(&file, input)) {
        print(&format!("the input could not be saved: {error}"));
    }
    file
}

/// Says something to who runs the fuzzer.
#[allow(clippy::print_stderr, reason = "a program for developers, without a protocol on its outputs")]
pub fn print(words: &str) {
    eprintln!("{words}");
}
