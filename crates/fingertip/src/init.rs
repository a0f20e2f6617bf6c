//! `fingertip init`: makes this program known to the clients of this user.
//!
//! Every change is shown before it is made, made to the whole file at once, and can be undone to the byte. Nothing is
//! started, and nothing is written where nothing changes.

pub(crate) mod clients;
mod diff;
mod edit;
mod file;
mod kde;
mod record;

use std::io::{BufRead, IsTerminal, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use clap::{Parser, ValueEnum};

use clients::{Client, Places};
use file::ConfigFile;
use record::Record;

use crate::call::answer::WrongUse;
use crate::cli::Cli;
use crate::cli::init::Init;
use crate::home::Home;
use crate::logs;

/// The command by which clients start a server.
struct Start {
    program: String,
    arguments: Vec<String>,
}

impl Start {
    fn new(more: &[String]) -> anyhow::Result<Self> {
        let arguments: Vec<String> =
            std::iter::once("stdio".to_owned()).chain(more.iter().cloned()).collect();
        let whole = std::iter::once("fingertip").chain(arguments.iter().map(String::as_str));
        // A client would only show that its server ended.
        if let Err(error) = Cli::try_parse_from(whole) {
            let why = error.to_string();
            let why = why.lines().next().unwrap_or_default().trim_start_matches("error: ");
            return Err(WrongUse(format!("`fingertip stdio` would not start: {why}")).into());
        }
        Ok(Self { program: program()?, arguments })
    }
}

/// The path of this program by which it will be found tomorrow: the one on the search path, where that is this one, since a
/// package manager may keep the file itself in a folder of its version.
fn program() -> anyhow::Result<String> {
    let this = std::env::current_exe().context("the path of this program is not known")?;
    let name = this.file_name().map(PathBuf::from).unwrap_or_default();
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let found = std::env::split_paths(&folders)
        .filter(|folder| folder.is_absolute())
        .map(|folder| folder.join(&name))
        .find(|path| std::fs::canonicalize(path).is_ok_and(|path| path == this));
    let path = found.unwrap_or(this);
    path.to_str().map(str::to_owned).with_context(|| format!("{} is no text", path.display()))
}

/// Runs the command.
pub(crate) fn run(command: &Init) -> anyhow::Result<()> {
    let (places, home) = (Places::find()?, Home::find()?);
    if command.kde {
        return kde::run(command, &places, &home);
    }
    if command.undo {
        return undo(command, &places, &home);
    }
    let start = Start::new(&command.arguments)?;
    if command.print {
        return chosen(command).into_iter().try_for_each(|client| print(client, &places, &start));
    }
    let mut chosen = chosen(command);
    chosen.retain(|client| !command.clients.is_empty() || client.is_installed(&places));
    if chosen.is_empty() {
        let all: Vec<_> = Client::value_variants().iter().map(|client| client.name()).collect();
        bail!("no client was found; name one ({}), or see `fingertip init --print`", all.join(", "));
    }
    for_each(&chosen, |client| set_up(client, command, &places, &home, &start))
}

/// The clients that were named, or all.
fn chosen(command: &Init) -> Vec<Client> {
    if command.clients.is_empty() { Client::value_variants().to_vec() } else { command.clients.clone() }
}

/// Does it for each, also after one that failed.
fn for_each(clients: &[Client], mut each: impl FnMut(Client) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut failed = 0;
    for &client in clients {
        if let Err(error) = each(client) {
            if error.is::<WrongUse>() {
                return Err(error);
            }
            logs::say(&format!("{}: {error:#}", client.label()));
            failed += 1;
        }
    }
    if failed > 0 {
        bail!("{failed} of {} clients failed", clients.len());
    }
    Ok(())
}

/// Prints the file of a client as it would be with nothing else in it.
fn print(client: Client, places: &Places, start: &Start) -> anyhow::Result<()> {
    let entry = client.entry(&start.program, &start.arguments);
    let text = edit::set("", client.format(), client.key(), &entry)?;
    let path = client.file(places);
    Ok(logs::print(&format!("# {}: {}\n{text}", client.label(), path.display()))?)
}

fn set_up(client: Client, command: &Init, places: &Places, home: &Home, start: &Start) -> anyhow::Result<()> {
    let file = ConfigFile::at(&client.file(places), places.roots())?;
    let before = file.read()?;
    let text = before.as_deref().unwrap_or_default();
    let entry = client.entry(&start.program, &start.arguments);
    let cannot = || format!("{} is left alone", file.path().display());
    let after = edit::set(text, client.format(), client.key(), &entry).with_context(cannot)?;
    if after == text {
        return Ok(logs::print(&format!("{}: set up already in {}", client.label(), file.path().display()))?);
    }
    show(client.label(), file.path(), text, &after)?;
    if !agreed(command)? {
        return Ok(logs::print("left as it is")?);
    }
    let record = Record {
        path: file.path().to_owned(),
        before: first(client, home, &file, before.as_deref())?,
        after,
    };
    // Kept first: what was written can always be taken back.
    record.save(home, &client.name())?;
    file.replace(before.as_deref(), &record.after)?;
    Ok(logs::print(&format!("written; `fingertip init --undo {}` takes it back", client.name()))?)
}

/// What was in the file before anything of ours was: known from an earlier time, where that can still be restored.
fn first(
    client: Client,
    home: &Home,
    file: &ConfigFile,
    now: Option<&str>,
) -> anyhow::Result<Option<String>> {
    match Record::load(home, &client.name())? {
        Some(earlier) if earlier.path == file.path() && now == Some(&earlier.after) => Ok(earlier.before),
        Some(earlier) if earlier.path == file.path() => {
            let text = now.unwrap_or_default();
            let without = edit::remove(text, client.format(), client.key(), earlier.before.as_deref())?;
            Ok(without.or_else(|| now.map(str::to_owned)))
        }
        _ => Ok(now.map(str::to_owned)),
    }
}

fn undo(command: &Init, places: &Places, home: &Home) -> anyhow::Result<()> {
    let mut known = Vec::new();
    for client in chosen(command) {
        match Record::load(home, &client.name())? {
            Some(record) => known.push((client, record)),
            None if command.clients.is_empty() => {}
            None => bail!("{} was not set up by `fingertip init`; there is nothing to undo", client.label()),
        }
    }
    if known.is_empty() {
        return Ok(logs::print("there is nothing to undo")?);
    }
    let clients: Vec<Client> = known.iter().map(|(client, _)| *client).collect();
    for_each(&clients, |client| {
        let (_, record) = known.iter().find(|(known, _)| *known == client).context("it was loaded")?;
        take_back(client, record, command, places, home)
    })
}

fn take_back(
    client: Client,
    record: &Record,
    command: &Init,
    places: &Places,
    home: &Home,
) -> anyhow::Result<()> {
    let file = ConfigFile::at(&record.path, places.roots())?;
    let now = file.read()?;
    let text = now.as_deref().unwrap_or_default();
    let after = if now.as_deref() == Some(&record.after) {
        record.before.clone()
    } else {
        edit::remove(text, client.format(), client.key(), record.before.as_deref())?.or_else(|| now.clone())
    };
    if after != now {
        show(client.label(), file.path(), text, after.as_deref().unwrap_or_default())?;
        if !agreed(command)? {
            return Ok(logs::print("left as it is")?);
        }
        match &after {
            Some(after) => file.replace(now.as_deref(), after)?,
            None => file.remove(text)?,
        }
    }
    Record::forget(home, &client.name())?;
    Ok(logs::print(&format!("{}: undone", client.label()))?)
}

fn show(label: &str, path: &Path, before: &str, after: &str) -> anyhow::Result<()> {
    Ok(logs::print(&format!("{label}: {}\n{}", path.display(), diff::lines(before, after)))?)
}

/// Whether the person at the terminal agrees to what was shown.
fn agreed(command: &Init) -> anyhow::Result<bool> {
    if command.yes {
        return Ok(true);
    }
    if !std::io::stdin().is_terminal() {
        return Err(WrongUse(
            "there is nobody to ask; agree with --yes, or see `fingertip init --print`".to_owned(),
        )
        .into());
    }
    let mut out = std::io::stderr().lock();
    let _ = out.write_all(b"Write it? [y/N] ").and_then(|()| out.flush());
    let mut answer = String::new();
    std::io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
