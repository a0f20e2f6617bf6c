//! Runs parsed lines: lists, pipelines, redirects and background jobs.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::OUTPUT_BACKLOG;
use super::commands::{self, Call};
use super::expand::{self, Variables};
use super::lexer::{BOTH, Word};
use super::parser::{self, Command, Job, Joint, Pipeline, Redirect};
use super::streams::{Channel, Sink, Source, Streams};
use crate::SimPhone;
use crate::files::FileError;

/// Exit code of a command that broke, as of one killed by SIGABRT.
pub(super) const CRASHED: u8 = 134;

/// Exit code of a command whose reader went away, as of one killed by SIGPIPE.
pub(super) const BROKEN_PIPE: u8 = 141;

/// Exit code of a line the shell does not understand, or a redirect that fails.
const REFUSED: u8 = 1;

/// One shell, with its variables.
#[derive(Debug, Clone)]
pub(super) struct Shell {
    phone: Arc<SimPhone>,
    variables: Variables,
    /// Set by `exit`, with the code.
    exited: Option<u8>,
    /// Whether a redirected command lets go of the streams it was started with. So does the only command of a
    /// background job, and `nohup x >/dev/null 2>&1 &` keeps no client waiting.
    lets_go: bool,
}

impl Shell {
    pub(super) fn new(phone: Arc<SimPhone>) -> Self {
        let set = [
            ("HOME", "/"),
            ("PATH", "/product/bin:/system/bin"),
            ("USER", "shell"),
            ("?", "0"),
            ("$", "4242"),
            ("0", "/system/bin/sh"),
        ];
        let set = set.map(|(name, value)| (name.to_owned(), value.to_owned()));
        Self::with_variables(phone, Variables::from(set))
    }

    /// A shell started by another, which hands on its variables.
    pub(super) const fn with_variables(phone: Arc<SimPhone>, variables: Variables) -> Self {
        Self { phone, variables, exited: None, lets_go: false }
    }

    /// Whether `exit` was called.
    pub(super) const fn has_exited(&self) -> bool {
        self.exited.is_some()
    }

    /// Runs a line and returns its exit code.
    pub(super) async fn run_line(&mut self, line: &str, mut streams: Streams) -> u8 {
        let jobs = match parser::parse(line) {
            Ok(jobs) => jobs,
            Err(error) => {
                let _ = streams.stderr.write(format!("/system/bin/sh: {error}\n")).await;
                return REFUSED;
            }
        };
        let mut exit = self.last_exit();
        for job in jobs {
            if job.background {
                let mut shell = self.clone();
                shell.lets_go =
                    matches!(job.pipelines.as_slice(), [(_, pipeline)] if pipeline.commands.len() == 1);
                let mut detached = Streams {
                    stdin: Source::empty(),
                    stdout: streams.stdout.clone(),
                    stderr: streams.stderr.clone(),
                };
                tokio::spawn(async move { shell.run_job(&job, &mut detached).await });
                exit = 0;
            } else {
                exit = self.run_job(&job, &mut streams).await;
            }
            self.variables.insert("?".to_owned(), exit.to_string());
            if self.has_exited() {
                break;
            }
        }
        self.exited.unwrap_or(exit)
    }

    fn last_exit(&self) -> u8 {
        self.variables.get("?").and_then(|code| code.parse().ok()).unwrap_or_default()
    }

    async fn run_job(&mut self, job: &Job, streams: &mut Streams) -> u8 {
        let mut exit = 0;
        for (joint, pipeline) in &job.pipelines {
            let runs = match joint {
                Joint::Always => true,
                Joint::And => exit == 0,
                Joint::Or => exit != 0,
            };
            if runs {
                exit = self.run_pipeline(pipeline, streams).await;
                self.variables.insert("?".to_owned(), exit.to_string());
            }
            if self.has_exited() {
                break;
            }
        }
        exit
    }

    async fn run_pipeline(&mut self, pipeline: &Pipeline, streams: &mut Streams) -> u8 {
        let Some((last, others)) = pipeline.commands.split_last() else { return 0 };
        let exit = if others.is_empty() {
            self.run_command(last, streams).await
        } else {
            self.run_piped(others, last, streams).await
        };
        if pipeline.negated { u8::from(exit == 0) } else { exit }
    }

