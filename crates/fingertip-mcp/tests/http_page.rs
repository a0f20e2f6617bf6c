//! The page at `/ui`: who gets in, who may do what, and that nothing of it is there without its cookie.

mod support;

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use fingertip_core::Target;
use fingertip_core::target::Screenshot;
use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::handler::Handler;
use fingertip_mcp::page::{Access, LinkKey, Oversight, Page};
use fingertip_mcp::policy::{Confirm, Policy};
use fingertip_mcp::secrets::Secrets;
use fingertip_mcp::targets::Targets;
use fingertip_mcp::transport::{HttpConfig, Token, serve};
use serde_json::{Value, json};
use support::{Call, Reply, TOKEN, short_limits};
use tokio::io::AsyncReadExt;

/// Everything the page answers but the link itself.
const GETS: [&str; 13] = [
    "/ui",
    "/ui/",
    "/ui/page.js",
    "/ui/page.css",
    "/ui/api/state",
    "/ui/api/events?target=phone",
    "/ui/api/log",
    "/ui/api/tools",
    "/ui/api/frame?target=phone",
    "/ui/api/picture?call=1&when=before",
    "/ui/api/screen?target=phone",
    "/ui/api/element?target=phone&id=node_0001",
    "/ui/api/recording?as=steps",
];
const POSTS: [&str; 5] =
    ["/ui/api/call", "/ui/api/steer", "/ui/api/answer", "/ui/api/record", "/ui/api/leave"];

struct Watched {
    address: SocketAddr,
    target: Arc<ScriptedTarget>,
    targets: Arc<Targets>,
    key: LinkKey,
}

async fn watched(policy: Policy, keeps_history: bool) -> Watched {
    with_secrets(policy, keeps_history, "").await
}

async fn with_secrets(policy: Policy, keeps_history: bool, lines: &str) -> Watched {
    let mut secrets = Secrets::default();
    secrets.add_lines(lines).expect("secrets");
    let target = Arc::new(ScriptedTarget::new("phone", sample::phone()));
    // A whole one takes so long to make that connections would run into the short limits.
    target.update(|state| state.screenshot = Some(Screenshot::Raw(sample::pixels(54, 120))));
    let targets = Arc::new(Targets::new("Attach one."));
    targets.attach(Arc::clone(&target) as Arc<dyn Target>);
    targets.settle();
    let oversight = Oversight::new(keeps_history);
    let dispatcher = Dispatcher::new(Arc::clone(&targets), policy).with_oversight(Arc::clone(&oversight));
    let dispatcher = Arc::new(dispatcher.with_secrets(secrets));
    let key = LinkKey::random().expect("random numbers");
    let mut config =
        HttpConfig::new("127.0.0.1:0".parse().expect("an address"), Token::new(TOKEN).expect("a token"));
    config.limits = short_limits();
    let page = Page::new(Arc::clone(&dispatcher), oversight, key.clone(), config.limits.clone(), false);
    config.page = Some(Arc::new(page));
    let handler = Handler::new(dispatcher);
    let address = serve(config, move || handler.clone()).await.expect("the server starts").local_addr();
    Watched { address, target, targets, key }
}

/// A request as our own page makes it, without a cookie yet.
fn plain(method: &'static str, path: &str, host: &str) -> Call {
    let call = Call::new(method, path).without("authorization").with("host", host);
    let call = call.with("sec-fetch-site", "same-origin");
    if method == "POST" {
        return call.with("origin", &format!("http://{host}")).with("content-type", "application/json");
    }
    call
}

impl Watched {
    fn host(&self) -> String {
        format!("localhost:{}", self.address.port())
    }

    fn get(&self, path: &str) -> Call {
        plain("GET", path, &self.host())
    }

    fn post(&self, path: &str, body: &Value) -> Call {
        let host = self.host();
        Call::post(body.to_string())
            .to(path)
            .without("authorization")
            .with("host", &host)
            .with("origin", &format!("http://{host}"))
            .with("sec-fetch-site", "same-origin")
    }

    async fn send(&self, call: Call) -> Reply {
        call.send(self.address).await
    }

