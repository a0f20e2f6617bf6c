//! The `fingertip` program as a library, so that tests can run it with targets of their own.
//!
//! Thin: it reads the command line, keeps the token and certificate, and wires targets to the server of
//! `fingertip-mcp`. Only protocol messages and what a command was asked to print go to standard output;
//! everything else goes to standard error.

mod audit;
mod banner;
mod call;
mod cli;
mod config;
mod doctor;
mod drive;
#[cfg(feature = "fuzzing")]
#[doc(hidden)]
pub mod fuzzing;
mod home;
mod init;
mod listen;
mod locked_file;
mod logs;
mod mdns;
mod network;
mod open_files;
mod page_link;
mod pages;
mod phone;
pub mod platforms;
mod progress;
mod qr;
mod run;
mod running;
mod self_test;
mod status;
mod token;

use std::process::ExitCode;
use std::sync::Arc;

use call::answer::{Exit, WrongUse};
use clap::Parser;
pub use fingertip_android::Preference;
use fingertip_mcp::targets::Targets;

pub use cli::TargetSpec;
pub use drive::{Drive, GnomeAccess};

/// Starts to attach the targets a command line asks for, and returns at once: a client must not wait for its
/// first answer until phones are found. Called within the async runtime; says when it is done with
/// [`Targets::settle`].
pub type Attach = fn(&[TargetSpec], &Drive, &Arc<Targets>) -> anyhow::Result<()>;

/// Runs the program with the command line of this process.
#[must_use]
pub fn main(attach: Attach) -> ExitCode {
    let arguments = cli::Cli::parse();
    logs::start();
    match run::run(arguments, attach) {
        Ok(exit) => exit.into(),
        Err(error) => {
            tracing::debug!(?error, "failed");
            logs::say(&format!("fingertip: {error:#}"));
            if error.is::<WrongUse>() { Exit::WrongUse } else { Exit::Failed }.into()
        }
    }
}
