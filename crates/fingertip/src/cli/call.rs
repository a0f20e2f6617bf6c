//! The command line of `fingertip call`, `tools`, `see` and `tap`.

use std::path::PathBuf;

use clap::Args;

use super::Common;

/// What every help page of these commands ends with.
const EXIT_CODES: &str = "\
A running server of this user is asked (`fingertip serve`), under its own policy. Without one, or when flags or variables \
say what to serve or to allow, the command does the work itself; ids of elements last only as long as a server.

Exit codes: 0 done, 1 failed, 2 wrong use, 3 refused, 4 not found, 5 timed out";

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Call {
    /// Name of the tool, as `fingertip tools` lists it
    pub(crate) tool: String,

    #[command(flatten)]
    pub(crate) given: Given,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct See {
    #[command(flatten)]
    pub(crate) given: Given,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Tap {
    /// Element: the text it shows, a selector such as 'switch right of "Wi-Fi"', or an id that a running server gave
    pub(crate) element: String,

    #[command(flatten)]
    pub(crate) given: Given,
}

#[derive(Debug, Args)]
#[command(after_help = EXIT_CODES)]
pub(crate) struct Tools {
    /// Tool to show with all its parameters
    pub(crate) tool: Option<String>,

    /// Print the list as MCP has it, with all schemas
    #[arg(long)]
    pub(crate) json: bool,

    #[command(flatten)]
    pub(crate) common: Common,
}

/// What a call is given, and what becomes of its result.
#[derive(Debug, Args)]
pub(crate) struct Given {
    /// Parameter of the tool; lists and objects are written as JSON
    #[arg(value_name = "KEY=VALUE")]
    pub(crate) arguments: Vec<String>,

    /// File with a JSON object of parameters, `-` for standard input; KEY=VALUE goes before it
    #[arg(long, short, value_name = "FILE")]
    pub(crate) input: Option<PathBuf>,

    /// Print the whole result as one line of JSON, errors too
    #[arg(long, conflicts_with = "output")]
    pub(crate) json: bool,

    /// File to write the picture to that the tool replies with
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<PathBuf>,

    #[command(flatten)]
    pub(crate) common: Common,
}
