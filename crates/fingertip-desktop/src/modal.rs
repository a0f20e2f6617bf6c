//! Which windows of an application wait until a modal dialog is answered.
//!
//! A dialog is modal by its toolkit's word or by the window manager's. It blocks the window it belongs to and what that
//! belongs to; one that belongs to no window of the application blocks all others of it. Other applications are never
//! blocked, and neither is what opens above a dialog.

use crate::assemble::{AppTree, Reading, Setting};
use crate::windows::ListedWindow;

/// What a dialog without a title is called.
const UNTITLED: &str = "without a title";

/// For each window of the tree the title of the dialog that must be answered first.
pub(crate) fn blocked<T: AppTree>(reading: &Reading<T>, setting: &Setting<'_>) -> Vec<Option<Box<str>>> {
    let count = reading.tops.len();
    let shown = |position: usize| -> Option<&ListedWindow> {
        reading.shown_by[position].and_then(|window| setting.own.get(window).copied())
    };
    let is_open = |position: usize| {
        let root = reading.tree.spot(reading.tree.windows()[position]);
        root.is_some_and(|(_, visible)| visible) && shown(position).is_none_or(|shown| !shown.minimized)
    };
    let is_modal = |position: usize| {
        let is_said = reading.tops[position].modal || shown(position).is_some_and(|shown| shown.modal);
        is_said && is_open(position)
    };
    let mut blocked = vec![None; count];
    for dialog in (0..count).filter(|&position| is_modal(position)) {
        let title = Some(&*reading.tops[dialog].title).filter(|title| !title.is_empty()).unwrap_or(UNTITLED);
        let owners = shown(dialog).map(|shown| owners(shown, &setting.own)).unwrap_or_default();
        for (position, slot) in blocked.iter_mut().enumerate() {
            let own = shown(position);
            let is_blocked = if owners.is_empty() {
                // Of two modal dialogs the later one lies above; popups lie above all.
                position != dialog && !is_modal(position) && own.is_none_or(|own| !own.unmanaged)
            } else {
                own.is_some_and(|own| owners.contains(&own.id))
            };
            if is_blocked {
                slot.get_or_insert_with(|| title.into());
            }
        }
    }
    blocked
}

/// The windows a dialog belongs to, one by the other, as far as they are of this application.
fn owners(dialog: &ListedWindow, own: &[&ListedWindow]) -> Vec<u32> {
    let mut owners = Vec::new();
    let mut next = dialog.transient_for;
    while let Some(owner) = next.and_then(|id| own.iter().find(|window| window.id == id)) {
        if owners.contains(&owner.id) || owner.id == dialog.id {
            break;
        }
        owners.push(owner.id);
        next = owner.transient_for;
    }
    owners
}
