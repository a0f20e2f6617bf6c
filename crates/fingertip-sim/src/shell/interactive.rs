//! A shell for a person at a terminal: prompt, echo and the few keys everybody uses.

use std::sync::Arc;

use tokio::sync::mpsc;

use super::MAX_LINE;
use super::interpreter::Shell;
use super::streams::{Chunk, Source, Streams};
use crate::SimPhone;

const CONTROL_C: u8 = 0x03;
const CONTROL_D: u8 = 0x04;
const BACKSPACE: u8 = 0x08;
const DELETE: u8 = 0x7f;

/// Reads lines from the terminal and runs them until `exit` or the end of input; returns the last exit code.
pub async fn interact(
    phone: Arc<SimPhone>,
    mut stdin: mpsc::Receiver<bytes::Bytes>,
    output: mpsc::Sender<Chunk>,
) -> u8 {
    let prompt = format!("{}:/ $ ", phone.profile().device);
    let mut shell = Shell::new(phone);
    let terminal = Streams::new(Source::empty(), &output).stdout;
    let mut line = Vec::new();
    let mut exit = 0;
    if terminal.write(prompt.clone()).await.is_err() {
        return exit;
    }
    while let Some(keys) = stdin.recv().await {
        for key in keys {
            let echo: Vec<u8> = match key {
                CONTROL_D if line.is_empty() => return exit,
                CONTROL_C => {
                    line.clear();
                    format!("^C\n{prompt}").into()
                }
                BACKSPACE | DELETE if line.is_empty() => continue,
                BACKSPACE | DELETE => {
                    line.pop();
                    b"\x08 \x08".to_vec()
                }
                b'\r' | b'\n' => {
                    let _ = terminal.write("\n").await;
                    let text = String::from_utf8_lossy(&std::mem::take(&mut line)).into_owned();
                    exit = shell.run_line(&text, Streams::new(Source::empty(), &output)).await;
                    if shell.has_exited() {
                        return exit;
                    }
                    prompt.clone().into()
                }
                _ if line.len() >= MAX_LINE => continue,
                _ => {
                    line.push(key);
                    vec![key]
                }
            };
            if terminal.write(echo).await.is_err() {
                return exit;
            }
        }
    }
    exit
}
