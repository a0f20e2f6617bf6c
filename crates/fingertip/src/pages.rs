//! What shells and `man` know of the command line, made from its own definition.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;
use clap::CommandFactory;
use clap_complete::Shell;
use clap_mangen::Man;

use crate::cli::Cli;

/// Prints the completions for a shell.
pub(crate) fn completions(shell: Shell) -> io::Result<()> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "fingertip", &mut script);
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
