//! Which session this is: where its buses and its display are.

use std::ffi::OsStr;
use std::path::PathBuf;

/// Where the buses and the display of a session are. Missing values are found as usual: the session bus in
/// the runtime directory, the accessibility bus through the session bus.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Environment {
    /// The address of the session bus.
    pub session_bus: Option<String>,
    /// The address of the accessibility bus.
    pub accessibility_bus: Option<String>,
    /// The X display.
    pub display: Option<String>,
    /// The socket of the Wayland compositor; `None` in sessions without Wayland.
    pub wayland: Option<PathBuf>,
    /// How pointer and keyboard of GNOME are obtained.
    pub gnome: GnomeAccess,
    /// The folder in which what lasts beyond this process is kept; without one nothing does.
    pub keeps_in: Option<PathBuf>,
    /// Variables that what is opened gets beside those of this process.
    pub variables: Vec<(String, String)>,
}

/// How pointer and keyboard of GNOME are obtained.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum GnomeAccess {
    /// Through its portal for remote desktops: a person agrees in a dialog.
    #[default]
    Portal,
    /// Through the compositor's own interface, which asks no person.
    Mutter,
}

impl Environment {
    /// The session this program runs in.
    #[must_use]
    pub fn current() -> Self {
        let variable = |name: &str| std::env::var(name).ok().filter(|value| !value.is_empty());
        Self {
            session_bus: variable("DBUS_SESSION_BUS_ADDRESS")
                .or_else(|| runtime_bus(std::env::var_os("XDG_RUNTIME_DIR")?.as_ref())),
            accessibility_bus: variable("AT_SPI_BUS_ADDRESS"),
            display: variable("DISPLAY"),
            wayland: variable("WAYLAND_DISPLAY")
                .map(|name| wayland_socket(name, variable("XDG_RUNTIME_DIR"))),
            gnome: GnomeAccess::default(),
            keeps_in: None,
            variables: Vec::new(),
        }
    }
}

/// The socket that `WAYLAND_DISPLAY` means: a path, or a name in the runtime directory.
fn wayland_socket(name: String, runtime: Option<String>) -> PathBuf {
    PathBuf::from(runtime.unwrap_or_default()).join(name)
}

/// The bus in a runtime directory, where the session has one there.
fn runtime_bus(directory: &OsStr) -> Option<String> {
    let socket = std::path::Path::new(directory).join("bus");
    socket.exists().then(|| format!("unix:path={}", socket.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wayland_display_is_a_name_in_the_runtime_directory_or_a_path() {
        let runtime = Some("/run/user/7".to_owned());
        assert_eq!(
            wayland_socket("wayland-1".to_owned(), runtime.clone()),
            PathBuf::from("/run/user/7/wayland-1")
        );
        assert_eq!(wayland_socket("/tmp/own".to_owned(), runtime), PathBuf::from("/tmp/own"));
    }

    #[test]
    fn the_bus_of_a_runtime_directory_is_found_only_if_it_is_there() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(runtime_bus(directory.path().as_ref()), None);
        std::fs::write(directory.path().join("bus"), "").unwrap();
        let expected = format!("unix:path={}/bus", directory.path().display());
        assert_eq!(runtime_bus(directory.path().as_ref()), Some(expected));
    }
}