    async fn enter(&self, access: Access) -> String {
        let link = self.key.link(access).expect("a link");
        let reply = self.send(self.get(&link).with("sec-fetch-site", "none")).await;
        assert_eq!((reply.status, reply.header("location")), (303, Some("/ui/")));
        let cookie = reply.header("set-cookie").expect("a cookie").to_owned();
        for part in ["HttpOnly", "SameSite=Strict", "Path=/ui"] {
            assert!(cookie.contains(part), "{cookie}");
        }
        cookie.split(';').next().expect("a pair").to_owned()
    }

    async fn json(&self, call: Call) -> Value {
        let reply = self.send(call).await;
        assert_eq!(reply.status, 200, "{:?}", String::from_utf8_lossy(&reply.body));
        reply.json()
    }

    /// Reads a stream of events until one of this name comes.
    async fn event(&self, stream: &mut tokio::net::TcpStream, name: &str) -> Value {
        let mut text = String::new();
        let wanted = format!("event: {name}\ndata: ");
        let found = async {
            loop {
                let mut bytes = [0; 4096];
                let count = stream.read(&mut bytes).await.expect("the stream holds");
                assert_ne!(count, 0, "the stream ended: {text}");
                text.push_str(&String::from_utf8_lossy(&bytes[..count]));
                if let Some((_, rest)) = text.split_once(&wanted)
                    && let Some((data, _)) = rest.split_once('\n')
                {
                    return serde_json::from_str(data).expect("JSON");
                }
            }
        };
        tokio::time::timeout(Duration::from_secs(10), found).await.expect("the event comes")
    }
}

fn tap() -> Call {
    Call::tool("tap", r#"{"x":500,"y":250}"#)
}

#[tokio::test]
async fn nothing_is_answered_without_the_cookie() {
    let page = watched(Policy::default(), true).await;
    for path in GETS {
        for call in [
            page.get(path),
            page.get(path).with("cookie", "fingertip_page=x"),
            page.get(path).with("authorization", &format!("Bearer {TOKEN}")),
        ] {
            let reply = page.send(call).await;
            assert_eq!(reply.status, 401, "{path}");
            assert_eq!(reply.json()["error"], "unauthorized");
        }
    }
    for path in POSTS {
        let body = json!({"to": "stopped", "tool": "tap", "arguments": {"x": 1, "y": 1}});
        let call = page.post(path, &body).with("authorization", &format!("Bearer {TOKEN}"));
        assert_eq!(page.send(call).await.status, 401, "{path}");
    }
    for wrong in ["/ui/enter", "/ui/enter?key=", "/ui/enter?key=AAAA"] {
        assert_eq!(page.send(page.get(wrong)).await.status, 401, "{wrong}");
    }
    // A person is told in words where to get in, and nothing else.
    for (path, why) in [("/ui/", "a link that works once"), ("/ui/enter?key=AAAA", "was used before")] {
        let reply = page.send(page.get(path).with("accept", "text/html,*/*;q=0.8")).await;
        assert_eq!((reply.status, reply.header("content-type")), (401, Some("text/html; charset=utf-8")));
        assert!(reply.header("content-security-policy").is_some());
        let text = String::from_utf8_lossy(&reply.body).into_owned();
        assert!(text.contains(why) && !text.contains("<script"), "{text}");
    }
    assert_eq!(page.target.writes(), []);
}

#[tokio::test]
async fn a_link_works_once_and_its_cookie_is_no_token() {
    let page = watched(Policy::default(), true).await;
    let link = page.key.link(Access::View).unwrap();
    let first = page.send(page.get(&link)).await;
    let cookie = first.header("set-cookie").unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(page.send(page.get(&link)).await.status, 401, "a second time");
    let reply = page.send(page.get("/ui/").with("cookie", &cookie)).await;
    assert_eq!(reply.status, 200);
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.contains("script-src 'self'") && !policy.contains("unsafe"), "{policy}");
    assert!(!String::from_utf8_lossy(&reply.body).contains(TOKEN));
    // Neither as a cookie nor as a bearer does it open /mcp, also on the connection it has authenticated.
    let value = cookie.split_once('=').unwrap().1;
    let mut stream = tokio::net::TcpStream::connect(page.address).await.unwrap();
    let kept = page.get("/ui/api/state").with("cookie", &cookie).send_on(&mut stream).await;
    assert_eq!(kept.status, 200);
    let mcp = tap().without("authorization").with("cookie", &cookie);
    assert_eq!(mcp.send_on(&mut stream).await.status, 401);
    assert_eq!(page.send(tap().with("authorization", &format!("Bearer {value}"))).await.status, 401);
    assert_eq!(page.target.writes(), []);
}

