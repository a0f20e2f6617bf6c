//! Why an application that shows windows exposes nothing of what is in them, as far as its process shows.
//!
//! The libraries a process has loaded show what it draws with. Nothing of that is certain, so it is given as a reason
//! and decides nothing.

use std::fs::File;
use std::io::{BufRead, BufReader, Read};

/// The most bytes read of a process's list of files: far more than the largest programs have.
const MOST_READ: u64 = 8 << 20;

/// What is said where nothing is known.
const UNKNOWN: &str = "programs of Tk, SDL, Xt and GTK 2 without its module have none, nor has one that was started before \
    accessibility was switched on";

/// Libraries by the start of their file names, and what it means that a program with them has no tree. The first that is
/// loaded counts: a program of Tk or SDL has GTK beside it for its file dialogs, but not the other way round.
const REASONS: [(&str, &str); 12] = [
    ("libtk8", "it is made with Tk, which has none"),
    ("libtcl9tk", "it is made with Tk, which has none"),
    ("libSDL", "it draws by itself with SDL, which has none"),
    ("libglfw", "it draws by itself with GLFW, which has none"),
    ("libawt", "it is a Java program without the ATK wrapper (libatk-wrapper-java)"),
    (
        "libQt6Gui",
        "it is made with Qt, whose accessibility is off; start it with QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1, or open_app",
    ),
    (
        "libQt5Gui",
        "it is made with Qt, whose accessibility is off; start it with QT_LINUX_ACCESSIBILITY_ALWAYS_ON=1, or open_app",
    ),
    (
        "libgtk-x11-2.0",
        "it is made with GTK 2 and runs without its module; start it with GTK_MODULES=gail:atk-bridge, or open_app",
    ),
    ("libgtk-4", "it is made with GTK 4 and does not reach the accessibility bus; start it again"),
    (
        "libgtk-3",
        "it is made with GTK 3 and does not reach the accessibility bus; start it again, without NO_AT_BRIDGE",
    ),
    ("libXaw", "it is made with Xt, which has none"),
    ("libXt.", "it is made with Xt, which has none"),
];

/// Why the application of this process has no accessibility tree.
pub(crate) fn reason(pid: Option<u32>) -> &'static str {
    let maps = pid.and_then(|pid| File::open(format!("/proc/{pid}/maps")).ok());
    maps.map_or(UNKNOWN, |maps| reason_in(BufReader::new(maps.take(MOST_READ))))
}

fn reason_in(maps: impl BufRead) -> &'static str {
    let mut found = REASONS.len();
    // A name that is not UTF-8 is not known here.
    for line in maps.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line);
        let file = line.rsplit('/').next().unwrap_or_default();
        let place = REASONS[..found].iter().position(|(library, _)| file.starts_with(library));
        found = place.unwrap_or(found);
    }
    REASONS.get(found).map_or(UNKNOWN, |(_, reason)| reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_libraries_of_a_process_show_what_it_is_made_with() {
        let maps = "7f00-7f01 r-xp 0 08:01 12 /usr/lib/x86_64-linux-gnu/libgtk-3.so.0\n\
                    7f02-7f03 r-xp 0 08:01 13 /usr/lib/x86_64-linux-gnu/libtk8.6.so\n\
                    7f04-7f05 rw-p 0 00:00 0 [heap]\n";
        assert_eq!(reason_in(maps.as_bytes()), "it is made with Tk, which has none");
        assert!(reason_in(&b"7f00 r-xp 0 08:01 12 /usr/lib/libSDL2-2.0.so.0\n"[..]).contains("SDL"));
        assert!(reason_in(&b"7f00 r-xp 0 08:01 12 /usr/lib/libXt.so.6\n"[..]).contains("Xt"));
        for unknown in [&b""[..], b"\xff\xfe/\n", b"7f00 r-xp 0 08:01 12 /usr/lib/libc.so.6\n"] {
            assert_eq!(reason_in(unknown), UNKNOWN);
        }
    }

    #[test]
    fn a_process_that_is_not_there_has_no_known_reason() {
        assert_eq!(reason(None), UNKNOWN);
        assert_eq!(reason(Some(u32::MAX)), UNKNOWN);
    }
}
