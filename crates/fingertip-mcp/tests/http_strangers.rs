//! Connections without the token: however many there are and whatever they do, clients are served.

mod support;

use std::net::{IpAddr, SocketAddr};
use std::time::{Duration, Instant};

use futures_util::future::join_all;
use support::{Call, Server, TOKEN, client, start, start_with};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpSocket, TcpStream},
    time::{sleep, timeout},
};

/// As many as hold every place of the product and some more.
const CROWD: usize = 1100;
/// A call takes milliseconds, on a busy machine a second; one that is locked out never ends.
const SERVED: Duration = Duration::from_secs(8);

const HEALTH: &str = "GET /health HTTP/1.1\r\nhost: localhost\r\n\r\n";

async fn connect(server: &Server) -> TcpStream {
    TcpStream::connect(server.address).await.expect("the server accepts")
}

/// Another address of this machine for each attempt, where it has more than one without setting them up.
fn source(guesser: usize, attempt: u32) -> IpAddr {
    let [.., high, low] = attempt.to_be_bytes();
    let guesser = u8::try_from(guesser % 250).expect("it is small");
    if cfg!(target_os = "linux") { [127, guesser + 1, high, low | 1].into() } else { [127, 0, 0, 1].into() }
}

async fn connect_from(source: IpAddr, server: SocketAddr) -> std::io::Result<TcpStream> {
    let socket = TcpSocket::new_v4()?;
    socket.bind((source, 0).into())?;
    socket.connect(server).await
}

/// A crowd of connections that have each said this.
async fn crowd(server: &Server, size: usize, words: &str) -> Vec<TcpStream> {
    let mut crowd = Vec::with_capacity(size);
    for _ in 0..size {
        let mut stream = connect(server).await;
        // One that had to make room already cannot say any more.
        let _ = timeout(Duration::from_millis(200), stream.write_all(words.as_bytes())).await;
        crowd.push(stream);
    }
    crowd
}