#[tokio::test]
async fn foreign_hosts_origins_and_sites_are_refused() {
    let page = watched(Policy::default(), true).await;
    let cookie = page.enter(Access::Control).await;
    let steer = || page.post("/ui/api/steer", &json!({"to": "paused"})).with("cookie", &cookie);
    let foreign = [
        steer().with("host", "evil.example"),
        steer().with("origin", "http://evil.example"),
        steer().with("origin", "http://localhost:1"),
        steer().with("origin", "null"),
        steer().without("origin"),
        steer().with("sec-fetch-site", "same-site"),
        steer().with("sec-fetch-site", "cross-site"),
        page.get("/ui/api/state").with("cookie", &cookie).with("sec-fetch-site", "same-site"),
        page.get("/ui/api/state").with("cookie", &cookie).with("host", "evil.example"),
        page.get("/ui/api/events").with("cookie", &cookie).with("origin", "http://evil.example"),
    ];
    for call in foreign {
        let head = call.head();
        assert_eq!(page.send(call).await.status, 403, "{head}");
    }
    let form = steer().with("content-type", "text/plain");
    assert_eq!(page.send(form).await.status, 400);
    let state = page.json(page.get("/ui/api/state").with("cookie", &cookie)).await;
    assert_eq!(state["mode"], "running");
    assert_eq!(page.send(steer()).await.status, 200);
}

#[tokio::test]
async fn who_only_looks_can_brake_and_nothing_else() {
    let page = watched(Policy::default(), true).await;
    let cookie = page.enter(Access::View).await;
    let post = |path: &str, body: Value| page.post(path, &body).with("cookie", &cookie);
    for (path, body) in [
        ("/ui/api/call", json!({"tool": "tap", "arguments": {"x": 500, "y": 250}})),
        ("/ui/api/call", json!({"tool": "get_screen_state", "arguments": {}})),
        ("/ui/api/answer", json!({"question": 1, "yes": true})),
        ("/ui/api/record", json!({"do": "start", "target": "phone"})),
        ("/ui/api/steer", json!({"to": "taken over"})),
    ] {
        assert_eq!(page.send(post(path, body)).await.status, 403, "{path}");
    }
    assert_eq!(page.send(post("/ui/api/steer", json!({"to": "stopped"}))).await.status, 200);
    for to in ["running", "paused"] {
        assert_eq!(page.send(post("/ui/api/steer", json!({"to": to}))).await.status, 403, "{to}");
    }
    let refused = page.send(tap()).await.json();
    assert_eq!(refused["result"]["structuredContent"]["error_type"], "refused", "{refused}");
    assert_eq!(page.target.writes(), []);
    let control = page.enter(Access::Control).await;
    let release = page.post("/ui/api/steer", &json!({"to": "running"})).with("cookie", &control);
    assert_eq!(page.send(release).await.status, 200);
    page.send(tap()).await;
    assert_eq!(page.target.writes().len(), 1);
}

#[tokio::test]
async fn read_only_holds_for_the_page_too() {
    let page = watched(Policy { read_only: true, ..Policy::default() }, true).await;
    let cookie = page.enter(Access::Control).await;
    let call = page.post("/ui/api/call", &json!({"tool": "tap", "arguments": {"x": 500, "y": 250}}));
    assert_eq!(page.send(call.with("cookie", &cookie)).await.status, 400);
    assert_eq!(page.target.writes(), []);
}

