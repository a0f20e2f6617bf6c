//! The services of macOS itself. Kept thin: nothing here is ever run outside of a Mac.
//!
//! Every call stands in an autorelease pool of its own, since the threads it runs on have none. ScreenCaptureKit answers on
//! queues of its own; a call waits for it no longer than its limit, and a late answer is dropped with its channel.
#![allow(unsafe_code, reason = "Objective-C messages and C functions of the system")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use block2::RcBlock;
use objc2::AnyThread;
use objc2::rc::autoreleasepool;
use objc2_app_kit::{
    NSApplicationActivationPolicy, NSPasteboard, NSPasteboardTypeString, NSRunningApplication, NSWorkspace,
};
use objc2_core_foundation::{CGPoint, CGRect};
use objc2_core_graphics::{CGDataProvider, CGImage};
use objc2_foundation::{NSArray, NSBundle, NSError, NSProcessInfo, NSString};
use objc2_screen_capture_kit::{
    SCContentFilter, SCDisplay, SCScreenshotManager, SCShareableContent, SCStreamConfiguration,
};

use super::{InstalledApplication, Picture, RunningApplication};

/// Where applications are installed, beside the user's own folder.
const APPLICATION_FOLDERS: [&str; 4] =
    ["/Applications", "/Applications/Utilities", "/System/Applications", "/System/Applications/Utilities"];
/// The file manager lives apart from all others.
const FINDER: &str = "/System/Library/CoreServices/Finder.app";
/// How often a launch and its process are looked at.
const LAUNCH_POLL: Duration = Duration::from_millis(50);
/// How many generations of parents are looked at for the responsible application.
const MOST_ANCESTORS: usize = 16;
/// `kCVPixelFormatType_32BGRA`.
const PIXEL_FORMAT_BGRA: u32 = 0x4247_5241;

fn described(app: &NSRunningApplication) -> RunningApplication {
    RunningApplication {
        pid: app.processIdentifier(),
        name: app.localizedName().map(|name| name.to_string()).unwrap_or_default(),
        bundle_id: app.bundleIdentifier().map(|id| id.to_string()),
        is_regular: app.activationPolicy() == NSApplicationActivationPolicy::Regular,
        is_terminated: app.isTerminated(),
    }
}

pub(crate) fn running_applications() -> Vec<RunningApplication> {
    autoreleasepool(|_| {
        NSWorkspace::sharedWorkspace().runningApplications().iter().map(|app| described(&app)).collect()
    })
}

pub(crate) fn running_application(pid: i32) -> Option<RunningApplication> {
    autoreleasepool(|_| {
        NSRunningApplication::runningApplicationWithProcessIdentifier(pid).map(|app| described(&app))
    })
}

pub(crate) fn installed_applications(most: usize) -> Vec<InstalledApplication> {
    let own = std::env::var_os("HOME").map(|home| PathBuf::from(home).join("Applications"));
    let folders = APPLICATION_FOLDERS.iter().map(PathBuf::from).chain(own);
    let bundles = folders
        .filter_map(|folder| std::fs::read_dir(folder).ok())
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "app"));
    bundles.chain([PathBuf::from(FINDER)]).filter_map(|path| bundle(&path)).take(most).collect()
}

fn bundle(path: &Path) -> Option<InstalledApplication> {
    autoreleasepool(|_| {
        let text = path.to_str()?;
        let bundle_id = NSBundle::bundleWithPath(&NSString::from_str(text))?.bundleIdentifier()?.to_string();
        Some(InstalledApplication {
            bundle_id,
            name: path.file_stem()?.to_string_lossy().into_owned(),
            path: text.to_owned(),
        })
    })
}

/// Opens an application, with a document if one is given; its process id where that is known.
pub(crate) fn open_application(
    bundle_id: &str,
    document: Option<&str>,
    limit: Duration,
) -> Result<Option<i32>, String> {
    let until = Instant::now() + limit;
    let mut child = Command::new("/usr/bin/open")
        .args(["-b", bundle_id])
        .args(document)
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .map_err(|error| format!("/usr/bin/open did not start: {error}"))?;
    loop {
        match child.try_wait() {
            Ok(Some(status)) if status.success() => break,
            Ok(Some(status)) => return Err(format!("/usr/bin/open ended with {status}")),
            Ok(None) if Instant::now() < until => std::thread::sleep(LAUNCH_POLL),
            Ok(None) => {
                // It only waits for the launch, which goes on without it.
                let _ = child.kill();
                let _ = child.wait();
                return Err(format!("/usr/bin/open did not end within {limit:?}"));
            }
            Err(error) => return Err(format!("/usr/bin/open was lost: {error}")),
        }
    }
    Ok(autoreleasepool(|_| {
        NSRunningApplication::runningApplicationsWithBundleIdentifier(&NSString::from_str(bundle_id))
            .iter()
            .map(|app| app.processIdentifier())
            .next()
    }))
}

pub(crate) fn read_clipboard() -> Option<String> {
    autoreleasepool(|_| {
        // SAFETY: the static is valid for the life of the process.
        let kind = unsafe { NSPasteboardTypeString };
        NSPasteboard::generalPasteboard().stringForType(kind).map(|text| text.to_string())
    })
}

pub(crate) fn write_clipboard(text: &str) -> bool {
    autoreleasepool(|_| {
        let board = NSPasteboard::generalPasteboard();
        board.clearContents();
        // SAFETY: the static is valid for the life of the process.
        board.setString_forType(&NSString::from_str(text), unsafe { NSPasteboardTypeString })
    })
}

