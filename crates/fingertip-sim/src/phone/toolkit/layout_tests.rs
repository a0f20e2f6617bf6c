use super::*;
use crate::phone::apps::clock::Tag as Any;
use crate::phone::toolkit::class;
use crate::phone::toolkit::view::{Align, Size, frame};
use crate::phone::toolkit::widgets::{column, list, row, scroll, text};

const SCREEN: Rect = Rect::new(0, 0, 400, 800);

fn laid(view: View, offset: f32) -> Placed {
    let offsets = BTreeMap::from([(Any::Reset.into(), offset)]);
    let environment = Environment { scale: Scale(1.0), offsets: &offsets, dragged: None };
    place(view, SCREEN, SCREEN, 1, &environment)
}

fn block(height: f32) -> View {
    View::new(class::VIEW).width(Size::Fill).height(Size::Dp(height))
}

fn bounds(placed: &Placed) -> Vec<Rect> {
    placed.children.iter().map(|child| child.bounds).collect()
}

#[test]
fn weights_share_what_the_others_leave() {
    let page = column(vec![block(100.0), block(0.0).weight(1.0), block(0.0).weight(3.0)]).height(Size::Fill);
    let heights: Vec<i32> = laid(page, 0.0).children.iter().map(|child| child.bounds.height()).collect();
    assert_eq!(heights, [100, 175, 525]);
}

#[test]
fn margins_and_padding_are_kept_free() {
    let page = column(vec![block(50.0).margin(10.0, 5.0), block(50.0)]).pad(20.0, 30.0);
    assert_eq!(bounds(&laid(page, 0.0)), [Rect::new(30, 35, 370, 85), Rect::new(20, 90, 380, 140)]);
}

#[test]
fn a_row_centres_and_a_frame_aligns() {
    let small = || View::new(class::VIEW).width(Size::Dp(40.0)).height(Size::Dp(40.0));
    let line = laid(row(vec![small()]).height(Size::Dp(100.0)), 0.0);
    assert_eq!(line.children[0].bounds.center().y, 400.0);
    let corner = laid(frame(small().align(Align::End, Align::End)).height(Size::Fill), 0.0);
    assert_eq!(corner.children[0].bounds, Rect::new(360, 760, 400, 800));
}

#[test]
fn what_a_parent_cuts_off_is_not_visible() {
    let inner = column(vec![block(100.0), block(100.0)]).height(Size::Dp(150.0));
    let page = laid(frame(inner), 0.0);
    let [first, second] = &page.children[0].children[..] else { panic!("two blocks") };
    assert_eq!((first.visible.height(), second.visible.height()), (100, 50));
}

#[test]
fn a_scroll_area_stops_at_its_end() {
    let tall = || scroll(column((0..20).map(|_| block(100.0)).collect()), Any::Reset);
    let most = |placed: &Placed| placed.scrolled.unwrap().most;
    let page = laid(tall(), 99_999.0);
    assert_eq!((most(&page), page.scrolled.unwrap().offset), (1200.0, 1200.0));
    assert_eq!(page.children[0].bounds.bottom, 800);
    assert_eq!(laid(tall(), -5.0).scrolled.unwrap().offset, 0.0);
}

#[test]
fn a_list_attaches_what_is_in_view_and_one_more_at_each_end() {
    let rows = || list((0..100).map(|_| block(100.0)).collect(), Any::Reset);
    assert_eq!(laid(rows(), 0.0).children.len(), 9);
    let middle = laid(rows(), 5050.0);
    assert_eq!(middle.children.len(), 11);
    assert_eq!(middle.children[0].bounds.bottom, -50);
    let top = laid(rows(), 0.0);
    let again = laid(rows(), RECYCLE_POOL as f32 * 100.0);
    assert_eq!(top.children[0].key, again.children[1].key, "the pool goes round");
}

#[test]
fn keys_identify_views_and_outlive_a_change_of_text() {
    let page = |label: &str| laid(column(vec![text(label), text("b")]), 0.0);
    let (before, after) = (page("a"), page("changed"));
    assert_eq!(before.children[0].key, after.children[0].key);
    assert_ne!(before.children[0].key, before.children[1].key);
}
