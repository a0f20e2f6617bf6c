//! What tests of the program have in common.

use std::net::TcpListener;
use std::sync::OnceLock;

/// The port of something that is no adb server, so that none of this machine is asked or started.
pub(crate) fn no_adb() -> u16 {
    static PORT: OnceLock<u16> = OnceLock::new();
    *PORT.get_or_init(|| {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        std::thread::spawn(move || listener.incoming().for_each(drop));
        port
    })
}
