//! Lines from a stream, none of them longer than a limit.
//!
//! A line over the limit is reported once, and the rest of it is skipped without being kept. Reading can be given up at
//! any await and taken up again without losing a byte: the SDK polls it next to other work and drops it at will.

use std::io;

use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};

/// What came next.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Line {
    /// A line without its end.
    Whole(Vec<u8>),
    /// A line over the limit; its content is gone.
    TooLong,
}

/// Reads lines of bounded length.
#[derive(Debug)]
pub(crate) struct LineReader<R> {
    source: BufReader<R>,
    limit: usize,
    partial: Vec<u8>,
    skipping: bool,
}

impl<R: AsyncRead + Unpin> LineReader<R> {
    pub(crate) fn new(source: R, limit: usize) -> Self {
        Self { source: BufReader::new(source), limit, partial: Vec::new(), skipping: false }
    }

    /// The next line, or `None` at the end. A last line without a line end counts.
    pub(crate) async fn next(&mut self) -> io::Result<Option<Line>> {
        loop {
            let available = self.source.fill_buf().await?;
            if available.is_empty() {
                let rest = std::mem::take(&mut self.partial);
                return Ok((!rest.is_empty()).then_some(Line::Whole(rest)));
            }
            let end = available.iter().position(|byte| *byte == b'\n');
            let piece = &available[..end.unwrap_or(available.len())];
            // A carriage return before the line end is not counted by being one byte generous.
            let too_long = !self.skipping && self.partial.len() + piece.len() > self.limit + 1;
            if !self.skipping && !too_long {
                self.partial.extend_from_slice(piece);
            }
            let consumed = piece.len() + usize::from(end.is_some());
            self.source.consume(consumed);
            if too_long {
                self.partial = Vec::new();
                self.skipping = end.is_none();
                return Ok(Some(Line::TooLong));
            }
            if end.is_none() {
                continue;
            }
            if std::mem::take(&mut self.skipping) {
                continue;
            }
            let mut line = std::mem::take(&mut self.partial);
            if line.last() == Some(&b'\r') {
                line.pop();
            }
            return Ok(Some(if line.len() > self.limit { Line::TooLong } else { Line::Whole(line) }));
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::io::AsyncWriteExt;

    use super::*;

    async fn lines(input: &[u8], limit: usize) -> Vec<Line> {
        let mut reader = LineReader::new(input, limit);
        let mut lines = Vec::new();
        while let Some(line) = reader.next().await.unwrap() {
            lines.push(line);
        }
        lines
    }

    fn whole(text: &str) -> Line {
        Line::Whole(text.as_bytes().to_vec())
    }

    #[tokio::test]
    async fn lines_end_with_either_line_end_or_the_input() {
        assert_eq!(lines(b"a\nb\r\n\nlast", 8).await, [whole("a"), whole("b"), whole(""), whole("last")]);
        assert_eq!(lines(b"", 8).await, []);
    }

    #[tokio::test]
    async fn a_line_over_the_limit_is_reported_once_and_skipped() {
        assert_eq!(lines(b"12345\n1234\r\nx\n", 4).await, [Line::TooLong, whole("1234"), whole("x")]);
        let long = [&[b'x'; 100_000][..], b"\nafter\n"].concat();
        assert_eq!(lines(&long, 16).await, [Line::TooLong, whole("after")]);
        assert_eq!(lines(&[b'x'; 100_000], 16).await, [Line::TooLong]);
    }

    #[tokio::test]
    async fn a_read_given_up_half_way_loses_nothing() {
        let (mut sender, receiver) = tokio::io::duplex(64);
        let mut reader = LineReader::new(receiver, 64);
        sender.write_all(b"hal").await.unwrap();
        let given_up = tokio::time::timeout(std::time::Duration::from_millis(10), reader.next()).await;
        assert!(given_up.is_err());
        sender.write_all(b"f\n").await.unwrap();
        assert_eq!(reader.next().await.unwrap(), Some(whole("half")));
    }
}
