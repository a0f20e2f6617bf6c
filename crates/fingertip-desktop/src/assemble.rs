//! One application as it was read, put together as a snapshot with the windows around it.
//!
//! An open menu is a window of its own on the screen but stands inside its menu bar in the tree. What is in it
//! becomes a window here too: otherwise it would lie outside of its ancestors and could not be pressed.

use fingertip_core::fold::fold;
use fingertip_core::{Builder, Node, Rect, Screen, Snapshot, Window, WindowKind};

use crate::windows::{self, ListedWindow, TopWindow};

/// What a dialog without a title is called.
const UNTITLED: &str = "without a title";

/// The objects of an application that was read, each by its position.
pub trait AppTree {
    /// Its windows.
    fn windows(&self) -> &[usize];

    /// What is in an object, in order.
    fn children(&self, place: usize) -> &[usize];

    /// Where an object is on the screen, and whether it can be seen; `None` for one that is left out.
    fn spot(&self, place: usize) -> Option<(Rect, bool)>;

    /// The node of an object, once; `None` for one that is left out.
    fn take(&mut self, place: usize) -> Option<Node>;

    /// Whether a child is of a sort that is shown in a window of its own.
    fn opens_apart(&self, parent: usize, child: usize) -> bool;
}

/// One application as it was read.
#[derive(Debug)]
pub struct Reading<T> {
    /// Its objects.
    pub tree: T,
    /// Its windows, as they stand in [`AppTree::windows`].
    pub tops: Vec<TopWindow>,
    /// For each of them the listed window that shows it, as they stand in [`Setting::own`].
    pub shown_by: Vec<Option<usize>>,
    /// Why objects are missing, when some are.
    pub cut: Option<String>,
    /// Whether some of it was read earlier.
    pub recalled: bool,
    /// Whether only what was looked for is in it, with what that is in.
    pub is_sparse: bool,
}

/// Whose application was read, and what the window system shows of it and of others.
#[derive(Debug)]
pub struct Setting<'a> {
    /// What a person calls the application.
    pub app: &'a str,
    /// Its process.
    pub pid: Option<u32>,
    /// The screen; of no size when it is not known.
    pub screen: Screen,
    /// Its listed windows.
    pub own: Vec<&'a ListedWindow>,
    /// The listed windows of others, with the names of their applications.
    pub others: Vec<(&'a ListedWindow, Option<Box<str>>)>,
    /// Whether invisible windows are left out.
    pub only_visible: bool,
}

/// Puts the snapshot together.
#[must_use]
pub fn assemble<T: AppTree>(reading: Reading<T>, setting: &Setting<'_>) -> Snapshot {
    let mut builder = Snapshot::builder(setting.screen);
    builder.lasting_handles();
    if let Some(why) = &reading.cut {
        builder.cut(why);
    }
    if reading.recalled {
        builder.recalled();
    }
    if reading.is_sparse {
        builder.sparse();
    }
    let popups = popups(&reading, setting);
    let blocked_by = blocked_by(&reading, setting);
    let (areas, title) = (Vec::new(), None);
    let mut assembly = Assembly { reading, setting, builder, popups, blocked_by, areas, title };
    for position in 0..assembly.reading.tops.len() {
        assembly.add_window(position);
    }
    assembly.add_popups();
    assembly.add_unread_popups();
    assembly.finish()
}

/// A listed window of the application that is no window of its tree, as menus are, with what is shown in it.
struct Popup<'a> {
    window: &'a ListedWindow,
    shown: Vec<usize>,
    /// Whether it is in the snapshot already.
    is_added: bool,
}

fn popups<'a, T>(reading: &Reading<T>, setting: &Setting<'a>) -> Vec<Popup<'a>> {
    let is_free = |window: &usize| !reading.shown_by.contains(&Some(*window));
    let own = setting.own.iter().enumerate().filter(|(window, _)| is_free(window));
    let unmanaged = own.filter(|(_, window)| window.unmanaged && !window.minimized && !window.tooltip);
    unmanaged.map(|(_, window)| Popup { window, shown: Vec::new(), is_added: false }).collect()
}

struct Assembly<'a, T> {
    reading: Reading<T>,
    setting: &'a Setting<'a>,
    builder: Builder,
    popups: Vec<Popup<'a>>,
    /// For each window the title of the dialog that must be answered first.
    blocked_by: Vec<Option<Box<str>>>,
    /// Where the windows are that were added, and on which layer.
    areas: Vec<(Rect, i32)>,
    /// The title of the window in front.
    title: Option<Box<str>>,
}

/// A step through a tree.
enum Step {
    Enter(usize),
    Leave,
}

