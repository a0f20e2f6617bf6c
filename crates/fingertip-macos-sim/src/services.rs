//! What the backend asks of macOS in Objective-C, as C functions with names of their own.
//!
//! Texts and pictures are lent to a function of the caller; see `simulated.rs` of the backend's bindings, whose declarations these
//! functions follow.
#![allow(
    unsafe_code,
    unreachable_pub,
    clippy::missing_safety_doc,
    missing_docs,
    reason = "C functions for the bindings"
)]

use std::ffi::c_void;
use std::time::Duration;

use crate::graphics::CGRect;
use crate::world::{self, Rect};

/// UTF-8 text; a null pointer stands for none.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Text {
    bytes: *const u8,
    length: usize,
}

impl Text {
    fn lent(bytes: &[u8]) -> Self {
        Self { bytes: bytes.as_ptr(), length: bytes.len() }
    }

    fn lent_option(text: Option<&str>) -> Self {
        text.map_or(Self { bytes: std::ptr::null(), length: 0 }, |text| Self::lent(text.as_bytes()))
    }

    /// # Safety
    /// The pointer is null or valid for `length` bytes.
    unsafe fn owned(self) -> Option<String> {
        if self.bytes.is_null() {
            return None;
        }
        // SAFETY: the caller's duty.
        let bytes = unsafe { std::slice::from_raw_parts(self.bytes, self.length) };
        Some(String::from_utf8_lossy(bytes).into_owned())
    }
}

#[repr(C)]
pub struct Application {
    pid: i32,
    is_regular: bool,
    is_terminated: bool,
    name: Text,
    bundle_id: Text,
    path: Text,
}

type EachApplication = extern "C-unwind" fn(*mut c_void, &Application);
type Sink = extern "C-unwind" fn(*mut c_void, Text);

#[unsafe(no_mangle)]
pub extern "C-unwind" fn simulated_mac_running_applications(context: *mut c_void, each: EachApplication) {
    let all: Vec<_> = world::with(|world| {
        world
            .apps
            .iter()
            .map(|(pid, app)| (*pid, app.is_regular, app.name.clone(), app.bundle_id.clone()))
            .collect()
    });
    for (pid, is_regular, name, bundle_id) in all {
        let found = Application {
            pid,
            is_regular,
            is_terminated: false,
            name: Text::lent(name.as_bytes()),
            bundle_id: Text::lent_option(bundle_id.as_deref()),
            path: Text::lent_option(None),
        };
        each(context, &found);
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn simulated_mac_installed_applications(context: *mut c_void, each: EachApplication) {
    let all: Vec<_> = world::with(|world| {
        world
            .installed
            .iter()
            .map(|app| (app.name.clone(), app.bundle_id.clone(), app.path.clone()))
            .collect()
    });
    for (name, bundle_id, path) in all {
        let found = Application {
            pid: 0,
            is_regular: true,
            is_terminated: false,
            name: Text::lent(name.as_bytes()),
            bundle_id: Text::lent(bundle_id.as_bytes()),
            path: Text::lent(path.as_bytes()),
        };
        each(context, &found);
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn simulated_mac_open_application(
    bundle_id: Text,
    document: Text,
    context: *mut c_void,
    problem: Sink,
) -> i32 {
    // SAFETY: lent for the call by the caller.
    let (bundle_id, document) = unsafe { (bundle_id.owned().unwrap_or_default(), document.owned()) };
    match world::with(|world| world.open(&bundle_id, document)) {
        Some(pid) => pid,
        None => {
            let text = format!("Unable to find application with bundle id {bundle_id}");
            problem(context, Text::lent(text.as_bytes()));
            0
        }
    }
}

impl world::World {
    /// Opens an application, or brings it to the front where it runs; its process id.
    fn open(&mut self, bundle_id: &str, document: Option<String>) -> Option<i32> {
        let running = self
            .apps
            .iter()
            .find(|(_, app)| app.bundle_id.as_deref() == Some(bundle_id))
            .map(|(pid, _)| *pid);
        let pid = match running {
            Some(pid) => pid,
            None => {
                let make = self.installed.iter().find(|app| app.bundle_id == bundle_id)?.make;
                self.start(make())
            }
        };
        if let (Some(document), Some(app)) = (document, self.apps.get_mut(&pid)) {
            app.notes.insert("opened document".into(), document.into());
        }
        self.activate(pid);
        Some(pid)
    }
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn simulated_mac_read_clipboard(context: *mut c_void, sink: Sink) {
    if let Some(text) = world::with(|world| world.clipboard.clone()) {
        sink(context, Text::lent(text.as_bytes()));
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn simulated_mac_write_clipboard(text: Text) -> bool {
    // SAFETY: lent for the call by the caller.
    let text = unsafe { text.owned() };
    world::with(|world| world.clipboard = text);
    true
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn simulated_mac_picture(
    area: CGRect,
    limit_milliseconds: u64,
    size: *mut [u32; 2],
    context: *mut c_void,
    pixels_or_problem: Sink,
) -> bool {
    let area = Rect::new(area.x, area.y, area.width, area.height);
    let drawn = world::with(|world| match (&world.picture_problem, world.screen_recording) {
        (Some(problem), _) => Err(problem.clone()),
        (None, false) => Err("The user declined TCCs for application, window, display capture".to_owned()),
        (None, true) => Ok(crate::draw::draw(world, area)),
    });
    match drawn {
        Ok(picture) => {
            // SAFETY: valid by the caller's duty.
            unsafe { *size = [picture.width, picture.height] };
            pixels_or_problem(context, Text::lent(&picture.bgra));
            true
        }
        Err(problem) => {
            if problem == crate::draw::NO_ANSWER {
                std::thread::sleep(Duration::from_millis(limit_milliseconds));
            }
            pixels_or_problem(context, Text::lent(problem.as_bytes()));
            false
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C-unwind" fn simulated_mac_os_version(version: *mut [u32; 3]) {
    // SAFETY: valid by the caller's duty.
    unsafe { *version = world::with(|world| world.os_version) };
}

#[unsafe(no_mangle)]
pub extern "C-unwind" fn simulated_mac_responsible_program(context: *mut c_void, sink: Sink) {
    if let Some(name) = world::with(|world| world.responsible.clone()) {
        sink(context, Text::lent(name.as_bytes()));
    }
}
