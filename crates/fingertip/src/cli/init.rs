//! The command line of `fingertip init`.

use clap::Args;

use crate::init::clients::Client;

#[derive(Debug, Args)]
#[command(
    after_help = "What would change is shown first, and a file is written only after a yes. `--undo` restores every file to \
        the byte; where something else in it was changed since, it takes out the entry of fingertip and leaves the rest."
)]
pub(crate) struct Init {
    /// Clients to set up [default: those that are installed]
    #[arg(value_name = "CLIENT")]
    pub(crate) clients: Vec<Client>,

    /// Grant this program pointer, keys and pictures of a KDE Plasma session on Wayland, instead of setting up clients
    #[arg(long, conflicts_with_all = ["clients", "arguments"])]
    pub(crate) kde: bool,

    /// Write without asking
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Print what to put into which file, and touch nothing
    #[arg(long, conflicts_with_all = ["yes", "undo"])]
    pub(crate) print: bool,

    /// Take back what was written
    #[arg(long)]
    pub(crate) undo: bool,

    /// Arguments for the server that clients start, as those of `fingertip stdio`: `fingertip init -- --target desktop`
    #[arg(last = true, value_name = "ARGUMENT")]
    pub(crate) arguments: Vec<String>,
}
