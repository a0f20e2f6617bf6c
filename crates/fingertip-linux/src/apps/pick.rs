//! Which application is meant.

use std::sync::Arc;

use fingertip_core::target::AppRef;
use fingertip_core::{Candidate, Error, Reason, Result};

use super::Running;

/// The application that is meant: by its process, else by its name, exactly before in another case.
///
/// # Errors
/// When it does not run, or when several run under this name.
pub(crate) fn pick(running: &[Arc<Running>], wanted: &AppRef) -> Result<Vec<Arc<Running>>> {
    let of = |test: &dyn Fn(&Running) -> bool| -> Vec<Arc<Running>> {
        running.iter().filter(|app| test(app)).cloned().collect()
    };
    let found = if wanted.pid.is_some() {
        of(&|app| app.pid == wanted.pid)
    } else {
        let exact = of(&|app| app.is_called(&wanted.name, |name, wanted| name == wanted));
        if exact.is_empty() {
            of(&|app| {
                app.is_called(&wanted.name, |name, wanted| name.to_lowercase() == wanted.to_lowercase())
            })
        } else {
            exact
        }
    };
    let Some(first) = found.first() else { return Err(not_running(wanted, running)) };
    if found.iter().any(|app| app.pid != first.pid) {
        return Err(several(wanted, &found));
    }
    Ok(found)
}

fn not_running(wanted: &AppRef, running: &[Arc<Running>]) -> Error {
    let process = wanted.pid.map(|pid| format!(" (process {pid})")).unwrap_or_default();
    Error::new(
        Reason::NotFound,
        format!("No application '{}'{process} runs with a user interface.", wanted.name),
    )
    .with_guidance("Use the name or process of one that is listed, or start it.")
    .with_app(&*wanted.name)
    .with_candidates(running.iter().map(|app| candidate(app)).collect())
}

fn several(wanted: &AppRef, found: &[Arc<Running>]) -> Error {
    let pids: Vec<_> = found.iter().filter_map(|app| app.pid).map(|pid| pid.to_string()).collect();
    let message =
        format!("Several applications are called '{}': processes {}.", wanted.name, pids.join(", "));
    Error::new(Reason::Ambiguous, message)
        .with_guidance("Say which one by its process id.")
        .with_app(&*wanted.name)
        .with_candidates(found.iter().map(|app| candidate(app)).collect())
}

fn candidate(app: &Running) -> Candidate {
    let id = app.pid.map_or_else(|| app.name().into(), |pid| pid.to_string());
    Candidate { id, label: app.name().into() }
}

#[cfg(test)]
mod tests {
    use super::super::tests::running;
    use super::*;

    fn pids(found: &[Arc<Running>]) -> Vec<u32> {
        found.iter().filter_map(|app| app.pid).collect()
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
    fn two_of_one_name_are_told_by_process() {
        let all = [running("Editor", "edit", 11), running("Editor", "edit", 12)];
        let error = pick(&all, &AppRef::named("Editor")).unwrap_err();
        assert_eq!(error.reason(), Reason::Ambiguous);
        assert!(error.message().contains("11, 12"));
        assert_eq!(error.candidates().len(), 2);
    }

    #[test]
    fn what_does_not_run_is_told_with_what_does() {
        let error = pick(&[running("Editor", "edit", 1)], &AppRef::named("Browser")).unwrap_err();
        assert_eq!(error.reason(), Reason::NotFound);
        assert_eq!(error.candidates()[0].label, "Editor");
    }
}