#[tokio::test]
async fn a_pause_holds_the_next_act_until_it_is_let_go_and_reads_go_on() {
    let page = watched(Policy::default(), true).await;
    let cookie = page.enter(Access::Control).await;
    let steer = |to: &str| page.post("/ui/api/steer", &json!({"to": to})).with("cookie", &cookie);
    page.json(steer("paused")).await;
    let address = page.address;
    let held = tokio::spawn(async move { tap().send(address).await.json() });
    let read = page.send(Call::tool("get_screen_state", "{}")).await.json();
    assert_ne!(read["result"]["isError"], true);
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert!(!held.is_finished());
    assert_eq!(page.target.writes(), []);
    // What the person does is not held.
    let call = page.post("/ui/api/call", &json!({"tool": "tap", "arguments": {"x": 500, "y": 250}}));
    assert_ne!(page.json(call.with("cookie", &cookie)).await["isError"], true);
    assert_eq!(page.target.writes().len(), 1);
    page.json(steer("running")).await;
    assert_ne!(held.await.unwrap()["result"]["isError"], true);
    assert_eq!(page.target.writes().len(), 2);
    page.json(steer("taken over")).await;
    let began = Instant::now();
    let refused = page.send(tap()).await.json();
    assert!(refused["result"]["content"][0]["text"].as_str().unwrap().contains("taken over"), "{refused}");
    assert!(began.elapsed() < Duration::from_secs(2));
    assert_eq!(page.target.writes().len(), 2);
}

#[tokio::test]
async fn calls_are_logged_masked_and_reported_at_once() {
    let page = watched(Policy::default(), true).await;
    let cookie = page.enter(Access::View).await;
    let mut stream =
        page.get("/ui/api/events?target=phone").with("cookie", &cookie).send_only(page.address).await;
    page.event(&mut stream, "frame").await;
    let secret = "correct horse battery";
    let conditions = r#"{"conditions":[{"element":"button \"staple\"","is":"present"}]}"#;
    page.send(Call::tool("verify_state", conditions)).await;
    let arguments = json!({"text": secret, "element_id": "button ~\"staple\"", "typo": secret});
    page.send(Call::tool("set_text", &arguments.to_string())).await;
    // Refused with what they were about: a selector and the words that match it, a text in the place of a key, a text in a step.
    let nested = |tool: &str, arguments: Value| json!({"steps": [{"tool": tool, "arguments": arguments}]});
    for (tool, arguments) in [
        ("click_element", json!({"element_id": "button \"staple\""})),
        ("click_element", json!({"element_id": "check_box ~\"Favourite\""})),
        ("press_key", json!({"key": secret})),
        ("run_steps", nested("press_key", json!({"key": secret}))),
        ("run_steps", nested("click_element", json!({"element_id": "button \"staple\""}))),
        ("run_steps", nested("set_text", json!({"element_id": "button ~\"staple", "text": secret}))),
    ] {
        page.send(Call::tool(tool, &arguments.to_string())).await;
    }
    let event = page.event(&mut stream, "call").await;
    assert_eq!(event["tool"], "verify_state");
    let log = page.json(page.get("/ui/api/log").with("cookie", &cookie)).await.to_string();
    assert!(log.contains("set_text"), "{log}");
    for word in ["horse", "staple", "Favourite"] {
        assert!(!log.contains(word), "{log}");
    }
    page.send(tap()).await;
    let log = page.json(page.get("/ui/api/log").with("cookie", &cookie)).await;
    let last = log["calls"].as_array().unwrap().last().unwrap().clone();
    assert_eq!(
        (&last["tool"], &last["outcome"], &last["target"]),
        (&json!("tap"), &json!("ok"), &json!("phone"))
    );
    assert_eq!(last["arguments"], json!({"x": 500, "y": 250}));
}

