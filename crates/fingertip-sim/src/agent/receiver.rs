//! The receivers of a touch or a key, for requests that name the expected ones (`packages`).

use super::failure::Failure;
use super::fields::Fields;
use crate::phone::{Phone, WindowView, reported};

/// The packages a request is meant for; any where it names none.
#[derive(Debug, Default)]
pub(super) struct Meant(Vec<String>);

impl Meant {
    /// Reads the field.
    pub(super) fn read(fields: &mut Fields) -> Result<Self, Failure> {
        let wrong = || Failure::invalid("packages", "a list of one or more names");
        let Some(list) = fields.optional_list("packages")? else { return Ok(Self::default()) };
        let names: Option<Vec<String>> = list.iter().map(|name| name.as_str().map(str::to_owned)).collect();
        names.filter(|names| !names.is_empty()).map(Self).ok_or_else(wrong)
    }

    pub(super) fn is_anyone(&self) -> bool {
        self.0.is_empty()
    }

    /// Sees that they lie topmost at a point.
    pub(super) fn must_lie_at(&self, phone: &Phone, x: f32, y: f32, done: &str) -> Result<(), Failure> {
        let here = |window: &&WindowView| {
            let bounds = window.bounds;
            (bounds.left as f32..bounds.right as f32).contains(&x)
                && (bounds.top as f32..bounds.bottom as f32).contains(&y)
        };
        let top = reported(phone.windows()).filter(here).map(|window| window.layer).max();
        let topmost = reported(phone.windows()).filter(here).filter(|window| Some(window.layer) == top);
        self.must_be(topmost, done)
    }

    /// Sees that they have the keyboard.
    pub(super) fn must_have_keyboard(&self, phone: &Phone, done: &str) -> Result<(), Failure> {
        self.must_be(reported(phone.windows()).filter(|window| window.focused), done)
    }

    fn must_be<'a>(&self, windows: impl Iterator<Item = &'a WindowView>, done: &str) -> Result<(), Failure> {
        if self.is_anyone() {
            return Ok(());
        }
        let mut found = None;
        for window in windows {
            found = Some(&window.root.package);
            if !self.0.contains(&window.root.package) {
                return Err(diverted(found, done));
            }
        }
        if found.is_some() { Ok(()) } else { Err(diverted(None, done)) }
    }
}

fn diverted(package: Option<&String>, done: &str) -> Failure {
    let who = package.map_or("an unknown app", String::as_str);
    Failure::new("diverted", format!("{who} would receive the rest"))
        .with("package", package.cloned())
        .with("done", done)
}
