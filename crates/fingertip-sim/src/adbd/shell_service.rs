//! `shell:`, `shell,v2:` and `exec:`: a command line on a stream.
//!
//! The second version wraps everything in small packets (channel, length, bytes), which is what keeps exit
//! codes and standard error apart. Without it both outputs are mixed and the exit code is lost, as on a phone.

use std::sync::Arc;

use bytes::{BufMut, Bytes, BytesMut};
use tokio::io::{AsyncReadExt, AsyncWriteExt, ReadHalf, WriteHalf};
use tokio::sync::mpsc;

use super::service::ServiceStream;
use crate::SimPhone;
use crate::shell::{self, Channel, Chunk, OUTPUT_BACKLOG, Source, Streams};

/// The longest packet taken from a client; adb itself sends a few kilobytes.
const MAX_PACKET: usize = 128 * 1024;

/// The longest packet sent; what a read of a program's pipe gives on a phone.
const OUTPUT_PACKET: usize = 64 * 1024;

/// Chunks of input that may wait for a command that does not read.
const INPUT_BACKLOG: usize = 4;

const STDIN: u8 = 0;
const STDOUT: u8 = 1;
const STDERR: u8 = 2;
const EXIT: u8 = 3;
const CLOSE_STDIN: u8 = 4;

/// A command line and how its bytes are carried.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Request {
    line: String,
    /// Whether everything is wrapped in packets.
    packets: bool,
    /// Whether a terminal is asked for.
    terminal: bool,
}

impl Request {
    /// Reads the part before the colon, such as `shell,v2,TERM=xterm,raw`.
    pub(super) fn parse(kind: &str, line: &str) -> Option<Self> {
        let line = line.to_owned();
        if kind == "exec" {
            return Some(Self { line, packets: false, terminal: false });
        }
        let mut words = kind.split(',');
        if words.next() != Some("shell") {
            return None;
        }
        let terminal = line.is_empty();
        let mut request = Self { line, packets: false, terminal };
        for word in words {
            match word {
                "v2" => request.packets = true,
                "raw" => request.terminal = false,
                "pty" => request.terminal = true,
                _ => {}
            }
        }
        Some(request)
    }
}

/// Runs the line until it ends or the client goes away.
pub(super) async fn serve(
    request: Request,
    phone: Arc<SimPhone>,
    stream: impl ServiceStream,
) -> std::io::Result<()> {
    let (reader, mut writer) = tokio::io::split(stream);
    let (output, chunks) = mpsc::channel(OUTPUT_BACKLOG);
    let (input, stdin) = mpsc::channel(INPUT_BACKLOG);
    let line = request.line.clone();
    let running = if line.is_empty() {
        tokio::spawn(shell::interact(phone, stdin, output))
    } else {
        let streams = Streams::new(Source::Channel(stdin), &output);
        drop(output);
        tokio::spawn(shell::execute(phone, line, streams))
    };
    let packets = request.packets;
    tokio::select! {
        written = write_output(chunks, &mut writer, &request) => written?,
        // The client is gone: its command loses its reader and its input, and ends when it notices.
        () = read_input(reader, input, packets) => return Ok(()),
    }
    if packets {
        let exit = running.await.unwrap_or(u8::MAX);
        writer.write_all(&packet(EXIT, &[exit])).await?;
    }
    writer.shutdown().await
}

async fn write_output<S: ServiceStream>(
    mut chunks: mpsc::Receiver<Chunk>,
    writer: &mut WriteHalf<S>,
    request: &Request,
) -> std::io::Result<()> {
    while let Some(chunk) = chunks.recv().await {
        let data = if request.terminal { as_terminal(&chunk.data) } else { chunk.data };
        if request.packets {
            // A terminal has one output only.
            let is_error = chunk.channel == Channel::Stderr && !request.terminal;
            let channel = if is_error { STDERR } else { STDOUT };
            for part in data.chunks(OUTPUT_PACKET) {
                writer.write_all(&packet(channel, part)).await?;
            }
        } else {
            writer.write_all(&data).await?;
        }
    }
    Ok(())
}

/// A terminal ends each line with a carriage return too.
fn as_terminal(data: &[u8]) -> Bytes {
    let mut lines = Vec::with_capacity(data.len());
    for byte in data {
        if *byte == b'\n' {
            lines.push(b'\r');
        }
        lines.push(*byte);
    }
    lines.into()
}

