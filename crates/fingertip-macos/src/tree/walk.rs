//! Reading element for element, breadth first: what is cut off then is the innermost.
//!
//! Bounded in elements, bytes, depth and time. An element is known by the system's own equality, so that one which names its
//! own ancestor as its child is read once. What does not answer costs one timeout; two in a row end the reading.

use std::collections::VecDeque;

use fingertip_core::Rect;
use fingertip_core::target::Part;

use super::{AccessibleTree, Object};
use crate::apps::is_running;
use crate::client::{Ask, Client};
use crate::element::Element;
use crate::failure::{Answer, Failure};
use crate::roles;

/// The most elements that are read.
pub(crate) const MOST_OBJECTS: usize = 20_000;
/// The most bytes of text that are kept of one application.
const MOST_BYTES: usize = 16 << 20;
/// How deep elements may lie in each other.
const DEEPEST: u32 = 200;
/// The most elements of one that are read.
const MOST_CHILDREN: usize = 2_000;
/// After so many elements in a row that do not answer, the application is left alone.
const MOST_SILENT: usize = 2;

/// The elements of an application, and which of its windows are sheets of others.
#[derive(Debug, Clone, Default)]
pub(crate) struct Walked {
    pub(crate) tree: AccessibleTree,
    /// Sheets and the windows they belong to, by their positions.
    pub(crate) sheets: Vec<(usize, usize)>,
}

/// An element that is still to be read.
struct Step {
    element: Element,
    parent: Option<usize>,
    depth: u32,
    /// Where what is in it can be seen; `None` before any window reported its place.
    clip: Option<Rect>,
    ask: Ask,
}

/// Reads these windows and what is in them, as much of it as the part says.
///
/// # Errors
/// When not even the first of them answers.
pub(crate) fn walk(client: &Client<'_>, tops: &[Element], part: Part) -> Answer<Walked> {
    let mut walked = Walked::default();
    extend(client, &mut walked, tops, part)?;
    Ok(walked)
}

/// Reads more windows.
///
/// # Errors
/// When nothing was read, before or now.
pub(crate) fn extend(client: &Client<'_>, walked: &mut Walked, tops: &[Element], part: Part) -> Answer<()> {
    let bytes = walked.tree.objects.iter().map(|object| object.facts.bytes()).sum();
    let step =
        |top: &Element| Step { element: top.clone(), parent: None, depth: 0, clip: None, ask: Ask::Window };
    let steps = tops.iter().map(step).collect();
    let mut walk = Walk { client, part, walked: std::mem::take(walked), bytes, steps };
    let outcome = walk.run();
    *walked = walk.walked;
    outcome
}

/// Reads an element and what is in it, as the only window of the tree.
///
/// # Errors
/// When it does not answer.
pub(crate) fn branch(
    client: &Client<'_>,
    root: &Element,
    ask: Ask,
    clip: Option<Rect>,
) -> Answer<AccessibleTree> {
    let mut walk =
        Walk { client, part: Part::Visible, walked: Walked::default(), bytes: 0, steps: VecDeque::new() };
    // A branch is no window: what it is in decides over its depth, which is not known here.
    walk.steps.push_back(Step { element: root.clone(), parent: None, depth: 0, clip, ask });
    walk.run()?;
    Ok(walk.walked.tree)
}

struct Walk<'a> {
    client: &'a Client<'a>,
    part: Part,
    walked: Walked,
    bytes: usize,
    steps: VecDeque<Step>,
}

