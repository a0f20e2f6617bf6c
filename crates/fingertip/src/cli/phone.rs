//! The command line of `fingertip phone`.

use std::path::PathBuf;

use clap::{Args, Subcommand};

/// Lines of the log that are shown by default.
const LOG_LINES: usize = 40;

#[derive(Debug, Subcommand)]
pub(crate) enum Phone {
    /// Start a server on a phone; the program is pushed where it is not there or differs
    Start(Start),
    /// End the server on a phone and remove all its files there
    Stop(Which),
    /// Say whether a server runs on a phone, and where it is reached
    Status(Which),
    /// Show what the server on a phone has logged
    Logs {
        #[command(flatten)]
        which: Which,
        /// How many lines, the newest
        #[arg(long, short = 'n', value_name = "NUMBER", default_value_t = LOG_LINES)]
        lines: usize,
    },
    /// Install Fingertip's app on a phone, switch its accessibility service on, and start its server; it lives through
    /// restarts of the phone
    Install(Install),
    /// Remove Fingertip's app from a phone
    Uninstall(Which),
    /// Print the token of the server on a phone
    Token(Which),
    /// Print the certificate of the server on a phone (PEM), for clients to trust
    Certificate(Which),
}

/// Which phone is meant.
#[derive(Debug, Args)]
pub(crate) struct Which {
    /// Serial of the phone, as `fingertip devices` and `adb devices` list it [default: the only one connected]
    #[arg(long, value_name = "SERIAL")]
    pub(crate) serial: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Install {
    #[command(flatten)]
    pub(crate) which: Which,

    /// Package of the app [default: fingertip.apk beside this program or in dist/]
    #[arg(long, value_name = "FILE")]
    pub(crate) apk: Option<PathBuf>,

    /// Let other devices on the network reach the server, not only programs on the phone
    #[arg(long)]
    pub(crate) network: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Start {
    #[command(flatten)]
    pub(crate) which: Which,

    /// Program for the phone: a static Linux binary of its processor [default: fingertip-phone-ARCHITECTURE beside this
    /// program or in dist/, else this program where it is one]
    #[arg(long, value_name = "FILE")]
    pub(crate) binary: Option<PathBuf>,

    /// Port to listen on [default: the first that is free from 8080 on]
    #[arg(long, value_name = "PORT")]
    pub(crate) port: Option<u16>,

    /// Further options of `fingertip serve`, after `--`, such as --read-only or --mdns
    #[arg(last = true, value_name = "OPTION")]
    pub(crate) options: Vec<String>,
}