#[tokio::test]
async fn a_recording_holds_the_value_of_no_secret() {
    let page = with_secrets(Policy::default(), true, "SAVE=Address book\nOTHER=Favourite Ada Lovelace").await;
    let cookie = page.enter(Access::Control).await;
    let post = |path: &str, body: Value| page.post(path, &body).with("cookie", &cookie);
    let record = |what: &str| post("/ui/api/record", json!({"do": what, "target": "phone"}));
    let mut stream = page.get("/ui/api/events").with("cookie", &cookie).send_only(page.address).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    page.json(record("start")).await;
    assert_eq!(page.event(&mut stream, "recording").await["on"], true);
    drop(stream);
    // By a selector of the caller's own, by a point, and as a text.
    for (tool, arguments) in [
        ("click_element", json!({"element_id": "item \"Favourite Ada Lovelace\""})),
        ("tap", json!({"x": 950, "y": 700})),
        ("set_text", json!({"element_id": "item \"Search contacts\"", "text": "Address book"})),
    ] {
        let called = page.json(post("/ui/api/call", json!({"tool": tool, "arguments": arguments}))).await;
        assert_ne!(called["isError"], true, "{called}");
    }
    let recorded = page.json(record("stop")).await;
    assert_eq!(recorded["steps"].as_array().map(Vec::len), Some(3), "{recorded}");
    assert_eq!(recorded["steps"][2]["arguments"]["text"], json!({"secret": "RECORDED"}), "{recorded}");
    let state = page.json(page.get("/ui/api/state").with("cookie", &cookie)).await;
    for all in [recorded, state] {
        for value in ["Favourite Ada", "Address book"] {
            assert!(!all.to_string().contains(value), "{all}");
        }
    }
}

#[tokio::test]
async fn without_history_calls_are_reported_and_not_kept() {
    let page = watched(Policy::default(), false).await;
    let cookie = page.enter(Access::View).await;
    let mut stream = page.get("/ui/api/events").with("cookie", &cookie).send_only(page.address).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    page.send(tap()).await;
    assert_eq!(page.event(&mut stream, "call").await["tool"], "tap");
    let log = page.json(page.get("/ui/api/log").with("cookie", &cookie)).await;
    assert_eq!((&log["kept"], &log["calls"]), (&json!(false), &json!([])));
}

