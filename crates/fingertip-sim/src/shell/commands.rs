//! The commands of the phone, one per file.
//!
//! Most are functions from arguments to [`Output`], listed in [`IMMEDIATE`]; those that read input, take time or
//! follow something are async and get the whole [`Call`]. Formats, texts and exit codes are Android's own,
//! as version 14 has them unless the phone's profile says another.

mod am;
mod app_process;
mod cat;
mod cmd;
mod content;
mod date;
mod df;
mod digest;
mod dumpsys;
mod echo;
#[cfg(feature = "test-support")]
mod fault;
mod file_tools;
mod getprop;
mod grep;
mod head;
mod id;
mod ime;
mod input;
mod lines;
mod logcat;
mod ls;
mod monkey;
mod pidof;
mod pm;
mod processes;
mod program;
mod ps;
mod reboot;
mod screencap;
mod settings;
mod sleep;
mod stat;
mod svc;
mod uiautomator;
mod uinput;
mod wc;
mod wm;

use std::pin::Pin;
use std::sync::Arc;

use super::Output;
use super::expand::Variables;
use super::interpreter::{BROKEN_PIPE, Shell};
use super::streams::{Closed, Sink, Source, Streams};
use crate::SimPhone;
use crate::files::MOUNTED;

/// Exit code of a command that does not exist.
const NOT_FOUND: u8 = 127;

/// A command about to run.
#[derive(Debug)]
pub(super) struct Call<'a> {
    pub(super) phone: &'a Arc<SimPhone>,
    /// The command's name and its arguments.
    pub(super) arguments: Vec<String>,
    pub(super) variables: &'a Variables,
    pub(super) stdin: &'a mut Source,
    pub(super) stdout: Sink,
    pub(super) stderr: Sink,
}

impl Call<'_> {
    /// The arguments after the command's name.
    fn words(&self) -> Vec<&str> {
        self.arguments.iter().skip(1).map(String::as_str).collect()
    }

    async fn print(&self, output: Output) -> Result<u8, Closed> {
        self.stdout.write(output.stdout).await?;
        self.stderr.write(output.stderr).await?;
        Ok(output.exit)
    }
}

/// A command that is done as soon as it starts.
type Immediate = fn(&Arc<SimPhone>, &[&str]) -> Output;

const IMMEDIATE: &[(&str, Immediate)] = &[
    ("am", am::run),
    ("chmod", file_tools::chmod),
    ("cmd", cmd::run),
    ("content", content::run),
    ("date", date::run),
    ("df", df::run),
    ("dumpsys", dumpsys::run),
    ("echo", echo::run),
    ("false", |_, _| Output::failure(1, "")),
    #[cfg(feature = "test-support")]
    ("fingertip-sim", fault::run),
    ("getprop", getprop::run),
    ("id", id::run),
    ("ime", ime::run),
    ("kill", processes::kill),
    ("ls", ls::run),
    ("mkdir", file_tools::mkdir),
    ("monkey", monkey::run),
    ("mv", file_tools::mv),
    ("pidof", pidof::run),
    ("pm", pm::run),
    ("printf", echo::printf),
    ("ps", ps::run),
    ("readlink", processes::readlink),
    ("reboot", reboot::run),
    ("rm", file_tools::rm),
    ("screencap", screencap::run),
    ("setprop", getprop::set),
    ("settings", settings::run),
    ("stat", stat::run),
    ("svc", svc::run),
    ("touch", file_tools::touch),
    ("true", |_, _| Output::default()),
    (":", |_, _| Output::default()),
    ("cd", |_, _| Output::default()),
    ("umask", |_, _| Output::default()),
    ("whoami", id::whoami),
    ("wm", wm::run),
];

/// Runs a command and returns its exit code. Its type is erased, because a shell may run a shell.
pub(super) fn run<'a>(call: &'a mut Call<'_>) -> Pin<Box<dyn Future<Output = u8> + Send + 'a>> {
    Box::pin(async move {
        // Programs that only run another program: what they change does not exist here.
        let mut wrappers = Vec::new();
        while matches!(name(call), "nohup" | "setsid" | "toybox" | "exec" | "command" | "env")
            && call.arguments.len() > 1
        {
            wrappers.push(call.arguments.remove(0));
        }
        // To a program that really runs, two of them matter.
        wrappers.retain(|wrapper| matches!(wrapper.as_str(), "nohup" | "setsid"));
        // The service behind `input` takes the same words.
        if call.arguments.starts_with(&["cmd".to_owned(), "input".to_owned()]) {
            call.arguments.remove(0);
        }
        let line = call.arguments.join(" ");
        if let Some(delay) = call.phone.faults().plan().delay_of(&line) {
            tokio::time::sleep(delay).await;
        }
        if touches_screen(&call.arguments) {
            tokio::select! {
                () = call.phone.faults().until(|plan| !plan.frozen_screen) => {}
                () = call.stdout.closed() => return BROKEN_PIPE,
            }
        }
        dispatch(call, &wrappers).await.unwrap_or(BROKEN_PIPE)
    })
}

async fn dispatch(call: &mut Call<'_>, wrappers: &[String]) -> Result<u8, Closed> {
    match name(call) {
        path if path.starts_with(MOUNTED) => program::run(call, wrappers).await,
        "app_process" => app_process::run(call).await,
        "cat" => cat::run(call).await,
        "grep" => grep::run(call).await,
        "head" => head::run(call).await,
        "tail" => head::tail(call).await,
        "wc" => wc::run(call).await,
        "md5sum" => digest::md5sum(call).await,
        "sha256sum" => digest::sha256sum(call).await,
        "sleep" => sleep::run(call).await,
        "input" => input::run(call).await,
        "logcat" => logcat::run(call).await,
        "uiautomator" => uiautomator::run(call).await,
        "uinput" => uinput::run(call).await,
        "sh" => nested_shell(call).await,
        name => match IMMEDIATE.iter().find(|(known, _)| *known == name) {
            Some((_, run)) => {
                let output = run(call.phone, &call.words());
                call.print(output).await
            }
            None => {
                let text = format!("/system/bin/sh: {}: inaccessible or not found\n", call.arguments[0]);
                call.print(Output::failure(NOT_FOUND, text)).await
            }
        },
    }
}

fn name<'a>(call: &'a Call<'_>) -> &'a str {
    let name = &call.arguments[0];
    name.strip_prefix("/system/bin/").unwrap_or(name)
}

/// Whether a command needs the parts of the system that draw and take touches.
fn touches_screen(arguments: &[String]) -> bool {
    let words: Vec<&str> = arguments.iter().take(3).map(String::as_str).collect();
    matches!(
        words.as_slice(),
        ["input" | "uinput" | "uiautomator" | "screencap" | "monkey", ..]
            | ["cmd", "statusbar", ..]
            | ["am", "start" | "start-activity", ..]
    )
}

/// `sh -c LINE`, or lines from standard input.
async fn nested_shell(call: &mut Call<'_>) -> Result<u8, Closed> {
    let line = match call.words().as_slice() {
        ["-c", line, ..] => (*line).to_owned(),
        _ => String::from_utf8_lossy(&call.stdin.read_to_end().await).into_owned(),
    };
    let mut shell = Shell::with_variables(Arc::clone(call.phone), call.variables.clone());
    let stdin = std::mem::replace(call.stdin, Source::empty());
    let streams = Streams { stdin, stdout: call.stdout.clone(), stderr: call.stderr.clone() };
    Ok(shell.run_line(&line, streams).await)
}
