//! `head` and `tail`: the first or the last lines.

use std::collections::VecDeque;

use super::lines::{self, Lines};
use super::{Call, Closed, Output};

/// Lines shown when no number is given.
const DEFAULT: usize = 10;

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let (count, path) = parse(&call.words());
    let mut source = match lines::open(call, path.as_deref(), "head") {
        Ok(source) => source,
        Err(message) => return call.print(Output::failure(1, message)).await,
    };
    let mut reader = Lines::default();
    for _ in 0..count {
        let Some(line) = reader.next(&mut source).await else { break };
        call.stdout.write(format!("{line}\n")).await?;
    }
    Ok(0)
}

pub(super) async fn tail(call: &mut Call<'_>) -> Result<u8, Closed> {
    let (count, path) = parse(&call.words());
    let mut source = match lines::open(call, path.as_deref(), "tail") {
        Ok(source) => source,
        Err(message) => return call.print(Output::failure(1, message)).await,
    };
    let mut reader = Lines::default();
    let mut kept = VecDeque::new();
    while let Some(line) = reader.next(&mut source).await {
        kept.push_back(line);
        if kept.len() > count {
            kept.pop_front();
        }
    }
    for line in kept {
        call.stdout.write(format!("{line}\n")).await?;
    }
    Ok(0)
}

/// The number of lines (`-n 5`, `-n5`, `-5`) and the file.
fn parse(words: &[&str]) -> (usize, Option<String>) {
    let mut count = DEFAULT;
    let mut path = None;
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.strip_prefix("-n").or_else(|| word.strip_prefix('-')) {
            Some("") => count = words.next().and_then(|number| number.parse().ok()).unwrap_or(count),
            Some(number) => count = number.parse().unwrap_or(count),
            None => path = Some((*word).to_owned()),
        }
    }
    (count, path)
}
