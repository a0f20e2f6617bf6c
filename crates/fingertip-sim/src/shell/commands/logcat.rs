//! `logcat`: prints the log, or follows it until its reader is gone.
//!
//! Quirk kept: `-t N` counts the newest lines of the chosen buffers and process before the tag filters, so that
//! fewer lines than asked for may come out.

mod format;
mod options;

use super::{Call, Closed, Output};
use crate::phone::{LogBuffer, LogLine, Phone};
use format::Format;
use options::{Options, Tail};

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let offset = call.phone.profile().utc_offset_minutes;
    let options = match options::parse(&call.words(), offset, call.phone.with(|phone| phone.epoch_ms())) {
        Ok(options) => options,
        Err(message) => return call.print(Output::failure(1, message)).await,
    };
    if options.clear {
        call.phone.with(Phone::clear_logs);
        return Ok(0);
    }
    if options.show_size {
        let line = |buffer: &LogBuffer| {
            format!(
                "{}: ring buffer is 256 KiB (41 KiB consumed, 38 KiB readable), max entry is 5120 B, \
                    max payload is 4068 B\n",
                buffer.name()
            )
        };
        return call.print(Output::success(options.buffers.iter().map(line).collect::<String>())).await;
    }
    let mut printer = Printer { options: &options, seen: Vec::new(), printed: 0, next: 0 };
    let mut changes = call.phone.changes();
    let old = call.phone.with(|phone| printer.old(phone.logs().iter(), offset));
    call.stdout.write(old).await?;
    while options.follow && !printer.is_full() {
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { break },
            () = call.stdout.closed() => return Err(Closed),
        }
        let new = call.phone.with(|phone| printer.new_lines(phone.logs().iter(), offset));
        call.stdout.write(new).await?;
    }
    Ok(0)
}

/// Remembers what was printed.
struct Printer<'a> {
    options: &'a Options,
    /// Buffers that have had their divider.
    seen: Vec<LogBuffer>,
    printed: usize,
    /// The first line not looked at yet.
    next: u64,
}

impl Printer<'_> {
    fn is_full(&self) -> bool {
        self.options.max_count.is_some_and(|max| self.printed >= max)
    }

    /// What is in the log already, from where the options say.
    fn old<'l>(&mut self, lines: impl Iterator<Item = &'l LogLine>, offset: i32) -> String {
        let mut chosen: Vec<&LogLine> = lines.filter(|line| self.options.takes_source(line)).collect();
        match self.options.tail {
            Some(Tail::Lines(count)) => {
                chosen.drain(..chosen.len().saturating_sub(count));
            }
            Some(Tail::Since(epoch_ms)) => chosen.retain(|line| line.epoch_ms >= epoch_ms),
            None => {}
        }
        self.print(chosen.into_iter(), offset)
    }

    fn new_lines<'l>(&mut self, lines: impl Iterator<Item = &'l LogLine>, offset: i32) -> String {
        let next = self.next;
        let options = self.options;
        self.print(lines.filter(|line| line.sequence >= next && options.takes_source(line)), offset)
    }

    fn print<'l>(&mut self, lines: impl Iterator<Item = &'l LogLine>, offset: i32) -> String {
        let mut text = String::new();
        for line in lines {
            self.next = line.sequence + 1;
            if !self.options.takes_content(line) || self.is_full() {
                continue;
            }
            if !self.seen.contains(&line.buffer) {
                self.seen.push(line.buffer);
                text.push_str(&format!("--------- beginning of {}\n", line.buffer.name()));
            }
            self.printed += 1;
            Format::push(&self.options.format, &mut text, line, offset);
        }
        text
    }
}

#[cfg(test)]
mod tests;
