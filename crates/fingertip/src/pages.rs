//! What shells and `man` know of the command line, made from its own definition.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;
use clap_mangen::Man;
use fingertip_mcp::catalog::Catalog;

use crate::cli::Cli;

/// Prints the completions for a shell.
pub(crate) fn completions(shell: Shell) -> io::Result<()> {
    let mut command = Cli::command();
    // For shells alone: of a name that is wrong the commands themselves say what comes nearest.
    for takes_tool in ["call", "tools"] {
        command = command.mut_subcommand(takes_tool, |command| {
            // All of them, as a single one would lose its place among those without a name.
            command.mut_args(|arg| match arg.get_id().as_str() {
                "tool" => arg.value_parser(PossibleValuesParser::new(Catalog::default().names())),
                _ => arg,
            })
        });
    }
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "fingertip", &mut script);
    io::stdout().lock().write_all(&script)
}

/// Prints the manual page, or writes those of all commands into a folder.
pub(crate) fn man(folder: Option<&Path>) -> anyhow::Result<()> {
    let Some(folder) = folder else {
        let mut page = Vec::new();
        Man::new(Cli::command()).render(&mut page)?;
        return Ok(io::stdout().lock().write_all(&page)?);
    };
    let unwritable = || format!("cannot write to {}", folder.display());
    std::fs::create_dir_all(folder).with_context(unwritable)?;
    clap_mangen::generate_to(Cli::command(), folder).with_context(unwritable)
}