/// A picture of an area of the screen, in global points, one pixel a point.
pub(crate) fn picture(area: CGRect, limit: Duration) -> Result<Picture, String> {
    let (answer, taken) = mpsc::channel();
    let found = RcBlock::new(move |content: *mut SCShareableContent, error: *mut NSError| {
        // SAFETY: both are null or valid for the call.
        let (content, error) = unsafe { (content.as_ref(), error.as_ref()) };
        let started = match content {
            Some(content) => autoreleasepool(|_| capture(content, area, answer.clone())),
            None => Err(reason("macOS shares no screen", error)),
        };
        if let Err(problem) = started {
            let _ = answer.send(Err(problem));
        }
    });
    // SAFETY: the callee copies the block.
    unsafe { SCShareableContent::getShareableContentWithCompletionHandler(&found) };
    taken
        .recv_timeout(limit)
        .unwrap_or_else(|_| Err(format!("ScreenCaptureKit did not answer within {limit:?}")))
}

fn reason(what: &str, error: Option<&NSError>) -> String {
    match error {
        Some(error) => format!("{what}: {}", error.localizedDescription()),
        None => what.to_owned(),
    }
}

fn contains(frame: CGRect, point: CGPoint) -> bool {
    (frame.origin.x..frame.origin.x + frame.size.width).contains(&point.x)
        && (frame.origin.y..frame.origin.y + frame.size.height).contains(&point.y)
}

/// Starts to capture the area from the display that its middle is on.
fn capture(
    content: &SCShareableContent,
    area: CGRect,
    answer: mpsc::Sender<Result<Picture, String>>,
) -> Result<(), String> {
    let middle =
        CGPoint { x: area.origin.x + area.size.width / 2.0, y: area.origin.y + area.size.height / 2.0 };
    // SAFETY: getters and constructors with valid arguments.
    unsafe {
        let displays = content.displays();
        let display = displays
            .iter()
            .find(|display: &objc2::rc::Retained<SCDisplay>| contains(display.frame(), middle))
            .ok_or_else(|| "no display shows that area".to_owned())?;
        let filter = SCContentFilter::initWithDisplay_excludingWindows(
            SCContentFilter::alloc(),
            &display,
            &NSArray::new(),
        );
        let configuration = SCStreamConfiguration::new();
        let frame = display.frame();
        let mut source = area;
        source.origin.x -= frame.origin.x;
        source.origin.y -= frame.origin.y;
        configuration.setSourceRect(source);
        configuration.setWidth(area.size.width.round().max(1.0) as usize);
        configuration.setHeight(area.size.height.round().max(1.0) as usize);
        configuration.setPixelFormat(PIXEL_FORMAT_BGRA);
        configuration.setShowsCursor(false);
        let taken = RcBlock::new(move |image: *mut CGImage, error: *mut NSError| {
            let result = match image.as_ref() {
                Some(image) => pixels(image),
                None => Err(reason("macOS took no picture", error.as_ref())),
            };
            let _ = answer.send(result);
        });
        SCScreenshotManager::captureImageWithFilter_configuration_completionHandler(
            &filter,
            &configuration,
            Some(&taken),
        );
    }
    Ok(())
}

fn pixels(image: &CGImage) -> Result<Picture, String> {
    let image = Some(image);
    let bits = CGImage::bits_per_pixel(image);
    if bits != 32 {
        return Err(format!("macOS took a picture of {bits} bits a pixel instead of 32"));
    }
    let data = CGDataProvider::data(CGImage::data_provider(image).as_deref())
        .ok_or_else(|| "the picture has no pixels".to_owned())?;
    let (width, height) = (CGImage::width(image), CGImage::height(image));
    let stride = CGImage::bytes_per_row(image);
    let bgra = data.to_vec();
    let (Ok(width), Ok(height)) = (u32::try_from(width), u32::try_from(height)) else {
        return Err("the picture is too large".to_owned());
    };
    if stride < width as usize * 4 || bgra.len() < stride * height as usize {
        return Err("the picture has fewer pixels than it claims".to_owned());
    }
    Ok(Picture { width, height, stride, bgra })
}

pub(crate) fn os_version() -> (u32, u32, u32) {
    let version = autoreleasepool(|_| NSProcessInfo::processInfo().operatingSystemVersion());
    let number = |part| u32::try_from(part).unwrap_or(0);
    (number(version.majorVersion), number(version.minorVersion), number(version.patchVersion))
}

/// The application whose permissions hold for this process, if that is another one: the nearest ancestor that is an
/// application. macOS looks permissions up for the responsible process, which it names in no public call.
pub(crate) fn responsible_program() -> Option<String> {
    let mut pid = i32::try_from(std::os::unix::process::parent_id()).ok()?;
    for _ in 0..MOST_ANCESTORS {
        if pid <= 1 {
            return None;
        }
        if let Some(app) = running_application(pid).filter(|app| app.bundle_id.is_some()) {
            return Some(app.name);
        }
        pid = parent(pid)?;
    }
    None
}

fn parent(pid: i32) -> Option<i32> {
    // SAFETY: all bytes zero is a valid value of this plain C struct.
    let mut info: libc::proc_bsdinfo = unsafe { std::mem::zeroed() };
    let size = i32::try_from(size_of::<libc::proc_bsdinfo>()).ok()?;
    // SAFETY: the buffer is as long as the size says.
    let read = unsafe { libc::proc_pidinfo(pid, libc::PROC_PIDTBSDINFO, 0, (&raw mut info).cast(), size) };
    (read == size).then(|| i32::try_from(info.pbi_ppid).ok()).flatten()
}

#[link(name = "Carbon", kind = "framework")]
unsafe extern "C" {
    fn IsSecureEventInputEnabled() -> u8;
}

/// Whether some program keeps the keyboard to itself, as password fields do.
pub(crate) fn secure_event_input_enabled() -> bool {
    // SAFETY: a getter without arguments.
    unsafe { IsSecureEventInputEnabled() != 0 }
}
