//! Searches in a page that is too large to be read in one call.

use std::fmt::Write as _;
use std::time::Duration;

use fingertip_core::prelude::*;
use fingertip_core::select::{By, Criterion, ElementQuery, Sought};
use fingertip_core::target::{Part, SearchPage, SearchRequest};
use fingertip_core::{Deadline, Reason, Role};

use crate::support::{Session, read_when, scope, shows, soon};

/// How many rows the page has.
const ROWS: usize = 3_000;
/// How long one call may take; far less than all rows need.
const CALL: Duration = Duration::from_millis(1_500);
/// The rows of a list box that is too long to be read whole for a search.
const LISTED_ROWS: &str = "2000";
/// The most questions on the bus to find one of its first rows: some batches of objects. To read 1,500 objects first, which
/// is what a small application has, would take 7,500.
const MOST_QUESTIONS: u64 = 5_500;
/// More calls than a slow machine needs.
const MOST_CALLS: usize = 200;

/// A page with a table of three cells a row, and words below it.
fn page() -> String {
    let mut page = String::from("<!doctype html><title>Stock</title><h1>Stock</h1><table>");
    for row in 0..ROWS {
        let cells = format!("<td>Row {row}<td>Item {row}<td><button id=b{row}>Buy {row}</button>");
        write!(page, "<tr>{cells}</tr>").unwrap();
    }
    page + "</table><p>Last words</p>"
}

#[tokio::test(flavor = "multi_thread")]
async fn a_row_far_down_is_found_by_a_search_that_goes_on() {
    let session = Session::start();
    let (profile, file) = (session.file("firefox"), session.file("rows.html"));
    std::fs::create_dir(&profile).unwrap();
    std::fs::write(&file, page()).unwrap();
    let address = format!("file://{}", file.display());
    let process =
        session.launch("firefox-esr", &["--no-remote", "--profile", profile.to_str().unwrap(), &address]);
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    read_when(&target, &visible, |read| shows(read, "Row 3")).await;

    let query =
        ElementQuery { title: Some("Buy 2990".into()), role: Some(Role::Button), ..Default::default() };
    let sought = Sought::from(&query);
    let mut from = None;
    let mut calls = 0;
    let found = loop {
        let request = SearchRequest { scope: &visible, sought: &sought, most: 20, from };
        // What hangs for a moment is asked again; nothing is lost by it.
        match target.search(request, Deadline::after(CALL)).await {
            Ok(page) if sought.find(&page.snapshot).next().is_some() => break page.snapshot,
            Ok(SearchPage { snapshot, next }) => {
                assert!(snapshot.sparse, "{snapshot:?}");
                assert!(
                    snapshot.cut.as_deref().is_some_and(|why| why.contains("objects had been looked at"))
                );
                from = Some(next.expect("it goes on"));
            }
            Err(error) => assert_eq!(error.reason(), Reason::Timeout, "{error}"),
        }
        calls += 1;
        assert!(calls < MOST_CALLS, "never found");
    };
    let index = sought.find(&found).next().unwrap();
    let button = found.node(index);
    assert_eq!(button.text.as_deref(), Some("Buy 2990"));
    assert_eq!(button.resource_id.as_deref(), Some("b2990"));
    assert!(found.ancestors(index).any(|above| found.node(above).role == Role::Table), "{found:?}");
    assert!(found.nodes().len() < 200, "{} nodes around one", found.nodes().len());

    // What was found can be acted on, though it is far out of view.
    assert!(target.can_act(&found, index, &fingertip_core::target::NodeAction::Click));

    // A number that names no search is said to be none.
    let wrong = SearchRequest { scope: &visible, sought: &sought, most: 1, from: Some(u64::MAX) };
    assert_eq!(target.search(wrong, soon()).await.unwrap_err().reason(), Reason::Stale);

    // Enough is enough: one call that finds so many does not look at the rest.
    let rows = Sought::from(Criterion::new(By::Text, "Item", false));
    let request = SearchRequest { scope: &visible, sought: &rows, most: 5, from: None };
    let page = target.search(request, soon()).await.unwrap();
    let count = rows.find(&page.snapshot).count();
    assert!((5..500).contains(&count), "{count}");
    assert!(page.next.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_small_application_is_searched_whole() {
    let session = Session::start();
    let process = session.script("gtk3_form.py");
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    let read = read_when(&target, &visible, |read| !read.nodes().is_empty()).await;
    let sought = Sought::from(&ElementQuery { role: Some(Role::Button), ..ElementQuery::default() });
    let request = SearchRequest { scope: &visible, sought: &sought, most: 1, from: None };
    let page = target.search(request, soon()).await.unwrap();
    assert_eq!((page.next, page.snapshot.sparse, page.snapshot.cut.as_deref()), (None, false, None));
    assert!(page.snapshot.nodes().len() >= read.nodes().len());
}

/// The cache of GTK 3 does not count the rows of a list box. To list them takes it seconds, so that is done once, and
/// none is asked for before it is known that all are too many.
#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_box_is_not_read_before_it_is_searched() {
    let session = Session::start();
    let process = session.script_with("gtk3_list.py", &["rows", LISTED_ROWS]);
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    read_when(&target, &visible, |read| shows(read, "Go 3")).await;
    let sought = Sought::from(&ElementQuery { title: Some("Go 7".into()), ..ElementQuery::default() });
    let request = SearchRequest { scope: &visible, sought: &sought, most: 1, from: None };
    let before = target.round_trips().await;
    let page = target.search(request, soon()).await.unwrap();
    let questions = target.round_trips().await - before;
    assert!(sought.find(&page.snapshot).next().is_some() && page.next.is_some(), "{page:?}");
    assert!(questions < MOST_QUESTIONS, "{questions} questions for one of the first rows");
}
