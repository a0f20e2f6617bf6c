//! The command line. Everything else may be set in the environment or in the file: see [`crate::config`].

pub(crate) mod call;
pub(crate) mod init;
pub(crate) mod phone;
mod safety;

use std::path::PathBuf;
use std::str::FromStr;

use clap::{Args, Parser, Subcommand};
use fingertip_android::Preference;
use fingertip_mcp::view::{Format, See};
pub(crate) use safety::Safety;

use crate::config::Settings;
use crate::drive::GnomeAccess;
use crate::platforms::demo;

/// Where the server listens by default.
pub(crate) const DEFAULT_LISTEN: &str = "127.0.0.1:8080";

/// An MCP server that lets AI agents see and operate real user interfaces.
#[derive(Debug, Parser)]
#[command(name = "fingertip", version, max_term_width = 100)]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Serve MCP over HTTP at /mcp
    Serve(ServeCommand),
    /// Serve MCP over standard input and output
    Stdio(Common),
    /// Set up the MCP clients of this user: Claude Code, Cursor, VS Code, Codex and others
    Init(init::Init),
    /// Call a tool: `fingertip call TOOL KEY=VALUE...`
    Call(call::Call),
    /// List the tools that can be called, or show one with its parameters
    Tools(call::Tools),
    /// Show the screen in lines that a person reads
    See(call::See),
    /// Press an element by the text it shows, and report what became of the screen
    Tap(call::Tap),
    /// Print the token that HTTP clients must send, making one if there is none
    Token,
    /// Print a link to the page of a running server, which works once
    Ui {
        /// For acting, too: operating the device, letting agents go on, answering questions
        #[arg(long)]
        control: bool,
        /// The port of the server [default: that of the only one that runs]
        #[arg(long, value_name = "PORT")]
        port: Option<u16>,
    },
    /// List the devices that would be served
    Devices(Common),
    /// Check what the server needs, and say what to do about what is missing
    Doctor(Doctor),
    /// Run the server on a phone itself: started once over adb, on its own from then on
    Phone {
        #[command(subcommand)]
        command: phone::Phone,
    },
    /// Show what is in force and where each setting comes from
    Config {
        /// Print every setting with its source; without it the configuration is only checked
        #[arg(long)]
        show: bool,
        #[command(flatten)]
        options: Serve,
    },
    /// Show what clients have done
    Audit {
        /// How many lines, the newest
        #[arg(long, short = 'n', value_name = "NUMBER", default_value_t = 20)]
        lines: usize,
        /// Go on showing what is added
        #[arg(long, short)]
        follow: bool,
        #[command(flatten)]
        common: Common,
    },
    /// Run the demo phone alone, so that `adb connect` and other tools can use it
    Sim {
        /// Port to listen on at 127.0.0.1
        #[arg(long, value_name = "PORT", default_value_t = 5555)]
        port: u16,
    },
    /// Print the completions for a shell, for it to read
    Completions {
        /// Which shell
        shell: clap_complete::Shell,
    },
    /// Print the manual page
    Man {
        /// Folder to write the pages of all commands to, instead of printing the first
        folder: Option<PathBuf>,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Common {
    #[arg(long = "target", value_name = "TARGET", help = demo::TARGET_HELP)]
    pub(crate) targets: Vec<TargetSpec>,

    /// Configuration file [default: config.toml in fingertip's folder]
    #[arg(long, value_name = "FILE")]
    pub(crate) config: Option<PathBuf>,

    /// How long reading a desktop may take, as in get_ui_tree=10,find_element=4
    /// [default: get_ui_tree=5, find_element=2, get_focused_element=1, list_windows=1]
    #[arg(long = "timeout", value_name = "TOOL=SECONDS,...", value_delimiter = ',')]
    pub(crate) timeouts: Vec<String>,

    /// How get_screen_state shows a screen unless a call says: table or lean [default: table]
    #[arg(long, value_name = "FORMAT")]
    pub(crate) format: Option<Format>,

    /// What replies of acting tools report of their effect unless a call says: none, changes or screen [default: none]
    #[arg(long, value_name = "WHAT")]
    pub(crate) see: Option<See>,

    /// File of NAME=VALUE lines, readable by its owner only: calls can write {"secret": "NAME"} instead of a text, and
    /// no reply holds the value; variables FINGERTIP_SECRET_NAME add to it
    #[arg(long, value_name = "FILE")]
    pub(crate) secrets: Option<PathBuf>,

    /// How phones are driven: agent or shell [default: the agent where it runs, else the shell]
    #[arg(long, value_name = "DRIVER")]
    pub(crate) driver: Option<Preference>,

    /// How to get pointer and keyboard on GNOME: portal, where a person agrees in a dialog, or mutter, which asks no person
    /// [default: portal]
    #[arg(long, value_name = "WAY")]
    pub(crate) gnome_access: Option<GnomeAccess>,

    #[command(flatten)]
    pub(crate) safety: Safety,
}

impl Common {
    /// Sets what was said on the command line.
    pub(crate) fn set(&self, settings: &mut Settings) -> anyhow::Result<()> {
        let targets = self.targets.iter().map(ToString::to_string).collect();
        settings.targets.set_by_flag("--target", given(targets))?;
        settings.timeouts.set_by_flag("--timeout", given(self.timeouts.clone()))?;
        settings.format.set_by_flag("--format", self.format.map(|format| format.name().to_owned()))?;
        settings.see.set_by_flag("--see", self.see.map(|see| see.name().to_owned()))?;
        settings.secrets.set_by_flag("--secrets", path(self.secrets.as_ref()))?;
        settings.driver.set_by_flag("--driver", self.driver.map(|driver| driver.to_string()))?;
        settings.gnome_access.set_by_flag("--gnome-access", self.gnome_access.map(|way| way.to_string()))?;
        self.safety.set(settings)
    }
}

/// A list that was said: one that can be repeated is empty when it was not.
fn given(list: Vec<String>) -> Option<Vec<String>> {
    Some(list).filter(|list| !list.is_empty()).map(names)
}

/// A list as the environment would give it: `--tools ""` names nothing. A blank that is not empty stays, so that it is
/// refused where it is read.
fn names(mut list: Vec<String>) -> Vec<String> {
    list.retain(|part| !part.is_empty());
    list
}

/// A path as a setting.
fn path(path: Option<&PathBuf>) -> Option<String> {
    path.map(|path| path.display().to_string())
}

#[derive(Debug, Args)]
pub(crate) struct Doctor {
    #[command(flatten)]
    pub(crate) serve: Serve,

    /// Try every operation on each phone's own Settings app, put back what was changed, and print a report
    #[arg(long)]
    pub(crate) self_test: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) common: Common,

    /// Where to listen: ADDRESS:PORT, NAME:PORT, or PORT for this machine alone [default: 127.0.0.1:8080]
    #[arg(long, value_name = "ADDR")]
    pub(crate) listen: Option<String>,

    /// Serve HTTPS, with a certificate made and kept by fingertip unless one is given
    #[arg(long)]
    pub(crate) tls: bool,

    /// Certificate chain to serve HTTPS with (PEM)
    #[arg(long, value_name = "FILE", requires = "tls_key")]
    pub(crate) tls_cert: Option<PathBuf>,

    /// Private key of that certificate (PEM, readable by its owner only)
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,

    /// Further host name by which clients reach this server; can be repeated
    #[arg(long = "allow-host", value_name = "NAME")]
    pub(crate) allowed_hosts: Vec<String>,

    /// Announce the server on the local network by multicast DNS
    #[arg(long)]
    pub(crate) mdns: bool,

    /// Also serve the first interface, for clients written for it, under /mcp/v1
    #[arg(long)]
    pub(crate) v1: bool,

    /// Without the page on which people watch and steer, at /ui
    #[arg(long)]
    pub(crate) no_ui: bool,

    /// Keep no calls in memory for a page that is opened later
    #[arg(long)]
    pub(crate) no_history: bool,
}

