//! Whole scenes: what is promised of [`super::draw`], for scenes of every kind.

use proptest::prelude::*;

use super::*;
use crate::phone::scene::{Icon, Picture};
use crate::phone::{NodeAction, NodeFlags, Phone, Profile, WindowKind};

const WHITE: Color = Color(0xFFFF_FFFF);
const INK: Color = Color(0xFF20_2124);

fn scene(items: Vec<Item>) -> Scene {
    let bounds = Rect::new(0, 0, 200, 100);
    let layer = Layer { kind: WindowKind::Application, bounds, secure: false, scrim: None, items };
    Scene { width: 200, height: 100, awake: true, brightness: 255, layers: vec![layer] }
}

fn item(clip: Rect, shape: Shape) -> Item {
    Item { clip, shape }
}

fn text(text: &str) -> Shape {
    Shape::Text { text: text.into(), x: 20.0, baseline: 60.0, size: 40.0, color: INK, bold: false }
}

fn background() -> Item {
    let bounds = Rect::new(0, 0, 200, 100);
    item(bounds, Shape::Fill { bounds, color: WHITE, radius: 0.0, elevation: 0.0 })
}

/// Where two pictures of the same size differ.
fn changed(before: &Bitmap, after: &Bitmap) -> Vec<(u32, u32)> {
    let all = (0..before.height).flat_map(|y| (0..before.width).map(move |x| (x, y)));
    all.filter(|(x, y)| before.pixel(*x, *y) != after.pixel(*x, *y)).collect()
}

#[test]
fn text_changes_pixels_inside_its_clip_and_only_there() {
    let blank = draw(&scene(vec![background()]));
    let clip = Rect::new(30, 35, 70, 55);
    let written = draw(&scene(vec![background(), item(clip, text("Hamburg"))]));
    let changed = changed(&blank, &written);
    assert!(changed.len() > 100, "{} pixels", changed.len());
    for (x, y) in changed {
        assert!((30..70).contains(&x) && (35..55).contains(&y), "{x},{y} is outside");
    }
}

#[test]
fn every_shape_keeps_to_its_clip() {
    let far = Rect::new(-50, -50, 400, 300);
    let clip = Rect::new(50, 20, 90, 60);
    let shapes = [
        Shape::Fill { bounds: far, color: INK, radius: 30.0, elevation: 12.0 },
        Shape::Fill { bounds: Rect::new(60, 30, 80, 50), color: INK, radius: 3.0, elevation: 90.0 },
        Shape::Outline { bounds: Rect::new(40, 10, 100, 50), color: INK, radius: 9.0, width: 4.0 },
        text("Clipped text"),
        Shape::Icon { icon: Icon::Settings, bounds: Rect::new(0, 0, 100, 100), color: INK },
        Shape::Picture { picture: Picture::Photo(1), bounds: far },
        Shape::Caret { bounds: far, color: INK },
        Shape::Selection { bounds: far, color: INK.with_alpha(90) },
        Shape::Pressed { bounds: far, color: INK.with_alpha(40), radius: 8.0 },
    ];
    let blank = draw(&scene(vec![background()]));
    for shape in shapes {
        let drawn = draw(&scene(vec![background(), item(clip, shape.clone())]));
        let changed = changed(&blank, &drawn);
        assert!(!changed.is_empty(), "{shape:?} draws nothing");
        let outside = changed.iter().find(|(x, y)| !(50..90).contains(x) || !(20..60).contains(y));
        assert_eq!(outside, None, "{shape:?}");
    }
}

#[test]
fn a_shadow_falls_outside_a_clip_that_just_encloses_its_shape_but_not_where_the_shape_is_cut() {
    let bounds = Rect::new(50, 30, 150, 70);
    let card = || Shape::Fill { bounds, color: INK, radius: 6.0, elevation: 8.0 };
    let blank = draw(&scene(vec![background()]));
    let whole = draw(&scene(vec![background(), item(bounds, card())]));
    let cut = draw(&scene(vec![background(), item(Rect { bottom: 60, ..bounds }, card())]));
    assert_ne!(whole.pixel(100, 72), blank.pixel(100, 72));
    assert_ne!(cut.pixel(48, 50), blank.pixel(48, 50));
    assert_eq!(cut.pixel(100, 61), blank.pixel(100, 61));
}

#[test]
fn colours_arrive_unchanged() {
    let bounds = Rect::new(0, 0, 200, 100);
    let shape = Shape::Fill { bounds, color: Color(0xFF12_3456), radius: 0.0, elevation: 0.0 };
    assert_eq!(draw(&scene(vec![item(bounds, shape)])).pixel(7, 7), Some([0x12, 0x34, 0x56, 0xFF]));
}

