//! Windows opened, closed and changed. There are few of them, so each is compared with each.

use super::{ChangedFields, Changes, WindowChange, fields};
use crate::{Snapshot, Window};

/// When two windows are the same, the surest sign first. Different handles are always different windows.
const SIGNS: [fn(&Window, &Window) -> bool; 3] = [
    |old, new| old.handle.is_some() && old.handle == new.handle,
    |old, new| is_alike(old, new) && old.title == new.title,
    is_alike,
];

pub(super) fn compare(old: &Snapshot, new: &Snapshot, changes: &mut Changes) {
    let (old, new) = (old.windows(), new.windows());
    let mut closed: Vec<usize> = (0..old.len()).collect();
    let mut opened: Vec<usize> = (0..new.len()).collect();
    for same in SIGNS {
        opened.retain(|&after| {
            let found = closed.iter().position(|&before| same(&old[before], &new[after]));
            let Some(found) = found else { return true };
            let before = closed.remove(found);
            let fields = difference(&old[before], &new[after]);
            if !fields.is_empty() {
                changes.windows_changed.push(WindowChange { old: before, new: after, fields });
            }
            false
        });
    }
    changes.windows_changed.sort_unstable_by_key(|change| change.new);
    changes.windows_opened = opened;
    changes.windows_closed = closed;
}

fn is_alike(old: &Window, new: &Window) -> bool {
    let told_apart = old.handle.is_some() && new.handle.is_some();
    !told_apart && old.is_of_same_app(new) && old.kind == new.kind
}

fn difference(old: &Window, new: &Window) -> ChangedFields {
    fields([
        (ChangedFields::TITLE, old.title != new.title),
        (ChangedFields::BOUNDS, old.bounds != new.bounds),
        (ChangedFields::FOCUS, old.focused != new.focused),
        (ChangedFields::STATE, old.minimized != new.minimized || old.secure != new.secure),
        (ChangedFields::STACKING, old.layer != new.layer),
        (ChangedFields::IDENTITY, old.app != new.app || old.pid != new.pid || old.kind != new.kind),
    ])
}

#[cfg(test)]
mod tests {
    use super::super::between;
    use super::*;
    use crate::test_support::{sample, tree};

    #[test]
    fn a_keyboard_opens_and_closes() {
        let (without, with) = (sample::phone(), sample::phone_with_keyboard());
        let opening = between(&without, &with);
        assert_eq!((opening.windows_opened, opening.windows_closed), (vec![1], vec![]));
        let closing = between(&with, &without);
        assert_eq!((closing.windows_opened, closing.windows_closed), (vec![], vec![1]));
    }

    #[test]
    fn a_new_title_is_no_new_window() {
        let changes = between(&tree("window \"a.txt\" editor"), &tree("window \"b.txt\" editor focused"));
        let fields = ChangedFields::TITLE | ChangedFields::FOCUS;
        assert_eq!(changes.windows_changed, [WindowChange { old: 0, new: 0, fields }]);
        assert!(changes.windows_opened.is_empty() && changes.windows_closed.is_empty());
    }

    #[test]
    fn of_two_windows_the_one_with_the_same_title_is_the_same() {
        let old = tree("window \"a\" editor\nwindow \"b\" editor");
        let changes = between(&old, &tree("window \"b\" editor"));
        assert_eq!(changes.windows_closed, [0]);
        assert!(changes.windows_changed.is_empty());
    }

    #[test]
    fn another_handle_is_another_window() {
        let window = |handle: &str| {
            let mut builder = Snapshot::builder(crate::Screen::default());
            builder.window(Window { handle: Some(handle.into()), ..Window::default() });
            builder.finish()
        };
        let changes = between(&window("1"), &window("2"));
        assert_eq!((changes.windows_opened, changes.windows_closed), (vec![0], vec![0]));
        assert!(between(&window("1"), &window("1")).is_empty());
    }
}