#[derive(Debug, Args)]
pub(crate) struct ServeCommand {
    #[command(flatten)]
    pub(crate) options: Serve,

    /// File to write address, version and process to while serving, as JSON, for a program that starts the server
    #[arg(long, value_name = "FILE")]
    pub(crate) status_file: Option<PathBuf>,
}

impl Serve {
    /// Sets what was said on the command line.
    pub(crate) fn set(&self, settings: &mut Settings) -> anyhow::Result<()> {
        self.common.set(settings)?;
        settings.listen.set_by_flag("--listen", self.listen.clone())?;
        settings.tls.set_by_flag("--tls", self.tls.then_some(true))?;
        settings.tls_cert.set_by_flag("--tls-cert", path(self.tls_cert.as_ref()))?;
        settings.tls_key.set_by_flag("--tls-key", path(self.tls_key.as_ref()))?;
        settings.allow_hosts.set_by_flag("--allow-host", given(self.allowed_hosts.clone()))?;
        settings.mdns.set_by_flag("--mdns", self.mdns.then_some(true))?;
        settings.v1.set_by_flag("--v1", self.v1.then_some(true))?;
        settings.ui.set_by_flag("--no-ui", self.no_ui.then_some(false))?;
        settings.history.set_by_flag("--no-history", self.no_history.then_some(false))
    }
}

/// A target as the command line names it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum TargetSpec {
    /// The phone inside the program.
    Demo,
    /// A phone by its serial, or all that are attached.
    Android(Option<String>),
    /// This desktop session.
    Desktop,
    /// The phone this program runs on.
    Here,
    /// The phone this program runs on, through the app that started it.
    App,
}

impl FromStr for TargetSpec {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once(':') {
            None if text == "demo" => Ok(Self::Demo),
            None if text == "desktop" => Ok(Self::Desktop),
            None if text == "here" => Ok(Self::Here),
            None if text == "app" => Ok(Self::App),
            None if text == "android" => Ok(Self::Android(None)),
            Some(("android", serial)) if !serial.is_empty() => Ok(Self::Android(Some(serial.to_owned()))),
            _ => Err("must be demo, android, android:SERIAL, here or desktop".to_owned()),
        }
    }
}

impl std::fmt::Display for TargetSpec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Demo => f.write_str("demo"),
            Self::Android(None) => f.write_str("android"),
            Self::Android(Some(serial)) => write!(f, "android:{serial}"),
            Self::Desktop => f.write_str("desktop"),
            Self::Here => f.write_str("here"),
            Self::App => f.write_str("app"),
        }
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Cli::command().debug_assert();
    }

    #[test]
    fn targets_are_read_and_shown_alike() {
        for text in
            ["demo", "desktop", "here", "app", "android", "android:emulator-5554", "android:192.168.0.7:5555"]
        {
            assert_eq!(text.parse::<TargetSpec>().map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        for wrong in ["", "android:", "ios", "demo:1", "Desktop"] {
            assert!(wrong.parse::<TargetSpec>().is_err(), "{wrong}");
        }
    }
}