/// The new contact's form with this password in it.
fn form_with_password(password: &str) -> Bitmap {
    let mut phone = Phone::new(Profile::default());
    phone.start("com.android.contacts/.activities.ContactEditorActivity").unwrap();
    let nodes = phone.windows().iter().flat_map(|window| window.root.walk());
    let key =
        nodes.filter(|node| node.flags.contains(NodeFlags::PASSWORD)).map(|node| node.key).next().unwrap();
    assert!(phone.perform(key, NodeAction::SetText(password.into())));
    draw(&phone.scene())
}

#[test]
fn a_password_shows_how_long_it_is_and_nothing_else() {
    let drawn = form_with_password("secret");
    assert!(drawn == form_with_password("QWMil."), "letters show");
    assert!(drawn != form_with_password("secrets"), "the length does not show");
}

#[test]
fn a_secure_window_is_black_and_a_dark_screen_too() {
    let mut scene = scene(vec![background()]);
    scene.layers[0].secure = true;
    assert_eq!(draw(&scene).pixel(100, 50), Some(BLACK));
    scene.layers[0].secure = false;
    assert_eq!(draw(&scene).pixel(100, 50), Some([255; 4]));
    scene.awake = false;
    assert_eq!(draw(&scene).pixel(100, 50), Some(BLACK));
}

#[test]
fn a_scrim_darkens_what_is_below_and_not_its_own_window() {
    let mut scene = scene(vec![background()]);
    let bounds = Rect::new(50, 25, 150, 75);
    let card = Shape::Fill { bounds, color: WHITE, radius: 0.0, elevation: 0.0 };
    scene.layers.push(Layer {
        scrim: Some(Color(0x8000_0000)),
        items: vec![item(bounds, card)],
        ..scene.layers[0].clone()
    });
    let drawn = draw(&scene);
    assert_eq!(drawn.pixel(100, 50), Some([255; 4]));
    let [red, _, _, alpha] = drawn.pixel(10, 10).unwrap();
    assert!((120..=135).contains(&red) && alpha == 255, "{red}");
}

fn any_rect() -> impl Strategy<Value = Rect> {
    let edge = || prop_oneof![8 => -60..260, 1 => any::<i32>(), 1 => Just(i32::MIN), 1 => Just(i32::MAX)];
    (edge(), edge(), edge(), edge())
        .prop_map(|(left, top, right, bottom)| Rect::new(left, top, right, bottom))
}

fn any_length() -> impl Strategy<Value = f32> {
    prop_oneof![8 => -5.0_f32..90.0, 1 => any::<f32>(), 1 => Just(f32::NAN), 1 => Just(f32::INFINITY)]
}

fn any_shape() -> impl Strategy<Value = Shape> {
    let color = || any::<u32>().prop_map(Color);
    let icon = (0..icons::ALL.len()).prop_map(|index| icons::ALL[index]);
    let picture = prop_oneof![Just(Picture::Wallpaper), any::<u8>().prop_map(Picture::Photo)];
    prop_oneof![
        (any_rect(), color(), any_length(), any_length())
            .prop_map(|(bounds, color, radius, elevation)| Shape::Fill { bounds, color, radius, elevation }),
        (any_rect(), color(), any_length(), any_length())
            .prop_map(|(bounds, color, radius, width)| Shape::Outline { bounds, color, radius, width }),
        (any::<String>(), any_length(), any_length(), any_length(), color(), any::<bool>()).prop_map(
            |(text, x, baseline, size, color, bold)| Shape::Text { text, x, baseline, size, color, bold }
        ),
        (icon, any_rect(), color()).prop_map(|(icon, bounds, color)| Shape::Icon { icon, bounds, color }),
        (picture, any_rect()).prop_map(|(picture, bounds)| Shape::Picture { picture, bounds }),
        (any_rect(), color()).prop_map(|(bounds, color)| Shape::Caret { bounds, color }),
        (any_rect(), color()).prop_map(|(bounds, color)| Shape::Selection { bounds, color }),
        (any_rect(), color(), any_length()).prop_map(|(bounds, color, radius)| Shape::Pressed {
            bounds,
            color,
            radius
        }),
    ]
}

proptest! {
    #[test]
    fn any_scene_is_drawn_in_full_size_opaque_and_the_same_twice(
        items in prop::collection::vec((any_rect(), any_shape()), 0..6),
        (width, height) in (0_u32..64, 0_u32..64),
    ) {
        let items = items.into_iter().map(|(clip, shape)| item(clip, shape)).collect();
        let scene = Scene { width, height, ..scene(items) };
        let drawn = draw(&scene);
        prop_assert_eq!((drawn.width, drawn.height), (width, height));
        prop_assert_eq!(drawn.rgba.len(), (width * height * 4) as usize);
        prop_assert!(drawn.rgba.iter().skip(3).step_by(4).all(|alpha| *alpha == 255));
        prop_assert_eq!(drawn, draw(&scene));
    }
}
