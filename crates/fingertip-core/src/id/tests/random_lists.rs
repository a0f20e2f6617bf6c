//! Random lists, scrolled and changed: an id is seen on one row only, ever. The model knows the truth.

use std::collections::HashMap;

use proptest::prelude::*;

use super::Show;
use crate::{Flags, Node, NodeId, Screen, Snapshot};

/// How many rows are visible.
const VIEW: usize = 6;

/// The most rows a scroll may move by, so that two rows are visible before and after.
const FARTHEST_SCROLL: i32 = VIEW as i32 - 2;

const ROW_HEIGHT: i32 = 20;

/// What happens between two looks at the list.
#[derive(Debug, Clone)]
enum Step {
    Scroll(i32),
    Jump(usize),
    Insert(usize),
    Remove(usize),
    Relabel(usize),
}

fn scroll() -> impl Strategy<Value = Step> {
    (-FARTHEST_SCROLL..=FARTHEST_SCROLL).prop_map(Step::Scroll)
}

fn jump() -> impl Strategy<Value = Step> {
    (0..40_usize).prop_map(Step::Jump)
}

fn change() -> impl Strategy<Value = Step> {
    prop_oneof![
        3 => scroll(),
        1 => (0..40_usize).prop_map(Step::Insert),
        1 => (0..40_usize).prop_map(Step::Remove),
        1 => (0..40_usize).prop_map(Step::Relabel),
    ]
}

/// A list of rows, each with a number of its own and something it says.
struct List {
    rows: Vec<(usize, String)>,
    first: usize,
    next: usize,
}

impl List {
    fn new(labels: impl IntoIterator<Item = String>) -> Self {
        let rows: Vec<_> = labels.into_iter().enumerate().collect();
        Self { next: rows.len(), rows, first: 0 }
    }

    fn step(&mut self, step: &Step) {
        let fresh = format!("fresh {}", self.next);
        let at = |place: usize| place % self.rows.len();
        match *step {
            Step::Scroll(by) => {
                let first = self.first as i64 + i64::from(by);
                self.first = usize::try_from(first).unwrap_or(0);
            }
            Step::Jump(to) => self.first = to,
            Step::Insert(place) => self.rows.insert(at(place), (self.next, fresh)),
            Step::Remove(place) => {
                let place = at(place);
                if self.rows.len() > 2 * VIEW && !self.is_between_equals(place) {
                    self.rows.remove(place);
                }
            }
            Step::Relabel(place) => {
                let place = at(place);
                self.rows[place].1 = fresh;
            }
        }
        self.next += 1;
        self.first = self.first.min(self.rows.len() - VIEW);
    }

    /// Whether without this row two that say the same would be neighbours, which nothing could tell apart.
    fn is_between_equals(&self, place: usize) -> bool {
        let label = |place: Option<usize>| self.rows.get(place?).map(|row| &row.1);
        label(place.checked_sub(1)) == label(Some(place + 1))
    }

    fn in_view(&self) -> &[(usize, String)] {
        &self.rows[self.first..self.first + VIEW]
    }

    fn snapshot(&self) -> Snapshot {
        let mut builder = Snapshot::builder(Screen::default());
        builder.open(Node::new("Frame")).leaf(Node::new("Text").text("Title"));
        builder.open(Node::new("List").with(Flags::SCROLLABLE).bounds(0, 0, 100, VIEW as i32 * ROW_HEIGHT));
        for (place, (_, label)) in self.in_view().iter().enumerate() {
            let top = place as i32 * ROW_HEIGHT;
            builder.open(Node::new("Row").bounds(0, top, 100, top + ROW_HEIGHT));
            builder.leaf(Node::new("Image").bounds(0, top, 20, top + ROW_HEIGHT));
            builder.leaf(Node::new("Text").text(label).bounds(20, top, 100, top + ROW_HEIGHT));
            builder.close();
        }
        builder.finish()
    }

    /// Shows the rows; gives the number of each visible row with the ids of the row and its parts.
    fn look(&self, show: &mut Show) -> Vec<(usize, [NodeId; 3])> {
        show.show(self.snapshot());
        let (rows, images) = (show.all("Row"), show.all("Image"));
        let texts = show.all("Text").split_off(1);
        let ids = rows.into_iter().zip(images).zip(texts).map(|((row, image), text)| [row, image, text]);
        self.in_view().iter().map(|row| row.0).zip(ids).collect()
    }
}

/// What was last seen of a row.
#[derive(Clone, Copy)]
struct Seen {
    ids: [NodeId; 3],
    /// Whether it was ever seen with the row before it, and with the row after it.
    beside: [bool; 2],
    /// Whether it was seen under two ids, first beside one neighbour and then beside the other.
    doubled: bool,
}

/// Plays the steps; fails when an id is seen on two rows, or, if it must not happen, when a row loses its
/// ids though a row beside it was seen beside it before.
fn play(mut list: List, steps: &[Step], must_regain: bool) -> Result<(), TestCaseError> {
    let mut show = Show::new("Nothing");
    let mut owners: HashMap<NodeId, usize> = HashMap::new();
    let mut known: HashMap<usize, Seen> = HashMap::new();
    for step in std::iter::once(&Step::Scroll(0)).chain(steps) {
        list.step(step);
        for (place, (number, ids)) in list.look(&mut show).into_iter().enumerate() {
            for id in ids {
                prop_assert_eq!(*owners.entry(id).or_insert(number), number, "{} changed hands", id);
            }
            let beside = [place > 0, place + 1 < VIEW];
            let seen = known.entry(number).or_insert(Seen { ids, beside, doubled: false });
            let is_proven = !seen.doubled && (0..2).any(|side| beside[side] && seen.beside[side]);
            prop_assert!(!must_regain || !is_proven || seen.ids == ids, "row {} lost its ids", number);
            let kept = seen.ids == ids;
            let beside = [0, 1].map(|side| beside[side] || (kept && seen.beside[side]));
            *seen = Seen { ids, beside, doubled: seen.doubled || !kept };
        }
    }
    Ok(())
}

fn distinct() -> List {
    List::new((0..40).map(|row| format!("row {row}")))
}

/// Every so often a row says "Ad".
fn repeating() -> List {
    let label = |row| if matches!(row % 7, 1 | 4) { "Ad".to_owned() } else { format!("row {row}") };
    List::new((0..40).map(label))
}

proptest! {
    #[test]
    fn rows_that_stay_or_return_keep_their_ids(steps in prop::collection::vec(prop_oneof![scroll(), jump()], 1..30)) {
        play(distinct(), &steps, true)?;
    }

    #[test]
    fn an_id_never_changes_hands(steps in prop::collection::vec(prop_oneof![4 => change(), 1 => jump()], 1..40)) {
        play(distinct(), &steps, false)?;
    }

    #[test]
    fn an_id_never_changes_hands_among_rows_that_say_the_same(steps in prop::collection::vec(change(), 1..40)) {
        play(repeating(), &steps, false)?;
    }
}
