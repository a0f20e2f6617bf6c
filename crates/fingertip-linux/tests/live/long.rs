//! A list of 4,500 objects: nothing is lost, and nothing is asked twice.

use fingertip_core::Target;
use fingertip_core::target::Part;

use crate::support::{Session, read_when, scope, shows, soon};

/// How many rows the list has; each is a row, a box, a label and a button, less the box in some versions.
const ROWS: u64 = 1500;
/// Calls of a reading that are not for one object: listing, windows, the cache.
const FIXED_CALLS: u64 = 12;

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

    let before = target.round_trips().await;
    let whole = target.snapshot(&scope(&process, Part::Whole), soon()).await.unwrap();
    let calls = target.round_trips().await - before;
    let nodes = whole.nodes().len() as u64;
    let expected: u64 = session.python(COUNT).parse().unwrap();
    assert_eq!(nodes, expected, "as many objects as the reference client finds");
    for row in 0..ROWS {
        assert!(whole.nodes().iter().any(|node| node.text.as_deref() == Some(&*format!("Go {row}"))), "{row}");
    }
    // One call for the place of each object and one for the actions of each button.
    assert!(calls <= nodes + ROWS + FIXED_CALLS, "{calls} calls for {nodes} objects");

    let before = target.round_trips().await;
    let visible = target.snapshot(&scope(&process, Part::Visible), soon()).await.unwrap();
    let calls = target.round_trips().await - before;
    let nodes = visible.nodes().len() as u64;
    assert!(nodes < 150, "{nodes} objects of a list that shows some twenty rows");
    assert!(calls <= 2 * nodes + FIXED_CALLS, "{calls} calls for {nodes} objects");
}