#[tokio::test]
async fn a_question_is_put_to_the_page_only_while_somebody_can_answer() {
    let policy = Policy { confirm: Confirm::new(&["tap"]).unwrap(), ..Policy::default() };
    let page = watched(policy, true).await;
    let text = |reply: &Value| reply["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned();
    assert!(text(&page.send(tap()).await.json()).contains("cannot ask"));
    let cookie = page.enter(Access::Control).await;
    let mut stream = page.get("/ui/api/events").with("cookie", &cookie).send_only(page.address).await;
    tokio::time::sleep(Duration::from_millis(100)).await;
    for (yes, writes) in [(false, 0), (true, 1)] {
        let address = page.address;
        let asked = tokio::spawn(async move { tap().send(address).await.json() });
        let questions = loop {
            let questions = page.event(&mut stream, "questions").await;
            if questions != json!([]) {
                break questions;
            }
        };
        assert!(questions[0]["text"].as_str().unwrap().contains("tap (x: 500, y: 250)"), "{questions}");
        let answer = json!({"question": questions[0]["number"], "yes": yes});
        page.json(page.post("/ui/api/answer", &answer).with("cookie", &cookie)).await;
        assert_eq!(asked.await.unwrap()["result"]["isError"] == true, !yes);
        assert_eq!(page.target.writes().len(), writes);
        let again = page.send(page.post("/ui/api/answer", &answer).with("cookie", &cookie)).await;
        assert_eq!(again.status, 404, "answered before");
    }
}

#[tokio::test]
async fn pictures_are_made_only_while_somebody_watches() {
    let page = watched(Policy::default(), true).await;
    let cookie = page.enter(Access::View).await;
    let frame = || page.get("/ui/api/frame?target=phone").with("cookie", &cookie);
    assert_eq!(page.send(frame()).await.status, 404, "nobody watches");
    // One viewer that reads nothing, and one that does.
    let dead = page.get("/ui/api/events?target=phone").with("cookie", &cookie).send_only(page.address).await;
    let mut stream =
        page.get("/ui/api/events?target=phone").with("cookie", &cookie).send_only(page.address).await;
    let event = page.event(&mut stream, "frame").await;
    assert!(event["frame"][0].as_u64().is_some_and(|number| number > 0), "{event}");
    let picture = page.send(frame()).await;
    assert_eq!((picture.status, &picture.body[..3]), (200, &[0xff, 0xd8, 0xff][..]));
    let screen = page.json(page.get("/ui/api/screen?target=phone").with("cookie", &cookie)).await;
    let first =
        screen["nodes"].as_array().unwrap().iter().find_map(|node| node["id"].as_str()).unwrap().to_owned();
    let element = page.get(&format!("/ui/api/element?target=phone&id={first}")).with("cookie", &cookie);
    assert_eq!(page.json(element).await["id"], first.as_str());
    drop((dead, stream));
    let gone = async {
        while page.send(frame()).await.status != 404 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(15), gone).await.expect("nobody watches any more");
}

/// A phone that makes its own pictures makes them of any size, and the page keeps many.
#[tokio::test]
async fn a_picture_of_a_device_that_is_too_large_is_not_kept() {
    let page = watched(Policy::default(), true).await;
    let bytes = vec![0xff; 3 * 1024 * 1024 + 1];
    page.target.update(|state| state.screenshot = Some(Screenshot::Jpeg { width: 54, height: 120, bytes }));
    let cookie = page.enter(Access::View).await;
    let watching = page.get("/ui/api/events?target=phone").with("cookie", &cookie);
    let mut stream = watching.send_only(page.address).await;
    let told = page.event(&mut stream, "frame").await;
    assert!(told["problem"].as_str().is_some_and(|problem| problem.contains("too large")), "{told}");
    let frame = page.get("/ui/api/frame?target=phone").with("cookie", &cookie);
    assert_eq!(page.send(frame).await.status, 404);
}

#[tokio::test]
async fn nothing_is_told_to_a_session_that_has_ended() {
    let page = watched(Policy::default(), true).await;
    let cookie = page.enter(Access::Control).await;
    let events = page.get("/ui/api/events").with("cookie", &cookie);
    let mut stream = events.send_only(page.address).await;
    tap().send(page.address).await;
    page.event(&mut stream, "call").await;
    let left = page.post("/ui/api/leave", &json!({})).with("cookie", &cookie);
    assert_eq!(page.send(left).await.status, 200);
    Call::tool("press_home", "{}").send(page.address).await;
    let rest = async {
        let mut rest = String::new();
        // Less than the ten seconds after which a stream is looked at that has nothing to tell.
        while !rest.ends_with("0\r\n\r\n") && !rest.contains("press_home") {
            let mut bytes = [0; 4096];
            let count = stream.read(&mut bytes).await.expect("the stream holds");
            assert_ne!(count, 0, "the connection was closed: {rest}");
            rest.push_str(&String::from_utf8_lossy(&bytes[..count]));
        }
        rest
    };
    let rest = tokio::time::timeout(Duration::from_secs(8), rest).await.expect("the stream ends");
    assert!(!rest.contains("press_home"), "{rest}");
}

#[tokio::test]
async fn a_device_that_was_unplugged_is_watched_again_when_it_is_back() {
    let page = watched(Policy::default(), true).await;
    let cookie = page.enter(Access::View).await;
    let frame = || page.get("/ui/api/frame?target=phone").with("cookie", &cookie);
    let mut stream =
        page.get("/ui/api/events?target=phone").with("cookie", &cookie).send_only(page.address).await;
    assert_eq!(page.event(&mut stream, "frame").await["frame"][1], 54);
    page.targets.detach("phone");
    assert_eq!(page.event(&mut stream, "targets").await, json!([]));
    assert_eq!(page.send(frame()).await.status, 404, "nobody watches what is not there");
    let back = Arc::new(ScriptedTarget::new("phone", sample::phone()));
    back.update(|state| state.screenshot = Some(Screenshot::Raw(sample::pixels(30, 60))));
    page.targets.attach(back);
    assert_eq!(page.event(&mut stream, "frame").await["frame"][1], 30);
    assert_eq!(page.send(frame()).await.status, 200);
}

#[tokio::test]
async fn streams_are_few() {
    let page = watched(Policy::default(), true).await;
    let cookie = page.enter(Access::View).await;
    let mut open = Vec::new();
    for _ in 0..16 {
        open.push(page.get("/ui/api/events").with("cookie", &cookie).send_only(page.address).await);
    }
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(page.send(page.get("/ui/api/events").with("cookie", &cookie)).await.status, 503);
    assert_eq!(page.send(page.get("/ui/api/state").with("cookie", &cookie)).await.status, 200);
}