    /// All commands run at once; those before the last run in shells of their own, as in any shell.
    async fn run_piped(&mut self, others: &[Command], last: &Command, streams: &mut Streams) -> u8 {
        let mut stdin = std::mem::replace(&mut streams.stdin, Source::empty());
        for command in others {
            let (sender, receiver) = mpsc::channel(OUTPUT_BACKLOG);
            let mut piped = Streams {
                stdin,
                stdout: Sink::Reader(sender, Channel::Stdout),
                stderr: streams.stderr.clone(),
            };
            let mut shell = self.clone();
            let command = command.clone();
            tokio::spawn(async move { shell.run_command(&command, &mut piped).await });
            stdin = Source::Pipe(receiver);
        }
        let mut piped = Streams { stdin, stdout: streams.stdout.clone(), stderr: streams.stderr.clone() };
        self.clone().run_command(last, &mut piped).await
    }

    async fn run_command(&mut self, command: &Command, streams: &mut Streams) -> u8 {
        let assignments: Vec<(String, String)> = command
            .assignments
            .iter()
            .map(|(name, value)| (name.clone(), expand::text(value, &self.variables)))
            .collect();
        let arguments = self.arguments(&command.words);
        let mut redirected =
            Redirected { stdin: None, stdout: streams.stdout.clone(), stderr: streams.stderr.clone() };
        for redirect in &command.redirects {
            if let Err((target, error)) = self.redirect(redirect, &mut redirected) {
                let _ =
                    streams.stderr.write(format!("/system/bin/sh: can't create {target}: {error}\n")).await;
                return REFUSED;
            }
        }
        if self.lets_go {
            streams.stdout = Sink::Null;
            streams.stderr = Sink::Null;
        }
        let mut variables = self.variables.clone();
        variables.extend(assignments);
        if arguments.is_empty() {
            self.variables = variables;
            return 0;
        }
        if arguments[0] == "exit" {
            let code =
                arguments.get(1).and_then(|code| code.parse().ok()).unwrap_or_else(|| self.last_exit());
            self.exited = Some(code);
            return code;
        }
        if arguments[0] == "export" {
            for (name, value) in arguments[1..].iter().filter_map(|argument| argument.split_once('=')) {
                self.variables.insert(name.to_owned(), value.to_owned());
            }
            return 0;
        }
        let stdin = redirected.stdin.as_mut().unwrap_or(&mut streams.stdin);
        let (stdout, stderr) = (redirected.stdout, redirected.stderr);
        let mut call = Call { phone: &self.phone, arguments, variables: &variables, stdin, stdout, stderr };
        commands::run(&mut call).await
    }

    fn arguments(&self, words: &[Word]) -> Vec<String> {
        let files = self.phone.files();
        words.iter().flat_map(|word| expand::arguments(word, &self.variables, &files)).collect()
    }

    fn redirect(&self, redirect: &Redirect, streams: &mut Redirected) -> Result<(), (String, FileError)> {
        let target = expand::text(&redirect.target, &self.variables);
        let sink = match redirect.operator {
            "<" => {
                let data = match target.as_str() {
                    "/dev/null" => Ok(bytes::Bytes::new()),
                    path => self.phone.files().read(path),
                };
                streams.stdin = Some(Source::data(data.map_err(|error| (target, error))?));
                return Ok(());
            }
            "<&" => return Ok(()),
            ">&" => match target.as_str() {
                "1" => streams.stdout.clone(),
                "2" => streams.stderr.clone(),
                "-" => Sink::Null,
                _ => return Err((target, FileError::Missing)),
            },
            _ if target == "/dev/null" => Sink::Null,
            _ if target == "/dev/tty" => streams.stdout.clone(),
            operator => {
                let now = self.phone.epoch_seconds();
                let mut files = self.phone.files();
                if operator == ">" || files.get(&target).is_err() {
                    files
                        .write(&target, bytes::Bytes::new(), 0o660, now)
                        .map_err(|error| (target.clone(), error))?;
                }
                Sink::File(Arc::clone(&self.phone), target)
            }
        };
        match redirect.descriptor {
            2 => streams.stderr = sink,
            BOTH => {
                streams.stdout = sink.clone();
                streams.stderr = sink;
            }
            _ => streams.stdout = sink,
        }
        Ok(())
    }
}

/// The streams of one command after its redirects.
#[derive(Debug)]
struct Redirected {
    stdin: Option<Source>,
    stdout: Sink,
    stderr: Sink,
}
