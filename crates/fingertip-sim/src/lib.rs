//! A simulated phone that speaks adb: the demo of Fingertip, and its test bench.

pub mod adbd;
pub mod agent;
mod bounds;
pub mod draw;
pub mod faults;
pub mod files;

pub mod host;
mod installed_app;
pub mod listeners;
mod lock;
pub mod phone;
#[cfg(not(all(feature = "test-support", target_os = "linux")))]
#[path = "programs/none.rs"]
mod programs;
#[cfg(all(feature = "test-support", target_os = "linux"))]
mod programs;
mod properties;
pub mod server;
pub mod shell;

pub use agent::AgentFault;
pub use faults::{FaultPlan, Faults, Latency, Presence, ServiceFault};
pub use host::SimPhone;
pub use server::{AdbServer, PrivateAdbServer};
