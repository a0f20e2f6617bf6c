//! The services of the simulated Mac, through C functions that it exports.
//!
//! Texts and pictures are lent for the duration of a call: the simulated Mac hands them to a function given with the call, which
//! copies them. So nothing allocated on one side is freed on the other.
#![allow(unsafe_code, reason = "calls the C functions of the simulated Mac")]

use std::ffi::c_void;
use std::time::Duration;

use super::{InstalledApplication, Picture, RunningApplication};
use crate::bindings::cf::CGRect;

/// UTF-8 text; a null pointer stands for none.
#[repr(C)]
#[derive(Clone, Copy)]
struct Text {
    bytes: *const u8,
    length: usize,
}

impl Text {
    const NONE: Self = Self { bytes: std::ptr::null(), length: 0 };

    fn lent(text: &str) -> Self {
        Self { bytes: text.as_ptr(), length: text.len() }
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
struct Application {
    pid: i32,
    is_regular: bool,
    is_terminated: bool,
    name: Text,
    bundle_id: Text,
    path: Text,
}

type EachApplication = extern "C-unwind" fn(*mut c_void, &Application);
type Sink = extern "C-unwind" fn(*mut c_void, Text);

unsafe extern "C-unwind" {
    fn simulated_mac_running_applications(context: *mut c_void, each: EachApplication);
    fn simulated_mac_installed_applications(context: *mut c_void, each: EachApplication);
    fn simulated_mac_open_application(
        bundle_id: Text,
        document: Text,
        context: *mut c_void,
        problem: Sink,
    ) -> i32;
    fn simulated_mac_read_clipboard(context: *mut c_void, sink: Sink);
    fn simulated_mac_write_clipboard(text: Text) -> bool;
    fn simulated_mac_picture(
        area: CGRect,
        limit_milliseconds: u64,
        size: *mut [u32; 2],
        context: *mut c_void,
        pixels_or_problem: Sink,
    ) -> bool;
    fn simulated_mac_os_version(version: *mut [u32; 3]);
    fn simulated_mac_responsible_program(context: *mut c_void, sink: Sink);
    fn IsSecureEventInputEnabled() -> u8;
}

/// Appends what it is handed to the vector that is its context.
fn collect<T>(fill: impl FnOnce(*mut c_void)) -> Vec<T> {
    let mut all: Vec<T> = Vec::new();
    fill((&raw mut all).cast());
    all
}

extern "C-unwind" fn push_running(context: *mut c_void, found: &Application) {
    // SAFETY: the context is the vector of `collect`; the texts are lent for this call.
    unsafe {
        (*context.cast::<Vec<RunningApplication>>()).push(RunningApplication {
            pid: found.pid,
            name: found.name.owned().unwrap_or_default(),
            bundle_id: found.bundle_id.owned(),
            is_regular: found.is_regular,
            is_terminated: found.is_terminated,
        });
    }
}

extern "C-unwind" fn push_installed(context: *mut c_void, found: &Application) {
    // SAFETY: as in `push_running`.
    unsafe {
        (*context.cast::<Vec<InstalledApplication>>()).push(InstalledApplication {
            bundle_id: found.bundle_id.owned().unwrap_or_default(),
            name: found.name.owned().unwrap_or_default(),
            path: found.path.owned().unwrap_or_default(),
        });
    }
}

extern "C-unwind" fn push_bytes(context: *mut c_void, text: Text) {
    if text.bytes.is_null() {
        return;
    }
    // SAFETY: the context is the vector of `collect`; the bytes are lent for this call.
    unsafe {
        let bytes = std::slice::from_raw_parts(text.bytes, text.length);
        (*context.cast::<Vec<Vec<u8>>>()).push(bytes.to_vec());
    }
}

fn text_of(fill: impl FnOnce(*mut c_void)) -> Option<String> {
    collect::<Vec<u8>>(fill).pop().map(|bytes| String::from_utf8_lossy(&bytes).into_owned())
}

pub(crate) fn running_applications() -> Vec<RunningApplication> {
    // SAFETY: context and function belong together.
    collect(|context| unsafe { simulated_mac_running_applications(context, push_running) })
}

pub(crate) fn running_application(pid: i32) -> Option<RunningApplication> {
    running_applications().into_iter().find(|app| app.pid == pid)
}

pub(crate) fn installed_applications(most: usize) -> Vec<InstalledApplication> {
    // SAFETY: context and function belong together.
    let mut all: Vec<InstalledApplication> =
        collect(|context| unsafe { simulated_mac_installed_applications(context, push_installed) });
    all.truncate(most);
    all
}

/// Opens an application, with a document if one is given; its process id where that is known.
pub(crate) fn open_application(
    bundle_id: &str,
    document: Option<&str>,
    _limit: Duration,
) -> Result<Option<i32>, String> {
    let mut pid = 0;
    // SAFETY: the texts are lent for the call; context and function belong together.
    let problem = text_of(|context| unsafe {
        pid = simulated_mac_open_application(
            Text::lent(bundle_id),
            document.map_or(Text::NONE, Text::lent),
            context,
            push_bytes,
        );
    });
    match problem {
        Some(problem) => Err(problem),
        None => Ok((pid > 0).then_some(pid)),
    }
}

pub(crate) fn read_clipboard() -> Option<String> {
    // SAFETY: context and function belong together.
    text_of(|context| unsafe { simulated_mac_read_clipboard(context, push_bytes) })
}

pub(crate) fn write_clipboard(text: &str) -> bool {
    // SAFETY: the text is lent for the call.
    unsafe { simulated_mac_write_clipboard(Text::lent(text)) }
}

/// A picture of an area of the screen, in global points, one pixel a point.
pub(crate) fn picture(area: CGRect, limit: Duration) -> Result<Picture, String> {
    let mut size = [0; 2];
    let mut taken = false;
    let limit = u64::try_from(limit.as_millis()).unwrap_or(u64::MAX);
    // SAFETY: `size` lives through the call; context and function belong together.
    let answer = collect::<Vec<u8>>(|context| unsafe {
        taken = simulated_mac_picture(area, limit, &raw mut size, context, push_bytes);
    })
    .pop()
    .unwrap_or_default();
    if !taken {
        return Err(String::from_utf8_lossy(&answer).into_owned());
    }
    let [width, height] = size;
    Ok(Picture { width, height, stride: width as usize * 4, bgra: answer })
}

pub(crate) fn os_version() -> (u32, u32, u32) {
    let mut version = [0; 3];
    // SAFETY: the array lives through the call.
    unsafe { simulated_mac_os_version(&raw mut version) };
    version.into()
}

/// The application whose permissions hold for this process, if that is another one.
pub(crate) fn responsible_program() -> Option<String> {
    // SAFETY: context and function belong together.
    text_of(|context| unsafe { simulated_mac_responsible_program(context, push_bytes) })
}

/// Whether some program keeps the keyboard to itself, as password fields do.
pub(crate) fn secure_event_input_enabled() -> bool {
    // SAFETY: a getter without arguments.
    unsafe { IsSecureEventInputEnabled() != 0 }
}
