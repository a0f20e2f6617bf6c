//! The applications of the simulated Mac. Each is a model that its windows show, so that an effect can be looked up apart from the tree.

mod archive;
mod calculator;
mod electron;
mod finder;
mod safari;
mod settings;
mod text_edit;

pub use archive::archive;
pub use calculator::calculator;
pub use electron::electron;
pub use finder::finder;
pub use safari::safari;
pub use settings::settings;
pub use text_edit::text_edit;

use crate::world::{Installed, World};

/// A desktop with all of them, `TextEdit` in front and a minimized window in it. The calculator is installed and not running.
#[must_use]
pub fn desktop() -> World {
    let mut world = World::default()
        .with(archive(100_000))
        .with(electron())
        .with(safari("Safari"))
        .with(settings())
        .with(finder())
        .with(text_edit());
    let mut install = |name: &str, bundle_id: &str, folder: &str, make: fn() -> crate::App| {
        world.installed.push(Installed {
            name: name.to_owned(),
            bundle_id: bundle_id.to_owned(),
            path: format!("{folder}/{name}.app"),
            make,
        });
    };
    install("Calculator", "com.apple.calculator", "/System/Applications", calculator);
    install("Finder", "com.apple.finder", "/System/Library/CoreServices", finder);
    install("TextEdit", "com.apple.TextEdit", "/System/Applications", text_edit);
    install("Safari", "com.apple.Safari", "/Applications", || safari("Safari"));
    world
}
