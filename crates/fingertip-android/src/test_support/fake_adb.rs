//! An adb server that answers as a test says, faults included.
//!
//! It speaks the framing and nothing more: every service, of the server or of the phone, is answered by one
//! function of the test. What was asked is kept.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::adb::{Adb, ServerAddress};

/// An answer.
#[derive(Debug, Clone)]
pub(crate) enum Reply {
    /// `OKAY`, then these bytes, then the end.
    Bytes(Vec<u8>),
    /// `OKAY` and a text with its length; the connection stays open.
    Text(String),
    /// `FAIL` and why.
    Fail(&'static str),
    /// Output, errors and exit code of a command, as `shell_v2` packs them.
    Shell(Vec<u8>, &'static str, u8),
    /// As [`Self::Shell`], but the connection ends after so many bytes.
    Cut(Vec<u8>, usize),
    /// Nothing, ever.
    Silence,
    /// The answer after a while.
    Late(Duration, Box<Reply>),
    /// Not even `OKAY`: these bytes.
    Garbage(&'static [u8]),
}

impl Reply {
    /// A command that printed this and succeeded.
    pub(crate) fn shell(text: &str) -> Self {
        Self::Shell(text.as_bytes().to_vec(), "", 0)
    }
}

type Answer = dyn Fn(&str) -> Reply + Send + Sync;

/// A scripted adb server; it ends with the test's runtime.
pub(crate) struct FakeAdb {
    address: ServerAddress,
    asked: Arc<Mutex<Vec<String>>>,
}

impl FakeAdb {
    /// Serves `answer`, which is given each service asked for.
    pub(crate) async fn start(answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (answer, log): (Arc<Answer>, _) = (Arc::new(answer), Arc::clone(&asked));
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let _ = stream.set_nodelay(true);
                tokio::spawn(serve(stream, Arc::clone(&answer), Arc::clone(&log)));
            }
        });
        Self { address: ServerAddress { host: "127.0.0.1".to_owned(), port }, asked }
    }

    /// A server with one phone of this interface level, whose commands are answered by `answer`.
    pub(crate) async fn phone(sdk: u32, answer: impl Fn(&str) -> Reply + Send + Sync + 'static) -> Self {
        Self::start(move |service| match service {
            service if service.starts_with("host:tport:") => Reply::Bytes(7_u64.to_le_bytes().to_vec()),
            service if service.ends_with(":features") => Reply::Text("cmd,shell_v2,stat_v2".to_owned()),
            service => match service.strip_prefix("shell,v2,raw:") {
                Some(command) if command.starts_with("getprop ") => {
                    Reply::shell(&format!("Pixel 7\n14\n{sdk}\nGoogle\n"))
                }
                Some(command) => answer(command),
                None => Reply::Fail("closed"),
            },
        })
        .await
    }

    /// A client of it.
    pub(crate) fn client(&self) -> Adb {
        Adb::at(self.address.clone())
    }

    /// All services asked for so far, without those that only choose a phone.
    pub(crate) fn asked(&self) -> Vec<String> {
        let asked = self.asked.lock().unwrap().clone();
        asked.into_iter().filter(|service| !service.starts_with("host")).collect()
    }

    /// The commands run so far.
    pub(crate) fn commands(&self) -> Vec<String> {
        let command = |service: &String| service.strip_prefix("shell,v2,raw:").map(str::to_owned);
        self.asked().iter().filter_map(command).filter(|command| !command.starts_with("getprop ")).collect()
    }
}

async fn serve(mut stream: TcpStream, answer: Arc<Answer>, log: Arc<Mutex<Vec<String>>>) {
    while let Some(service) = request(&mut stream).await {
        log.lock().unwrap().push(service.clone());
        let chooses = service.starts_with("host:tport:") || service.starts_with("host:transport:");
        let mut reply = answer(&service);
        while let Reply::Late(delay, later) = reply {
            tokio::time::sleep(delay).await;
            reply = *later;
        }
        if write(&mut stream, reply).await.is_none() || !chooses {
            break;
        }
    }
    // Closing with unread input would reset the connection and lose what was written.
    let _ = stream.shutdown().await;
    let _ = tokio::io::copy(&mut stream, &mut tokio::io::sink()).await;
}

async fn request(stream: &mut TcpStream) -> Option<String> {
    let mut digits = [0; 4];
    stream.read_exact(&mut digits).await.ok()?;
    let length = usize::from_str_radix(std::str::from_utf8(&digits).ok()?, 16).ok()?;
    let mut service = vec![0; length];
    stream.read_exact(&mut service).await.ok()?;
    String::from_utf8(service).ok()
}

async fn write(stream: &mut TcpStream, reply: Reply) -> Option<()> {
    let mut bytes = b"OKAY".to_vec();
    match reply {
        Reply::Bytes(data) => bytes.extend(data),
        Reply::Text(text) => {
            bytes.extend(format!("{:04x}{text}", text.len()).into_bytes());
            stream.write_all(&bytes).await.ok()?;
            return std::future::pending().await;
        }
        Reply::Fail(why) => bytes = format!("FAIL{:04x}{why}", why.len()).into_bytes(),
        Reply::Shell(stdout, stderr, exit) => bytes.extend(packets(&stdout, stderr, exit)),
        Reply::Cut(stdout, length) => bytes.extend(&packets(&stdout, "", 0)[..length]),
        Reply::Garbage(garbage) => bytes = garbage.to_vec(),
        Reply::Silence | Reply::Late(..) => return std::future::pending().await,
    }
    stream.write_all(&bytes).await.ok()
}

fn packets(stdout: &[u8], stderr: &str, exit: u8) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut add = |kind: u8, data: &[u8]| {
        bytes.push(kind);
        bytes.extend((data.len() as u32).to_le_bytes());
        bytes.extend_from_slice(data);
    };
    stdout.chunks(1000).for_each(|chunk| add(1, chunk));
    add(2, stderr.as_bytes());
    add(3, &[exit]);
    bytes
}
