//! A list of 4,500 objects: nothing is lost, and nothing is asked twice.

use fingertip_core::target::{Part, Scope};
use fingertip_core::{Role, Snapshot, Target};
use fingertip_linux::LinuxTarget;

use crate::support::{Session, read_when, scope, shows, soon};

/// How many rows the list has.
const ROWS: usize = 1500;
/// How many rows the list box has.
const LISTED_ROWS: usize = 400;
/// How many calls an object costs that no cache holds: what it is, where it is, what it says.
const CALLS_FOR_EACH: u64 = 12;
/// Calls of a reading that are not for one object: listing, windows, the cache.
const FIXED_CALLS: u64 = 30;

/// Counts all objects of the only application, as the reference client does.
const COUNT: &str = "
import pyatspi
def count(object):
    return 1 + sum(count(child) for child in object if child is not None)
print(sum(count(window) for application in pyatspi.Registry.getDesktop(0) for window in application))
";

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_is_read_completely_with_few_calls() {
    let session = Session::start();
    let process = session.script("gtk3_list.py");
    let target = session.target().await;
    read_when(&target, &scope(&process, Part::Visible), |read| shows(read, "Go 3")).await;

    let (whole, calls) = counted(&target, &scope(&process, Part::Whole)).await;
    let nodes = whole.nodes().len() as u64;
    let expected: u64 = session.python(COUNT).parse().unwrap();
    assert_eq!(nodes, expected, "as many objects as the reference client finds");
    assert_all_rows(&whole, ROWS);
    // One call for the place of each object and one for the actions of each button.
    assert!(calls <= nodes + ROWS as u64 + FIXED_CALLS, "{calls} calls for {nodes} objects");

    let (visible, calls) = counted(&target, &scope(&process, Part::Visible)).await;
    let nodes = visible.nodes().len() as u64;
    assert!(nodes < 150, "{nodes} objects of a list that shows some twenty rows");
    assert!(calls <= 2 * nodes + FIXED_CALLS, "{calls} calls for {nodes} objects");
}

#[tokio::test(flavor = "multi_thread")]
async fn rows_that_are_made_when_asked_for_are_read_too() {
    let session = Session::start();
    let process = session.script_with("gtk3_list.py", &["rows"]);
    let target = session.target().await;
    let visible = read_when(&target, &scope(&process, Part::Visible), |read| shows(read, "Go 3")).await;
    let nodes = visible.nodes().len();
    assert!(nodes < 150, "{nodes} objects of a list that shows some twenty rows");
    let (again, calls) = counted(&target, &scope(&process, Part::Visible)).await;
    assert!(calls <= CALLS_FOR_EACH * again.nodes().len() as u64 + FIXED_CALLS, "{calls} calls");
    let whole = target.snapshot(&scope(&process, Part::Whole), soon()).await.unwrap();
    assert_eq!(whole.cut, None);
    assert_all_rows(&whole, LISTED_ROWS);
}

/// A reading, and how many calls it took.
async fn counted(target: &LinuxTarget, scope: &Scope) -> (Snapshot, u64) {
    let before = target.round_trips().await;
    let snapshot = target.snapshot(scope, soon()).await.expect("a snapshot");
    (snapshot, target.round_trips().await - before)
}

/// Every button is there, once and in order.
fn assert_all_rows(snapshot: &Snapshot, rows: usize) {
    let buttons = snapshot.nodes().iter().filter(|node| node.role == Role::Button);
    let read: Vec<_> = buttons.filter_map(|node| node.text.as_deref()).map(str::to_owned).collect();
    let expected: Vec<_> = (0..rows).map(|row| format!("Go {row}")).collect();
    assert_eq!(read, expected);
}
