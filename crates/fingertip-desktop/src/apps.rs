//! Which application is meant.

use std::sync::Arc;

use fingertip_core::target::AppRef;
use fingertip_core::{Candidate, Error, Reason, Result};

/// An application that runs.
pub trait RunningApp {
    /// What a person calls it.
    fn name(&self) -> Box<str>;

    /// The program it runs, or what else names it to a programmer.
    fn program(&self) -> Option<&str>;

    /// Its process.
    fn pid(&self) -> Option<u32>;
}

/// The application that is meant: by its process, else by its name or program, exactly before in another case.
///
/// # Errors
/// When it does not run, or when several run under this name.
pub fn pick<A: RunningApp>(running: &[Arc<A>], wanted: &AppRef) -> Result<Vec<Arc<A>>> {
    let of = |test: &dyn Fn(&A) -> bool| -> Vec<Arc<A>> {
        running.iter().filter(|app| test(app)).cloned().collect()
    };
    let called =
        |same: &dyn Fn(&str) -> bool| of(&|app| same(&app.name()) || app.program().is_some_and(same));
    let found = if wanted.pid.is_some() {
        of(&|app| app.pid() == wanted.pid)
    } else {
        let exact = called(&|name| *name == *wanted.name);
        let lower = wanted.name.to_lowercase();
        if exact.is_empty() { called(&|name| name.to_lowercase() == lower) } else { exact }
    };
    let Some(first) = found.first() else { return Err(not_running(wanted, running)) };
    if found.iter().any(|app| app.pid() != first.pid()) {
        return Err(several(wanted, &found));
    }
    Ok(found)
}

fn not_running<A: RunningApp>(wanted: &AppRef, running: &[Arc<A>]) -> Error {
    let process = wanted.pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
    Error::new(
        Reason::NotFound,
        format!("No application '{}'{process} runs with a user interface.", wanted.name),
    )
    .with_guidance("Use the name or process of one that is listed, or start it.")
    .with_app(&*wanted.name)
    .with_candidates(running.iter().map(|app| candidate(&**app)).collect())
}

fn several<A: RunningApp>(wanted: &AppRef, found: &[Arc<A>]) -> Error {
    let pids: Vec<_> = found.iter().filter_map(|app| app.pid()).map(|pid| pid.to_string()).collect();
    let message =
        format!("Several applications are called '{}': processes {}.", wanted.name, pids.join(", "));
    Error::new(Reason::Ambiguous, message)
        .with_guidance("Say which one by its process id.")
        .with_app(&*wanted.name)
        .with_candidates(found.iter().map(|app| candidate(&**app)).collect())
}

fn candidate(app: &impl RunningApp) -> Candidate {
    let id = app.pid().map_or_else(|| app.name().into(), |pid| pid.to_string());
    Candidate { id, label: app.name().into() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Debug)]
    struct Fake(&'static str, &'static str, u32);

    impl RunningApp for Fake {
        fn name(&self) -> Box<str> {
            self.0.into()
        }

        fn program(&self) -> Option<&str> {
            Some(self.1)
        }

        fn pid(&self) -> Option<u32> {
            Some(self.2)
        }
    }

    fn running(name: &'static str, program: &'static str, pid: u32) -> Arc<Fake> {
        Arc::new(Fake(name, program, pid))
    }

    fn pids(found: &[Arc<Fake>]) -> Vec<u32> {
        found.iter().map(|app| app.2).collect()
    }

    #[test]
    fn a_process_decides_then_the_exact_name_then_its_case() {
        let all = [running("Editor", "edit", 1), running("editor", "edit2", 2), running("Calc", "kcalc", 3)];
        let by_pid = AppRef { name: "whatever".into(), pid: Some(3) };
        assert_eq!(pids(&pick(&all, &by_pid).unwrap()), [3]);
        assert_eq!(pids(&pick(&all, &AppRef::named("editor")).unwrap()), [2]);
        assert_eq!(pids(&pick(&all, &AppRef::named("KCALC")).unwrap()), [3]);
        assert_eq!(pick(&all, &AppRef::named("EDITOR")).unwrap_err().reason(), Reason::Ambiguous);
    }

    #[test]
    fn two_of_one_name_differ_by_process() {
        let all = [running("Editor", "edit", 11), running("Editor", "edit", 12)];
        let error = pick(&all, &AppRef::named("Editor")).unwrap_err();
        assert_eq!(error.reason(), Reason::Ambiguous);
        assert!(error.message().contains("11, 12"));
        assert_eq!(error.candidates().len(), 2);
    }

    #[test]
    fn what_does_not_run_is_answered_with_what_does() {
        let error = pick(&[running("Editor", "edit", 1)], &AppRef::named("Browser")).unwrap_err();
        assert_eq!(error.reason(), Reason::NotFound);
        assert_eq!(error.candidates()[0].label, "Editor");
    }
}