/// Feeds the command until the client closes the stream.
async fn read_input<S: ServiceStream>(mut reader: ReadHalf<S>, input: mpsc::Sender<Bytes>, packets: bool) {
    let mut input = Some(input);
    let mut buffer = BytesMut::new();
    loop {
        match reader.read_buf(&mut buffer).await {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        if !packets {
            feed(input.as_ref(), buffer.split().freeze()).await;
            continue;
        }
        while let Some((channel, data)) = take_packet(&mut buffer) {
            match channel {
                STDIN => feed(input.as_ref(), data).await,
                CLOSE_STDIN => input = None,
                // Window sizes and unknown packets.
                _ => {}
            }
        }
        if buffer.len() > MAX_PACKET {
            return;
        }
    }
}

/// A command that is done, or does not read any more, loses its input.
async fn feed(input: Option<&mpsc::Sender<Bytes>>, data: Bytes) {
    if let Some(input) = input {
        let _ = input.send(data).await;
    }
}

fn take_packet(buffer: &mut BytesMut) -> Option<(u8, Bytes)> {
    let header: [u8; 5] = buffer.get(..5)?.try_into().ok()?;
    let [channel, length @ ..] = header;
    let length = u32::from_le_bytes(length) as usize;
    if buffer.len() - 5 < length {
        return None;
    }
    let mut whole = buffer.split_to(5 + length);
    Some((channel, whole.split_off(5).freeze()))
}

fn packet(channel: u8, data: &[u8]) -> Bytes {
    let mut wire = BytesMut::with_capacity(5 + data.len());
    wire.put_u8(channel);
    wire.put_u32_le(u32::try_from(data.len()).unwrap_or(u32::MAX));
    wire.put_slice(data);
    wire.freeze()
}

#[cfg(test)]
mod tests {
    use tokio::io::DuplexStream;

    use super::*;
    use crate::phone::Profile;

    fn start(kind: &str, line: &str) -> DuplexStream {
        let phone = SimPhone::start(Profile::default());
        let (near, far) = tokio::io::duplex(4096);
        tokio::spawn(serve(Request::parse(kind, line).unwrap(), phone, far));
        near
    }

    async fn answer(kind: &str, line: &str) -> Vec<u8> {
        let mut answer = Vec::new();
        start(kind, line).read_to_end(&mut answer).await.unwrap();
        answer
    }

    #[tokio::test]
    async fn the_second_version_keeps_outputs_apart_and_the_exit_code() {
        let expected = b"\x01\x03\0\0\0hi\n\x02\x04\0\0\0bad\n\x03\x01\0\0\0\x07";
        assert_eq!(answer("shell,v2,TERM=xterm,raw", "echo hi; echo bad >&2; exit 7").await, expected);
    }

    #[tokio::test]
    async fn the_first_version_and_exec_mix_outputs_and_lose_the_exit_code() {
        assert_eq!(answer("shell", "echo hi; echo bad >&2; exit 7").await, b"hi\nbad\n");
        assert_eq!(answer("exec", "echo hi").await, b"hi\n");
    }

    #[tokio::test]
    async fn a_terminal_ends_lines_with_a_carriage_return() {
        assert_eq!(answer("shell,v2,pty", "echo hi").await, b"\x01\x04\0\0\0hi\r\n\x03\x01\0\0\0\0");
    }

    #[tokio::test]
    async fn input_reaches_the_command_until_it_is_closed() {
        let mut stream = start("shell,v2,raw", "cat");
        stream.write_all(b"\0\x02\0\0\0ab\0\x01\0\0\0c\x04\0\0\0\0").await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        assert_eq!(answer, b"\x01\x02\0\0\0ab\x01\x01\0\0\0c\x03\x01\0\0\0\0");
    }

    #[tokio::test]
    async fn a_person_gets_a_prompt() {
        let mut stream = start("shell,v2,pty", "");
        stream.write_all(b"\0\x08\0\0\0exit 3\x7f4\0\x01\0\0\0\r").await.unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await.unwrap();
        let text = String::from_utf8_lossy(&answer);
        assert!(text.contains("demo:/ $ "), "{text:?}");
        assert_eq!(answer[answer.len() - 1], 4);
    }

    #[test]
    fn other_services_are_not_shells() {
        assert_eq!(Request::parse("tcp", "80"), None);
        assert_eq!(Request::parse("shellx", "ls"), None);
    }
}