impl<T: AppTree> Assembly<'_, T> {
    /// Adds the window of this position, unless it cannot be seen and only what can is wanted.
    fn add_window(&mut self, position: usize) {
        let Some(mut window) = self.window(position) else { return };
        window.blocked_by = self.blocked_by[position].take();
        if window.focused || self.title.is_none() {
            self.title = window.title.clone().or(self.title.take());
        }
        self.areas.push((window.bounds, window.layer));
        self.builder.window(window);
        self.add_nodes(self.reading.tree.windows()[position], None);
    }

    fn window(&self, position: usize) -> Option<Window> {
        let Reading { tree, tops, shown_by, .. } = &self.reading;
        let (bounds, visible) = tree.spot(tree.windows()[position])?;
        if self.setting.only_visible && !visible {
            return None;
        }
        if self.is_tooltip(position) {
            return None;
        }
        let top = &tops[position];
        let Some(shown) = shown_by[position].and_then(|window| self.setting.own.get(window)) else {
            let layer = i32::try_from(tops.len() - position).unwrap_or_default();
            let mut window = windows::lone(top, self.setting.app, self.setting.pid, layer);
            window.bounds = bounds;
            window.minimized = !visible;
            return Some(window);
        };
        let mut window = windows::window(shown, Some(self.setting.app));
        window.pid = self.setting.pid.or(window.pid);
        if window.title.is_none() {
            window = window.title(&top.title);
        }
        Some(window)
    }

    /// Whether it says what the control says that it belongs to, and comes and goes by itself.
    fn is_tooltip(&self, position: usize) -> bool {
        let Reading { tops, shown_by, .. } = &self.reading;
        let shown = shown_by[position].and_then(|window| self.setting.own.get(window));
        tops[position].tooltip || shown.is_some_and(|window| window.tooltip)
    }

    /// The texts of the visible tooltips, empty where only a window shows that one is there.
    fn tooltips(&self) -> Vec<Box<str>> {
        let Reading { tree, tops, .. } = &self.reading;
        let is_visible = |position: &usize| {
            let root = tree.spot(tree.windows()[*position]);
            self.is_tooltip(*position) && root.is_some_and(|(_, visible)| visible)
        };
        let mut said: Vec<Box<str>> =
            (0..tops.len()).filter(is_visible).map(|position| tops[position].title.clone()).collect();
        if said.is_empty() && self.setting.own.iter().any(|window| window.tooltip && !window.minimized) {
            said.push(Box::default());
        }
        said
    }

    /// Adds an object and everything in it, but for what is shown in another popup than this.
    fn add_nodes(&mut self, root: usize, within: Option<u32>) {
        let mut steps = vec![Step::Enter(root)];
        while let Some(step) = steps.pop() {
            let Step::Enter(place) = step else {
                self.builder.close();
                continue;
            };
            let Some(node) = self.reading.tree.take(place) else { continue };
            self.builder.open(node);
            steps.push(Step::Leave);
            let first = steps.len();
            for &child in self.reading.tree.children(place) {
                match popup_of(&self.reading.tree, &self.popups, place, child) {
                    Some(popup) if Some(self.popups[popup].window.id) != within => {
                        self.popups[popup].shown.push(child);
                    }
                    _ => steps.push(Step::Enter(child)),
                }
            }
            steps[first..].reverse();
        }
    }

    /// Adds the popups in which something is shown; one may open the next.
    fn add_popups(&mut self) {
        while let Some(next) = self.popups.iter().position(|popup| !popup.shown.is_empty()) {
            let shown = std::mem::take(&mut self.popups[next].shown);
            self.popups[next].is_added = true;
            let shows = self.popups[next].window;
            let mut window = windows::window(shows, Some(self.setting.app)).kind(WindowKind::Popup);
            window.pid = self.setting.pid.or(window.pid);
            self.areas.push((window.bounds, window.layer));
            self.builder.window(window);
            for place in shown {
                self.add_nodes(place, Some(shows.id));
            }
        }
    }

    /// Adds the popups that nothing of the tree is shown in: Qt exposes nothing of a context menu. They lie above the rest
    /// all the same, and there is nothing but their pixels to read.
    fn add_unread_popups(&mut self) {
        let Assembly { popups, areas, builder, setting, .. } = self;
        for Popup { window, .. } in popups.iter().filter(|popup| !popup.is_added) {
            // A shadow or a drop target of another program without a process is not part of this application.
            if window.pid.is_none() || !areas.iter().any(|(_, layer)| window.layer > *layer) {
                continue;
            }
            let mut made = windows::window(window, Some(setting.app)).kind(WindowKind::Popup);
            made.pid = setting.pid.or(made.pid);
            builder.window(made);
        }
    }

    /// Adds the windows of others that lie above what was added.
    fn finish(mut self) -> Snapshot {
        self.builder.titled(self.setting.app, self.title.as_deref().unwrap_or_default());
        for (window, app) in &self.setting.others {
            let above = |(area, layer): &(Rect, i32)| window.layer > *layer && window.frame.overlaps(*area);
            if !window.minimized && !window.tooltip && self.areas.iter().any(above) {
                self.builder.window(windows::window(window, app.as_deref()));
            }
        }
        let tooltips = self.tooltips();
        let mut snapshot = self.builder.finish();
        snapshot.tooltips = tooltips;
        fold(&mut snapshot);
        snapshot
    }
}

/// The popup in which a child is shown, when it is of a sort that is shown in one.
fn popup_of(tree: &impl AppTree, popups: &[Popup<'_>], parent: usize, child: usize) -> Option<usize> {
    if popups.is_empty() || !tree.opens_apart(parent, child) {
        return None;
    }
    let (bounds, _) = tree.spot(child).filter(|(_, visible)| *visible)?;
    popups.iter().position(|popup| popup.window.bounds.contains(bounds.center()))
}

/// For each window of the tree the title of the dialog that must be answered first.
///
/// A dialog is modal by its toolkit's word or by the window manager's. It blocks the window it belongs to and what that
/// belongs to; one that belongs to no window of the application blocks all others of it. Other applications are never
/// blocked, and neither is what opens above a dialog.
fn blocked_by<T: AppTree>(reading: &Reading<T>, setting: &Setting<'_>) -> Vec<Option<Box<str>>> {
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
