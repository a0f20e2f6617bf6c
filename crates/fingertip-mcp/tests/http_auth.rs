//! Who may talk to the server over HTTP.

mod support;

use std::time::{Duration, Instant};

use fingertip_mcp::transport::{HttpConfig, Token, TransportError, serve};
use support::{Call, Reply, TOKEN, Tiny, start, start_with};
use tokio::net::TcpStream;

fn assert_unauthorized(reply: &Reply) {
    assert_eq!(reply.status, 401);
    assert_eq!(reply.header("www-authenticate"), Some("Bearer"));
    let body = reply.json();
    assert_eq!(body["error"], "unauthorized");
    assert!(body["message"].to_string().contains("fingertip token"));
}

#[tokio::test]
async fn health_needs_no_token_and_no_known_host() {
    let server = start().await;
    let reply =
        server.send(Call::new("GET", "/health").without("authorization").with("host", "any.example")).await;
    assert_eq!(reply.status, 200);
    let version = env!("CARGO_PKG_VERSION");
    assert_eq!(reply.json(), serde_json::json!({"status": "healthy", "version": version}));
}

#[tokio::test]
async fn missing_wrong_empty_and_over_long_tokens_are_refused() {
    let server = start_with(|config| config.limits.throttle.free_failures = 100).await;
    let list = || Call::post(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    assert_unauthorized(&server.send(list().without("authorization")).await);
    let long = format!("Bearer {}", "x".repeat(100_000));
    let twice = format!("Bearer {TOKEN} {TOKEN}");
    for value in ["", "Bearer", "Bearer ", "Bearer wrong", "Basic YTpi", TOKEN, &long, &twice] {
        assert_unauthorized(&server.send(list().with("authorization", value)).await);
    }
    for call in [Call::new("GET", "/mcp"), Call::new("DELETE", "/mcp/"), Call::new("POST", "/health")] {
        assert_unauthorized(&server.send(call.without("authorization")).await);
    }
    server.still_serves().await;
}

#[tokio::test]
async fn unknown_paths_ask_for_the_token_before_they_say_anything() {
    let server = start().await;
    assert_unauthorized(&server.send(Call::new("GET", "/secret").without("authorization")).await);
    let reply = server.send(Call::new("GET", "/secret")).await;
    assert_eq!((reply.status, reply.json()["error"].as_str()), (404, Some("not_found")));
}

#[tokio::test]
async fn further_routes_are_behind_the_same_checks() {
    let route = axum::routing::get(|| async { axum::Json("here") });
    let server =
        start_with(|config| config.more_routes = axum::Router::new().route("/mcp/v1/more", route)).await;
    assert_unauthorized(&server.send(Call::new("GET", "/mcp/v1/more").without("authorization")).await);
    assert_eq!(server.send(Call::new("GET", "/mcp/v1/more").with("host", "evil.example")).await.status, 403);
    assert_eq!(server.send(Call::new("GET", "/mcp/v1/more")).await.json(), "here");
    let reply = server.send(Call::new("POST", "/mcp/v1/more")).await;
    assert_eq!((reply.status, reply.json()["error"].as_str()), (405, Some("method_not_allowed")));
}

#[tokio::test]
async fn a_large_body_with_a_wrong_token_still_sees_the_refusal() {
    let server = start().await;
    let call = Call::post(vec![b' '; 20_000_000]).with("authorization", "Bearer wrong");
    assert_unauthorized(&server.send(call).await);
}

#[tokio::test]
async fn repeated_failures_wait_but_the_right_token_never_does() {
    let server = start_with(|config| {
        config.limits.throttle.free_failures = 2;
        config.limits.throttle.first_delay = Duration::from_millis(400);
        config.limits.throttle.max_delay = Duration::from_millis(400);
    })
    .await;
    let wrong = || server.send(Call::new("GET", "/mcp").with("authorization", "Bearer wrong"));
    let start = Instant::now();
    wrong().await;
    wrong().await;
    assert!(start.elapsed() < Duration::from_millis(300), "free failures took {:?}", start.elapsed());
    let start = Instant::now();
    let (refused, right) = tokio::join!(wrong(), async {
        server.still_serves().await;
        start.elapsed()
    });
    assert_unauthorized(&refused);
    assert!(start.elapsed() >= Duration::from_millis(400));
    assert!(right < Duration::from_millis(300), "the right token took {right:?}");
}

#[tokio::test]
async fn a_crowd_of_wrong_tokens_is_turned_away() {
    let server = start_with(|config| {
        config.limits.throttle.free_failures = 0;
        config.limits.throttle.waiting = 2;
        config.limits.throttle.first_delay = Duration::from_millis(500);
    })
    .await;
    let wrong = || server.send(Call::new("GET", "/mcp").with("authorization", "Bearer wrong"));
    let replies = futures_util::future::join_all((0..20).map(|_| wrong())).await;
    let turned_away: Vec<&Reply> = replies.iter().filter(|reply| reply.status == 429).collect();
    assert_eq!(turned_away.len(), 18);
    assert_eq!(turned_away[0].json()["error"], "too_many_requests");
    assert_eq!(turned_away[0].header("retry-after"), Some("2"));
    server.still_serves().await;
}

/// With the limits of the product.
#[tokio::test(flavor = "multi_thread")]
async fn a_thousand_wrong_tokens_open_nothing_and_hold_up_no_client_with_the_right_one() {
    const GUESSES: usize = 1000;
    const AT_ONCE: usize = 200;
    /// A call takes milliseconds; one that is held up takes as long as a guess, two seconds.
    const NORMAL: Duration = Duration::from_secs(1);
    let server = start().await;
    let address = server.address;
    let mut kept = TcpStream::connect(address).await.expect("the server accepts");
    assert_eq!(Call::tool("echo", "{}").send_on(&mut kept).await.status, 200);
    let guess = |number: usize| {
        let token = format!("Bearer {TOKEN}{number:04}");
        async move {
            let mut stream = TcpStream::connect(address).await.expect("the server accepts");
            Call::tool("echo", "{}").with("authorization", &token).send_on(&mut stream).await.status
        }
    };
    let guessing = async {
        let mut statuses = Vec::new();
        for first in (0..GUESSES).step_by(AT_ONCE) {
            statuses.extend(futures_util::future::join_all((first..first + AT_ONCE).map(guess)).await);
        }
        statuses
    };
    let honest = async {
        let mut slowest = Duration::ZERO;
        for _ in 0..50 {
            let begun = Instant::now();
            let call = Call::tool("echo", r#"{"text":"served"}"#);
            let reply = call.send_on(&mut kept).await;
            assert_eq!(reply.json()["result"]["content"][0]["text"], "served");
            slowest = slowest.max(begun.elapsed());
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        slowest
    };
    let (statuses, slowest) = tokio::join!(guessing, honest);
    assert_eq!(statuses.len(), GUESSES);
    assert!(statuses.iter().all(|status| matches!(status, 401 | 429)), "{statuses:?}");
    assert!(slowest < NORMAL, "the right token took {slowest:?}");
}

#[tokio::test]
async fn foreign_hosts_and_origins_are_forbidden() {
    let server = start_with(|config| config.host_names = vec!["workbench".into()]).await;
    let list = || Call::post(r#"{"jsonrpc":"2.0","id":1,"method":"tools/list"}"#);
    for call in [
        list().with("host", "evil.example"),
        list().with("origin", "https://evil.example"),
        list().without("host"),
    ] {
        let reply = server.send(call).await;
        assert_eq!((reply.status, reply.json()["error"].as_str()), (403, Some("forbidden")));
    }
    for call in [list().with("host", "workbench:1"), list().with("origin", "http://localhost:3000")] {
        assert_eq!(server.send(call).await.status, 200);
    }
}

#[tokio::test]
async fn a_port_in_use_is_an_error_that_names_the_address() {
    let server = start().await;
    let config = HttpConfig::new(server.address, Token::new(TOKEN).unwrap());
    let error = serve(config, Tiny::default).await.unwrap_err();
    assert!(matches!(error, TransportError::AddressInUse(address) if address == server.address));
    assert!(error.to_string().contains(&server.address.to_string()));
}
