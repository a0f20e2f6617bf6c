//! Draws the screens of the demo phone into PNG files, for looking at them:
//!
//! ```text
//! cargo run --release -p fingertip-sim --example screens -- <folder>
//! ```

use std::error::Error;
use std::path::PathBuf;

use fingertip_sim::draw::draw;
use fingertip_sim::phone::{KeyCode, Phone, Profile, TouchAction, TouchEvent};

type Outcome = Result<(), Box<dyn Error>>;

/// How long a finger rests on the screen for a tap, in milliseconds.
const TAP: u64 = 60;

/// How long a screen gets to settle after each step, in milliseconds; it ends while a blinking caret is shown.
const SETTLE: u64 = 1200;

/// How to get to a screen from a phone that has just booted.
type Route = fn(&mut Phone) -> Outcome;

/// File names and routes.
const SCREENS: &[(&str, Route)] = &[
    ("home", |_| Ok(())),
    ("calculator", |phone| {
        start(phone, "com.android.calculator2/.Calculator")?;
        ["7", "×", "8"].iter().try_for_each(|key| tap(phone, key))
    }),
    ("clock", |phone| start(phone, "com.android.deskclock/.DeskClock")),
    ("notes", |phone| start(phone, "com.fingertip.demo.notes/.NotesActivity")),
    ("settings", |phone| start(phone, "com.android.settings/.Settings")),
    ("contacts", |phone| start(phone, "com.android.contacts/.activities.PeopleActivity")),
    ("contact-form", contact_form),
    ("contact-dialog", |phone| {
        contact_form(phone)?;
        phone.key(KeyCode::BACK, 0);
        settle(phone);
        tap(phone, "Save")
    }),
    ("contact-menu", |phone| {
        new_contact(phone)?;
        tap(phone, "Mobile")
    }),
    ("gallery", |phone| start(phone, "com.fingertip.demo.gallery/.GalleryActivity")),
    ("photo", |phone| {
        start(phone, "com.fingertip.demo.gallery/.GalleryActivity")?;
        tap(phone, "Photo 2")
    }),
    ("notifications", |phone| {
        phone.expand_notifications();
        Ok(())
    }),
    ("quick-settings", |phone| {
        phone.expand_quick_settings();
        Ok(())
    }),
    ("recents", |phone| {
        start(phone, "com.android.calculator2/.Calculator")?;
        start(phone, "com.android.settings/.Settings")?;
        phone.key(KeyCode::APP_SWITCH, 0);
        Ok(())
    }),
    ("home-landscape", |phone| {
        phone.lock_rotation(1);
        Ok(())
    }),
    ("settings-landscape", |phone| {
        phone.lock_rotation(1);
        start(phone, "com.android.settings/.Settings")
    }),
    ("contact-form-landscape", |phone| {
        phone.lock_rotation(1);
        contact_form(phone)
    }),
];

fn main() -> Outcome {
    let folder =
        std::env::args_os().nth(1).map(PathBuf::from).ok_or("say into which folder: screens <folder>")?;
    std::fs::create_dir_all(&folder)?;
    for (name, reach) in SCREENS {
        let mut phone = Phone::new(Profile::default());
        settle(&mut phone);
        reach(&mut phone).map_err(|problem| format!("{name}: {problem}"))?;
        settle(&mut phone);
        std::fs::write(folder.join(name).with_extension("png"), draw(&phone.scene()).to_png()?)?;
    }
    Ok(())
}

fn new_contact(phone: &mut Phone) -> Outcome {
    start(phone, "com.android.contacts/.activities.PeopleActivity")?;
    tap(phone, "Create contact")
}

fn contact_form(phone: &mut Phone) -> Outcome {
    new_contact(phone)?;
    tap(phone, "First name")?;
    "Ada".chars().for_each(|character| phone.type_char(character));
    Ok(())
}

fn start(phone: &mut Phone, component: &str) -> Outcome {
    phone.start(component)?;
    settle(phone);
    Ok(())
}

/// Taps the middle of the topmost visible element with this text or description.
fn tap(phone: &mut Phone, label: &str) -> Outcome {
    let found = phone.windows().iter().flat_map(|window| window.root.walk()).find(|node| {
        node.is_visible() && !node.bounds.is_empty() && (node.text == label || node.content_desc == label)
    });
    let middle = found.ok_or_else(|| format!("nothing on the screen is called {label:?}"))?.bounds.center();
    for (action, after) in [(TouchAction::Down, 0), (TouchAction::Up, TAP)] {
        let at = phone.now() + after;
        phone.touch(TouchEvent { action, pointer: 0, x: middle.x, y: middle.y, at });
    }
    settle(phone);
    Ok(())
}

fn settle(phone: &mut Phone) {
    phone.advance(phone.now() + SETTLE);
}
