//! The Linux desktop, read through AT-SPI2 and driven through AT-SPI2 and X11 or Wayland.
//!
//! | module | what it holds |
//! |---|---|
//! | `bus` | the accessibility bus: one connection for calls, one for events |
//! | [`environment`] | which session this is |
//! | `handle` | how an object of an application is named, on the bus and in a snapshot |
//! | `apps`, `connection`, `client`, `toolkit` | the applications on the bus, how they are asked, and what is known of their toolkits |
//! | `tree`, `raw_tree`, `read`, `seen_tree` | the objects of an application, and the nodes they become |
//! | `snapshot_cache` | what was read of an application, brought up to date by its events |
//! | `place`, `visibility` | where things really are, and what can be seen |
//! | `actions`, `text`, `keys` | what is done to objects, what they are made to hold, what is typed |
//! | `events` | what happens in applications |
//! | `entries`, `launch` | what can be opened, and opening it |
//! | `display` | what a display server gives: windows, pointer, keys, pictures, clipboard; which one serves |
//! | `x11`, `wayland`, `gnome` | the display servers |
//! | [`doctor`] | what is wrong, and what to do about it |
//! | [`target`] | the session as a [`fingertip_core::Target`] |

mod actions;
mod apps;
mod bus;
mod client;
mod connection;
mod display;
pub mod doctor;
mod entries;
pub mod environment;
mod events;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod gnome;
mod handle;
mod keys;
mod launch;
mod place;
mod raw_tree;
mod read;
mod roles;
mod seen_tree;
mod snapshot_cache;
mod states;
pub mod target;
mod text;
mod toolkit;
mod tree;
mod treeless;
mod visibility;
mod wayland;
mod x11;

pub use environment::{Environment, GnomeAccess};
pub use target::LinuxTarget;
pub use wayland::kwin::GRANT as KDE_GRANT;
