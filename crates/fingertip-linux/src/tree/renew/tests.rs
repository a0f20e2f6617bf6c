//! Bringing what was read of a scripted application up to date.

use fingertip_core::target::Part;
use fingertip_desktop::incremental::{Changed, Renewed, ask};

use super::super::walk::tests::{Scripted, at, names, plan, walked};
use super::*;
use crate::roles;
use crate::states::States;

/// A window with a box of two buttons and a label; the application and what was read of it.
async fn read() -> (Scripted, AccessibleTree) {
    let app = Scripted::default().with("/window", &["/box", "/label"]).with("/box", &["/a", "/b"]);
    let (_, tree) = walked(&app, AccessibleTree::default(), Part::Visible).await;
    app.forget_calls();
    (app, tree)
}

async fn renewed(app: &Scripted, tree: &mut AccessibleTree, changed: Changed<Handle>) -> Option<Renewed> {
    let fresh =
        ask(&Again { source: app, plan: plan(Part::Visible) }, tree, &changed).await.expect("an answer");
    fresh.map(|fresh| fresh.apply(tree))
}

fn objects(paths: &[&str]) -> Changed<Handle> {
    Changed { objects: paths.iter().map(|path| at(path)).collect(), ..Changed::default() }
}

fn below(paths: &[&str]) -> Changed<Handle> {
    Changed { below: paths.iter().map(|path| at(path)).collect(), ..Changed::default() }
}

#[tokio::test]
async fn what_has_not_changed_is_not_asked_for() {
    let (app, mut tree) = read().await;
    let renewed = renewed(&app, &mut tree, Changed::default()).await;
    assert_eq!((renewed, app.calls()), (Some(Renewed::default()), 0));
}

#[tokio::test]
async fn an_object_that_changed_is_asked_for_alone() {
    let (mut app, mut tree) = read().await;
    app.objects.get_mut(&at("/label")).expect("a label").name = "other".into();
    let label = tree.find(&at("/label")).expect("a label");
    let renewed = renewed(&app, &mut tree, objects(&["/label", "/unknown"])).await;
    assert_eq!(renewed, Some(Renewed { alike: vec![label], ..Renewed::default() }));
    assert_eq!(names(&tree), ["window", "box", "a", "b", "other"]);
    assert_eq!(app.calls(), 1);
}

#[tokio::test]
async fn what_loses_the_keyboard_in_silence_is_asked_too() {
    let (mut app, mut tree) = read().await;
    let focused = States::from_halves(&[1 << 12 | 1 << 25 | 1 << 30]);
    let plain = States::from_halves(&[1 << 25 | 1 << 30]);
    for (path, states) in [("/a", focused), ("/label", plain)] {
        let place = tree.find(&at(path)).expect("an object");
        tree.objects[place].states = states;
    }
    app.objects.get_mut(&at("/a")).expect("a button").states = plain;
    app.objects.get_mut(&at("/label")).expect("a label").states = focused;
    assert!(renewed(&app, &mut tree, objects(&["/label"])).await.is_some());
    let is_focused = |path| tree.objects[tree.find(&at(path)).expect("an object")].states.is_focused();
    assert!(is_focused("/label") && !is_focused("/a"));
    assert_eq!(app.calls(), 2);
}

#[tokio::test]
async fn children_that_came_and_went_are_read() {
    let (app, mut tree) = read().await;
    let app = app.with("/box", &["/b", "/c"]);
    let renewed = renewed(&app, &mut tree, below(&["/box"])).await;
    assert!(renewed.is_some_and(|renewed| renewed.moved));
    assert_eq!(names(&tree), ["window", "box", "b", "c", "label"]);
}

#[tokio::test]
async fn another_number_of_children_is_noticed_by_the_way() {
    let (app, mut tree) = read().await;
    let app = app.with("/label", &["/link"]);
    assert!(renewed(&app, &mut tree, objects(&["/label"])).await.is_some());
    assert_eq!(names(&tree), ["window", "box", "a", "b", "label", "link"]);
}

#[tokio::test]
async fn what_became_visible_is_found_by_what_it_is_in() {
    let hidden = Scripted::default().with("/window", &["/box"]).with("/box", &["/a"]).hidden("/box");
    let (_, mut tree) = walked(&hidden, AccessibleTree::default(), Part::Visible).await;
    assert_eq!(names(&tree), ["window", "box"]);
    let app = Scripted::default().with("/window", &["/box"]).with("/box", &["/a"]);
    assert!(renewed(&app, &mut tree, below(&["/a"])).await.is_some());
    assert_eq!(names(&tree), ["window", "box", "a"]);
}

#[tokio::test]
async fn what_may_be_anywhere_is_read_again() {
    let (mut app, mut tree) = read().await;
    assert_eq!(renewed(&app, &mut tree, below(&["/stranger"])).await, None);
    assert_eq!(renewed(&app, &mut tree, below(&["/window"])).await, None);
    app.objects.get_mut(&at("/label")).expect("a label").states = States::from_halves(&[1 << 6]);
    assert_eq!(renewed(&app, &mut tree, objects(&["/label"])).await, None);
    let bar = tree.find(&at("/a")).expect("a button");
    tree.objects[bar].role = roles::number::SCROLL_BAR;
    assert_eq!(renewed(&app, &mut tree, objects(&["/a"])).await, None);
}

#[tokio::test]
async fn an_application_that_does_not_answer_is_an_error() {
    let (mut app, tree) = read().await;
    app.frozen.push(at("/label"));
    let again = Again { source: &app, plan: plan(Part::Visible) };
    let outcome = ask(&again, &tree, &objects(&["/label"])).await;
    assert_eq!(outcome.err(), Some(CallError::Timeout));
}