impl Walk<'_> {
    fn run(&mut self) -> Answer<()> {
        let (mut silent, mut gone) = (0, 0);
        while let Some(step) = self.steps.pop_front() {
            if self.walked.tree.find(&step.element).is_some() {
                continue;
            }
            if let Some(why) = self.is_full() {
                self.walked.tree.cut(why);
                return Ok(());
            }
            match self.client.object(&step.element, step.ask) {
                Ok(object) => {
                    silent = 0;
                    self.add(&step, object);
                }
                Err(Failure::NoAnswer) => {
                    silent += 1;
                    if silent == MOST_SILENT || self.walked.tree.objects.is_empty() {
                        return self.break_off();
                    }
                    self.walked.tree.cut("some elements did not answer in time");
                }
                Err(failure @ Failure::NotTrusted) => return Err(failure),
                Err(Failure::Over) => {
                    if self.walked.tree.objects.is_empty() {
                        return Err(Failure::NoAnswer);
                    }
                    let read = self.walked.tree.objects.len();
                    self.walked.tree.cut(format!("the time was up when {read} elements had been read"));
                    return Ok(());
                }
                // It went while its parent was read.
                Err(Failure::Gone) => gone += 1,
                // It reports nothing.
                Err(_) => {}
            }
        }
        // Of an application that has quit every element is gone, which is no small tree but the end of one.
        if gone > 0 && !is_running(self.client.app.pid) { self.break_off() } else { Ok(()) }
    }

    /// Ends the reading because the application stopped answering; what was read is kept.
    fn break_off(&mut self) -> Answer<()> {
        let read = self.walked.tree.objects.len();
        if read == 0 {
            return Err(Failure::NoAnswer);
        }
        self.walked.tree.cut(format!("the application stopped answering after {read} elements"));
        Ok(())
    }

    fn is_full(&self) -> Option<String> {
        let read = self.walked.tree.objects.len();
        if read >= MOST_OBJECTS {
            return Some(format!("it has more than {MOST_OBJECTS} elements"));
        }
        (self.bytes >= MOST_BYTES).then(|| format!("its texts are longer than {} MiB", MOST_BYTES >> 20))
    }

    /// Adds an element that was read, and what is in it to what is still to be read.
    fn add(&mut self, step: &Step, object: Object) {
        self.bytes += object.facts.bytes();
        let role = object.facts.role.clone();
        let is_open = self.is_descended(&object, step);
        let (frame, listed) = (object.facts.frame, object.listed.clone());
        let place = self.walked.tree.add(object);
        match step.parent {
            None => self.walked.tree.windows.push(place),
            // A sheet is a window to a person at the screen.
            Some(parent) if &*role == roles::SHEET && self.walked.tree.windows.contains(&parent) => {
                self.walked.tree.windows.push(place);
                self.walked.sheets.push((place, parent));
            }
            Some(parent) => self.walked.tree.objects[parent].children.push(place),
        }
        if !is_open {
            return;
        }
        let frame = frame.filter(|frame| !frame.is_empty());
        let clip = match (step.clip, frame) {
            (None, frame) => frame,
            (clip @ Some(_), None) => clip,
            (Some(clip), Some(frame)) => {
                Some(if roles::clips(&role) { clip.intersection(frame) } else { clip })
            }
        };
        // What drops down lies outside of what it belongs to.
        let clip = clip.filter(|_| !matches!(&*role, roles::MENU_BAR_ITEM | roles::MENU_BAR | roles::MENU));
        let ask =
            if matches!(&*role, roles::SCROLL_AREA | "AXBrowser") { Ask::MaybeList } else { Ask::Inside };
        let depth = if &*role == roles::SHEET && step.parent.is_some() { 1 } else { step.depth + 1 };
        self.steps.extend(listed.elements.into_iter().take(MOST_CHILDREN).map(|element| Step {
            element,
            parent: Some(place),
            depth,
            clip,
            ask,
        }));
    }

    /// Whether what is in an element is read too.
    fn is_descended(&self, object: &Object, step: &Step) -> bool {
        if step.depth >= DEEPEST {
            return false;
        }
        match self.part {
            Part::Levels(levels) => step.depth < levels,
            Part::Whole => true,
            Part::Visible => {
                let is_minimized = object.window.is_some_and(|window| window.minimized);
                let is_closed = &*object.facts.role == roles::MENU_BAR_ITEM && !object.facts.selected;
                let is_out_of_sight = match (step.clip, object.facts.frame) {
                    (Some(clip), Some(frame)) => !frame.is_empty() && !frame.overlaps(clip),
                    _ => false,
                };
                !is_minimized && !is_closed && !is_out_of_sight
            }
        }
    }
}