async fn is_served(server: &Server) {
    for _ in 0..3 {
        timeout(SERVED, server.still_serves()).await.expect("a client is served");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_that_pipelines_and_never_reads_locks_no_client_out() {
    let server = start_with(|config| config.limits = fingertip_mcp::transport::HttpLimits::default()).await;
    let mut kept = connect(&server).await;
    assert_eq!(Call::tool("echo", "{}").send_on(&mut kept).await.status, 200);
    let crowd = crowd(&server, CROWD, &HEALTH.repeat(1000)).await;
    is_served(&server).await;
    assert_eq!(Call::tool("echo", "{}").send_on(&mut kept).await.status, 200, "a kept connection lives");
    drop(crowd);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_crowd_that_says_nothing_or_half_a_request_locks_no_client_out() {
    let server = start_with(|config| config.limits = fingertip_mcp::transport::HttpLimits::default()).await;
    let silent = crowd(&server, CROWD, "").await;
    is_served(&server).await;
    drop(silent);
    let half = crowd(&server, CROWD, "POST /mcp HTTP/1.1\r\nhost: local").await;
    is_served(&server).await;
    drop(half);
}

#[tokio::test]
async fn a_stranger_gets_one_answer_and_a_client_as_many_as_it_wants() {
    let server = start().await;
    let mut stranger = connect(&server).await;
    stranger.write_all(HEALTH.repeat(50).as_bytes()).await.unwrap();
    let reply = client::receive(&mut stranger).await;
    assert_eq!((reply.status, reply.header("connection")), (200, Some("close")));
    let rest = String::from_utf8(client::until_closed(&mut stranger).await).unwrap();
    assert!(!rest.contains("HTTP/1.1"), "{rest}");

    let mut known = connect(&server).await;
    for _ in 0..5 {
        let reply = Call::tool("echo", "{}").send_on(&mut known).await;
        assert_eq!((reply.status, reply.header("connection")), (200, None));
    }
}

#[tokio::test]
async fn headers_that_trickle_do_not_keep_a_connection() {
    let server = start_with(|config| config.limits.header_timeout = Duration::from_secs(1)).await;
    let mut stream = connect(&server).await;
    let trickle = async {
        for byte in format!("GET /mcp HTTP/1.1\r\nhost: localhost\r\nx: {}", "y".repeat(200)).bytes() {
            if stream.write_all(&[byte]).await.is_err() {
                break;
            }
            sleep(Duration::from_millis(100)).await;
        }
    };
    // Two hundred bytes at this pace take twenty seconds.
    timeout(SERVED, trickle).await.expect("the connection is closed");
}

#[tokio::test]
async fn an_unread_answer_ends_the_connection_of_a_client_too() {
    let server = start_with(|config| config.limits.write_timeout = Duration::from_millis(500)).await;
    let mut greedy = connect(&server).await;
    let text = "x".repeat(100_000);
    let call = Call::tool("echo", &format!(r#"{{"text":"{text}"}}"#));
    let mut request = call.head().into_bytes();
    request.extend(call.body());
    let asking = async { while greedy.write_all(&request).await.is_ok() {} };
    timeout(SERVED, asking).await.expect("the connection is closed");
    is_served(&server).await;
}

#[tokio::test]
async fn a_kept_connection_of_a_client_lives_between_requests_and_not_for_ever() {
    let server = start_with(|config| config.limits.idle_timeout = Duration::from_secs(3)).await;
    assert!(server.limits.header_timeout < Duration::from_secs(1));
    let mut kept = connect(&server).await;
    assert_eq!(Call::tool("echo", "{}").send_on(&mut kept).await.status, 200);
    sleep(Duration::from_millis(1500)).await;
    assert_eq!(Call::tool("echo", "{}").send_on(&mut kept).await.status, 200);
    assert!(client::until_closed(&mut kept).await.is_empty());
}

#[tokio::test]
async fn a_stranger_that_keeps_busy_still_has_a_short_life() {
    let server = start_with(|config| {
        config.limits.stranger_lifetime = Duration::from_secs(1);
        config.limits.header_timeout = Duration::from_secs(30);
        config.limits.body_timeout = Duration::from_secs(30);
    })
    .await;
    // A body that trickles after a wrong token: refused at once, and no way to stay.
    let mut stream = connect(&server).await;
    let head = "POST /mcp HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer wrong\r\ncontent-length: 100000\r\n\r\n";
    stream.write_all(head.as_bytes()).await.unwrap();
    let begun = Instant::now();
    let trickle = async {
        while stream.write_all(b" ").await.is_ok() {
            sleep(Duration::from_millis(50)).await;
        }
    };
    timeout(SERVED, trickle).await.expect("the connection is closed");
    assert!(begun.elapsed() < SERVED);
}

#[tokio::test(flavor = "multi_thread")]
async fn guesses_are_checked_one_after_another_however_many_connections_and_loopback_addresses_make_them() {
    const CONNECTIONS: usize = 200;
    const CHECKS_PER_SECOND: u32 = 100;
    const SECONDS: u64 = 4;
    let server = start_with(|config| {
        config.limits = fingertip_mcp::transport::HttpLimits::default();
        config.limits.throttle.checks_per_second = CHECKS_PER_SECOND;
    })
    .await;
    let address = server.address;
    let mut kept = connect(&server).await;
    assert_eq!(Call::tool("echo", "{}").send_on(&mut kept).await.status, 200);
    let end = Instant::now() + Duration::from_secs(SECONDS);
    let guess = |guesser: usize| async move {
        let mut answered = 0_u32;
        while Instant::now() < end {
            let call =
                Call::tool("echo", "{}").with("authorization", &format!("Bearer {TOKEN}{guesser}{answered}"));
            let Ok(mut stream) = connect_from(source(guesser, answered), address).await else { continue };
            stream.write_all(call.head().as_bytes()).await.ok();
            stream.write_all(call.body()).await.ok();
            let mut reply = [0; 64];
            // Until anything comes, or the end: what counts is what the guesser could learn.
            let read = timeout(end.saturating_duration_since(Instant::now()), stream.read(&mut reply)).await;
            answered += u32::from(matches!(read, Ok(Ok(count)) if count > 0));
        }
        answered
    };
    let guessing = tokio::spawn(join_all((0..CONNECTIONS).map(guess)));
    sleep(Duration::from_millis(500)).await;

    // On the same address: a kept connection notices nothing, a new one waits for its turn.
    let begun = Instant::now();
    for _ in 0..20 {
        assert_eq!(Call::tool("echo", "{}").send_on(&mut kept).await.status, 200);
    }
    assert!(begun.elapsed() < Duration::from_secs(2), "twenty calls took {:?}", begun.elapsed());
    timeout(SERVED, server.still_serves()).await.expect("a new connection is served");

    let answered: u32 = guessing.await.unwrap().into_iter().sum();
    let most = CHECKS_PER_SECOND * SECONDS as u32 + 50;
    assert!(answered <= most, "{answered} guesses were answered in {SECONDS} s, at most {most} may be");
}
