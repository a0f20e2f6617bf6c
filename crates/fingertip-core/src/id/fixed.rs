//! Pairs the children of a matched node that does not scroll.
//!
//! From the strongest evidence to the weakest: the driver's handle, everything said, the first text, the
//! programmer's name, and at last the place between siblings already paired. All but the first need a parent
//! that is still the same part of the screen, or a child that says enough to be known by itself: otherwise
//! the "OK" of one dialog would become the "OK" of the next.

use super::groups::in_order;
use super::hash::mix;
use super::matching::{Context, Matching, Siblings};
use super::sketch::Sketch;

/// How many siblings that have others of their kind beside them may say something else at once and still be
/// the same ones.
const MOST_RELABELLED: usize = 2;

/// Pairs `siblings`, whose parent is `steady` or not; `roots` when their parent is the window.
pub(super) fn pair(matching: &mut Matching<'_>, siblings: &mut Siblings, steady: bool, roots: bool) {
    let (old, new) = (matching.old, matching.new);
    if let (true, &[before], &[now]) = (roots, &siblings.old[..], &siblings.new[..]) {
        // The one box that holds a window is the same as long as the window is.
        if old.at(before).base == new.at(now).base && is_box(old.at(before)) && is_box(new.at(now)) {
            return accept(matching, before, now, steady);
        }
    }
    unique(
        matching,
        siblings,
        steady,
        |node| if node.handle == 0 { 0 } else { mix(node.handle, node.base) },
        |_, _, _| true,
    );
    unique(
        matching,
        siblings,
        steady,
        |node| node.content,
        |matching, before, now| {
            steady || matching.evidence.is_distinctive(before) || is_named_box(matching, before, now)
        },
    );
    unique(
        matching,
        siblings,
        steady,
        |node| node.label,
        |matching, before, now| matching.evidence.is_steady(before, now, steady),
    );
    unique(
        matching,
        siblings,
        steady,
        |node| if node.identified { node.base } else { 0 },
        |matching, before, now| {
            is_named_box(matching, before, now) || is_relabelled(matching, before, now, steady)
        },
    );
    between_pairs(matching, siblings, steady);
}

/// Pairs what has a key found once on each side and passes `fits`.
fn unique(
    matching: &mut Matching<'_>,
    siblings: &mut Siblings,
    steady: bool,
    key: impl Fn(&Sketch) -> u64,
    fits: impl Fn(&Matching<'_>, u32, u32) -> bool,
) {
    let Siblings { old, new, groups } = siblings;
    let pairs = groups.unique(
        matching.free_old(old, |position| key(matching.old.at(position))),
        matching.free_new(new, |position| key(matching.new.at(position))),
    );
    for (before, now) in pairs {
        if fits(matching, before, now) {
            accept(matching, before, now, steady);
        }
    }
}

/// Pairs what is left between the same paired siblings, where as many of a sort are left on both sides.
fn between_pairs(matching: &mut Matching<'_>, siblings: &mut Siblings, steady: bool) {
    let gaps = Gaps::of(matching, siblings);
    let Siblings { old, new, groups } = siblings;
    for (key, same) in [((|node| node.content) as fn(&Sketch) -> u64, true), (|node| node.base, false)] {
        let mut pairs = Vec::new();
        groups.shared(
            matching.free_old(old, |position| mix(gaps.of_old(position), key(matching.old.at(position)))),
            matching.free_new(new, |position| mix(gaps.of_new(position), key(matching.new.at(position)))),
            |before, now| {
                if before.len() == now.len() {
                    let several = before.len() > 1;
                    pairs.extend(before.zip(now).map(|(before, now)| (before, now, several)));
                }
            },
        );
        let mut relabelled = 0;
        for &(before, now, several) in &pairs {
            relabelled += usize::from(several && matching.old.at(before).label != matching.new.at(now).label);
        }
        for (before, now, several) in pairs {
            let fits = if same {
                steady
            } else {
                is_relabelled(matching, before, now, steady) && (!several || relabelled <= MOST_RELABELLED)
            };
            if fits {
                accept(matching, before, now, steady);
            }
        }
    }
}

fn accept(matching: &mut Matching<'_>, before: u32, now: u32, steady: bool) {
    let steady = matching.evidence.is_steady(before, now, steady);
    matching.accept(before, now, Context { steady, scrolls: false });
}

/// The same control saying something else. A driver that names its nodes would have kept the name.
fn is_relabelled(matching: &Matching<'_>, before: u32, now: u32, steady: bool) -> bool {
    let (old, new) = (matching.old.at(before), matching.new.at(now));
    let renamed = old.handle != 0 && new.handle != 0 && old.handle != new.handle;
    !renamed && matching.evidence.is_steady(before, now, steady)
}

fn is_box(node: &Sketch) -> bool {
    !node.control
}

fn is_named_box(matching: &Matching<'_>, before: u32, now: u32) -> bool {
    let (old, new) = (matching.old.at(before), matching.new.at(now));
    old.identified && is_box(old) && is_box(new)
}

/// Between which paired siblings a node lies, as a number that is the same on both sides.
struct Gaps {
    anchors: Vec<(u32, u32)>,
}

impl Gaps {
    fn of(matching: &Matching<'_>, siblings: &Siblings) -> Self {
        let paired = siblings.new.iter().map(|&now| (matching.to_old[now as usize], now));
        // A sibling paired with a node below another parent is no landmark here.
        let (first, last) = (siblings.old[0], siblings.old[siblings.old.len() - 1]);
        let paired: Vec<_> = paired.filter(|pair| pair.0 >= first && pair.0 <= last).collect();
        Self { anchors: in_order(&paired) }
    }

    fn of_old(&self, old: u32) -> u64 {
        self.anchors.partition_point(|anchor| anchor.0 < old) as u64
    }

    fn of_new(&self, new: u32) -> u64 {
        self.anchors.partition_point(|anchor| anchor.1 < new) as u64
    }
}
