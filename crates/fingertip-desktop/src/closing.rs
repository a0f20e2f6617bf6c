//! Closing an application by its windows: which they are, and what came of asking them.
//!
//! How a window is asked, and how long its answer is waited for, is decided by the platform.

use fingertip_core::target::AppRef;
use fingertip_core::{Error, Reason, Result, Window};

/// The windows of an application among these.
#[must_use]
pub fn windows_of(app: &AppRef, all: Vec<Window>) -> Vec<Window> {
    all.into_iter().filter(|window| app.owns(window)).collect()
}

/// The windows that must be closed, in the order of these.
///
/// # Errors
/// When the application shows none.
pub fn to_close(app: &AppRef, all: Vec<Window>) -> Result<Vec<Window>> {
    let windows = windows_of(app, all);
    if windows.is_empty() {
        let message = format!("'{}' shows no window that could be closed.", app.name);
        return Err(Error::new(Reason::NotFound, message)
            .with_guidance("Nothing was done. An application without a window cannot be closed from here.")
            .with_app(&*app.name));
    }
    Ok(windows)
}

/// The refusal of a window that was asked to close. One that closed together with another is as wanted.
#[must_use]
pub fn refusal(answer: Result<()>) -> Option<Error> {
    answer.err().filter(|error| error.reason() != Reason::Stale)
}

/// How many of the windows have closed.
///
/// # Errors
/// The refusal, when none has.
pub fn closed(app: &AppRef, before: &[Window], left: &[Window], refused: Option<Error>) -> Result<usize> {
    let is_left = |window: &Window| left.iter().any(|other| other.handle == window.handle);
    let closed = before.iter().filter(|window| !is_left(window)).count();
    match refused {
        Some(error) if closed == 0 => Err(error.with_app(&*app.name)),
        _ => Ok(closed),
    }
}

#[cfg(test)]
mod tests {
    use fingertip_core::Rect;

    use super::*;

    fn window(app: &str, handle: &str) -> Window {
        let mut window = Window::new(app, Rect::new(0, 0, 9, 9));
        window.handle = Some(handle.into());
        window
    }

    fn refused() -> Error {
        Error::new(Reason::ActionFailed, "No.")
    }

    #[test]
    fn only_windows_of_the_application_are_closed_and_there_must_be_one() {
        let (editor, files) = (AppRef::named("editor"), AppRef::named("files"));
        let all = vec![window("editor", "1"), window("shell", "2"), window("editor", "3")];
        let handles: Vec<_> =
            to_close(&editor, all.clone()).unwrap().into_iter().map(|own| own.handle).collect();
        assert_eq!(handles, [Some("1".into()), Some("3".into())]);
        assert_eq!(to_close(&files, all).unwrap_err().reason(), Reason::NotFound);
    }

    #[test]
    fn a_window_that_is_gone_refuses_nothing() {
        assert_eq!(refusal(Ok(())), None);
        assert_eq!(refusal(Err(Error::new(Reason::Stale, "Gone."))), None);
        assert_eq!(refusal(Err(refused())), Some(refused()));
    }

    #[test]
    fn a_refusal_counts_only_when_no_window_closed() {
        let editor = AppRef::named("editor");
        let before = [window("editor", "1"), window("editor", "2")];
        assert_eq!(closed(&editor, &before, &before[1..], Some(refused())).unwrap(), 1);
        assert_eq!(closed(&editor, &before, &before, None).unwrap(), 0);
        let error = closed(&editor, &before, &before, Some(refused())).unwrap_err();
        assert_eq!((error.reason(), error.app()), (Reason::ActionFailed, Some("editor")));
    }
}
