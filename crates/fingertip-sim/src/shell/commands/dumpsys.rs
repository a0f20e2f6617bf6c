//! `dumpsys`: the parts of a few services that drivers read, in their real layout.

mod activity;
mod display;
mod input;
mod package;
mod power;
mod surface_flinger;
mod window;

use std::sync::Arc;

use super::Output;
use crate::SimPhone;

const SERVICES: [&str; 8] =
    ["SurfaceFlinger", "activity", "battery", "display", "input", "package", "power", "window"];

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    match words {
        ["-l"] => {
            let list: String = SERVICES.iter().map(|name| format!("  {name}\n")).collect();
            Output::success(format!("Currently running services:\n{list}"))
        }
        ["window", rest @ ..] => window::run(phone, rest),
        ["activity", rest @ ..] => activity::run(phone, rest),
        ["input", ..] => input::run(phone),
        ["package", rest @ ..] => package::run(phone, rest),
        ["SurfaceFlinger", rest @ ..] => surface_flinger::run(rest),
        ["power", ..] => power::run(phone),
        ["battery", ..] => power::battery(),
        ["display", ..] => display::run(phone),
        [unknown, ..] => Output::failure(0, format!("Can't find service: {unknown}\n")),
        [] => {
            let mut all = Output::default();
            for service in SERVICES {
                all.stdout.extend(format!("DUMP OF SERVICE {service}:\n").into_bytes());
                all.stdout.extend(run(phone, &[service]).stdout);
            }
            all
        }
    }
}

/// The hexadecimal identity Android prints of an object; here it follows from the object's name.
fn identity(name: &str) -> String {
    let hash =
        name.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    format!("{:x}", hash & 0x0fff_ffff)
}

/// Such as `ActivityRecord{77b3dc7 u0 org.a/.Main t90}`.
fn activity_record(focus: &crate::phone::Focus) -> String {
    let component = super::pm::short_component(&focus.package, &focus.activity);
    format!("ActivityRecord{{{} u0 {component} t{}}}", identity(&component), focus.task)
}
