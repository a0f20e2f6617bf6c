//! The Linux desktop, read through AT-SPI2 and driven through AT-SPI2 and X11.
//!
//! | module | what it holds |
//! |---|---|
//! | [`bus`] | the accessibility bus: one connection for calls, one for events |
//! | [`handle`] | how an object of an application is named, on the bus and in a snapshot |
//! | `x11` | the display: windows, pointer, keys, pictures, clipboard |

pub mod bus;
pub mod handle;
pub mod x11;

pub use bus::Bus;
pub use handle::Handle;
