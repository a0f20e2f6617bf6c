//! What the tools of the first interface answer, in the shapes its clients were written for.

mod support;

use base64::Engine;
use fingertip_core::target::{
    LogLevel, LogPage, LogTime, PixelFormat, Pixels, Screenshot, ScreenshotRequest, SystemAction,
};
use fingertip_core::test_support::{Event, sample, tree};
use fingertip_core::{Screen, Snapshot};
use fingertip_mcp::transport::MAX_MESSAGE_BYTES;
use serde_json::{Value, json};
use support::v1::{Phone, phone, post, showing, tool};

/// The tree of a phone.
async fn read_tree(phone: &Phone) -> Value {
    let text = phone.text("get_accessibility_tree", json!({})).await;
    serde_json::from_str(&text).expect("the text is JSON")
}

#[tokio::test]
async fn the_tree_is_nested_and_has_every_field_of_every_node() {
    let snapshot = tree(
        r#"
        screen 1080x2400@420
        app com.android.calculator2 .Calculator
        window "Calculator" com.android.calculator2 [0,0,1080,2400] focused
        android.widget.FrameLayout [0,0,1080,2400]
          android.widget.TextView "Calculator" [100,50,500,120]
        "#,
    );
    let phone = showing(snapshot).await;
    let result = phone.result("get_accessibility_tree", json!({})).await;
    assert_eq!(result["_meta"], json!({"fingertip/untrusted": true}));
    let text = result["content"][0]["text"].as_str().unwrap();
    let ids: Vec<&str> = text.split('"').filter(|part| part.starts_with("node_")).collect();
    let [root, child] = ids[..] else { panic!("two ids in {text}") };
    let child = format!(
        r#"{{"id":"{child}","className":"android.widget.TextView","text":"Calculator","contentDescription":null,"resourceId":null,"bounds":{{"left":100,"top":50,"right":500,"bottom":120}},"clickable":false,"longClickable":false,"focusable":false,"scrollable":false,"editable":false,"enabled":true,"visible":true,"children":[]}}"#
    );
    let wanted = format!(
        r#"{{"nodes":[{{"id":"{root}","className":"android.widget.FrameLayout","text":null,"contentDescription":null,"resourceId":null,"bounds":{{"left":0,"top":0,"right":1080,"bottom":2400}},"clickable":false,"longClickable":false,"focusable":false,"scrollable":false,"editable":false,"enabled":true,"visible":true,"children":[{child}]}}]}}"#
    );
    assert_eq!(text, wanted);
}

#[tokio::test]
async fn flags_names_and_ids_are_those_of_the_screen() {
    let phone = phone().await;
    let tree = read_tree(&phone).await;
    let search = &tree["nodes"][0]["children"][1];
    assert_eq!(search["resourceId"], "com.example.contacts:id/search");
    for (flag, wanted) in [
        ("clickable", true),
        ("longClickable", true),
        ("focusable", true),
        ("scrollable", false),
        ("editable", true),
        ("enabled", true),
        ("visible", true),
    ] {
        assert_eq!(search[flag], wanted, "{flag}");
    }
    assert_eq!(tree["nodes"][0]["children"][0]["children"][0]["contentDescription"], "Navigate up");
    assert_eq!(tree["nodes"][0]["children"][3]["scrollable"], true);

    // An id of the tree is an id to act on.
    let id = search["id"].as_str().unwrap();
    let text = phone.text("set_text", json!({"element_id": id, "text": "Ada"})).await;
    assert_eq!(text, format!("Text set on element '{id}'"));
    let again = read_tree(&phone).await["nodes"][0]["children"][1].clone();
    assert_eq!((&again["id"], &again["text"]), (&json!(id), &json!("Ada")));
}

#[tokio::test]
async fn a_password_is_not_in_the_tree() {
    let phone = phone().await;
    let tree = read_tree(&phone).await;
    let field = &tree["nodes"][0]["children"][2];
    assert_eq!(field["resourceId"], "com.example.contacts:id/password");
    assert_eq!(field["text"], Value::Null);
    assert!(!tree.to_string().contains("secret"));
}

#[tokio::test]
async fn the_app_in_front_is_named_or_unknown() {
    let phone = phone().await;
    let text = phone.text("get_current_app", json!({})).await;
    assert_eq!(text, r#"{"packageName":"com.example.contacts","activityName":".MainActivity"}"#);
    phone.target.update(|state| {
        state.snapshot = Snapshot::builder(Screen { width: 1080, height: 2400, density: 420 }).finish();
    });
    let text = phone.text("get_current_app", json!({})).await;
    assert_eq!(text, r#"{"packageName":"unknown","activityName":"unknown"}"#);
}

#[tokio::test]
async fn the_screen_is_measured_as_it_is_turned() {
    let phone = phone().await;
    let text = phone.text("get_screen_info", json!({})).await;
    assert_eq!(text, r#"{"width":1080,"height":2400,"densityDpi":420,"orientation":"portrait"}"#);
    phone.target.update(|state| {
        state.snapshot = Snapshot::builder(Screen { width: 2400, height: 1080, density: 420 }).finish();
    });
    let text = phone.text("get_screen_info", json!({})).await;
    assert_eq!(text, r#"{"width":2400,"height":1080,"densityDpi":420,"orientation":"landscape"}"#);
}

/// The file of a reply that holds one picture, checked against what the reply says of it.
fn picture(result: &Value) -> Vec<u8> {
    let content = result["content"].as_array().expect("content");
    assert_eq!(content.len(), 1);
    let members: Vec<&String> = content[0].as_object().expect("an object").keys().collect();
    assert_eq!(members, ["type", "data", "mimeType", "width", "height"]);
    assert_eq!((&content[0]["type"], &content[0]["mimeType"]), (&json!("image"), &json!("image/jpeg")));
    let data = content[0]["data"].as_str().expect("data");
    let file = base64::engine::general_purpose::STANDARD.decode(data).expect("base64");
    let frame = file.windows(2).position(|pair| pair == [0xff, 0xc0]).expect("a frame header");
    let number = |at: usize| u64::from(u16::from_be_bytes([file[frame + at], file[frame + at + 1]]));
    let said = ["width", "height"].map(|side| content[0][side].as_u64().expect("a number"));
    assert_eq!([number(7), number(5)], said);
    file
}

#[tokio::test]
async fn a_screenshot_has_the_size_of_the_screen_and_says_so() {
    let phone = phone().await;
    let result = phone.result("capture_screenshot", json!({})).await;
    picture(&result);
    let item = &result["content"][0];
    assert_eq!((&item["width"], &item["height"]), (&json!(1080), &json!(2400)));
    assert_eq!(result["_meta"], json!({"fingertip/untrusted": true}));
    assert_eq!(
        phone.target.events(),
        [Event::Screenshot(ScreenshotRequest { region: None, longest_side: None, quality: 80 })]
    );
}

/// A picture that no encoder can make small.
fn noise(width: u32, height: u32) -> Screenshot {
    let mut seed = 0x2545_f491_u32;
    let data = std::iter::repeat_with(|| {
        seed ^= seed << 13;
        seed ^= seed >> 17;
        seed ^= seed << 5;
        seed as u8
    });
    let data = data.take((width * height * 3) as usize).collect();
    Screenshot::Raw(Pixels { width, height, stride: width as usize * 3, format: PixelFormat::Rgb, data })
}

#[tokio::test]
async fn the_quality_asked_for_is_the_quality_given() {
    let phone = phone().await;
    phone.target.update(|state| state.screenshot = Some(noise(200, 100)));
    let mut sizes = Vec::new();
    for quality in [1, 50, 100] {
        sizes.push(picture(&phone.result("capture_screenshot", json!({"quality": quality})).await).len());
    }
    assert!(sizes.is_sorted() && sizes[0] * 2 < sizes[2], "{sizes:?}");
}

#[tokio::test]
async fn a_picture_may_be_larger_than_any_request() {
    let phone = phone().await;
    phone.target.update(|state| state.screenshot = Some(noise(900, 1600)));
    let reply = phone.send(tool("capture_screenshot", &json!({"quality": 100}))).await;
    assert!(reply.body.len() > MAX_MESSAGE_BYTES, "{}", reply.body.len());
    picture(&reply.json()["result"]);
}

#[tokio::test]
async fn system_actions_are_done_and_said() {
    let phone = phone().await;
    for (name, text, action) in [
        ("press_back", "Back button press executed successfully", SystemAction::Back),
        ("press_home", "Home button press executed successfully", SystemAction::Home),
        ("press_recents", "Recents button press executed successfully", SystemAction::Recents),
        ("open_notifications", "Open notifications executed successfully", SystemAction::Notifications),
        ("open_quick_settings", "Open quick settings executed successfully", SystemAction::QuickSettings),
    ] {
        phone.target.clear_events();
        let result = phone.result(name, json!({})).await;
        assert_eq!(result, json!({"content": [{"type": "text", "text": text}]}));
        assert_eq!(phone.target.writes(), [Event::System(action)]);
    }
}

#[tokio::test]
async fn logs_are_one_text_and_every_filter_reaches_the_device() {
    let phone = phone().await;
    let lines = [
        "02-11 16:30:00.123 D/MCP:ServerService: Server started on port 8080",
        "02-11 16:30:01.456 I/MCP:ServerService: Client connected",
    ];
    phone.target.update(|state| {
        state.logs = LogPage { lines: lines.map(str::to_owned).to_vec(), truncated: false, note: None };
    });
    let arguments = json!({
        "last_lines": 50, "since": "1970-01-01T00:00:01Z", "until": "1970-01-01T00:00:02Z",
        "tag": "MCP:ServerService", "level": "W", "package_name": "com.example",
    });
    let result = phone.result("get_device_logs", arguments).await;
    assert_eq!(result.get("structuredContent"), None);
    let text = json!({"logs": lines.join("\n"), "line_count": 2, "truncated": false}).to_string();
    assert_eq!(result["content"], json!([{"type": "text", "text": text}]));
    let [Event::Logs(query)] = &phone.target.events()[..] else { panic!("one look at the logs") };
    assert_eq!((query.limit, query.level), (50, LogLevel::Warning));
    assert_eq!((query.since, query.until), (Some(LogTime::Absolute(1000)), Some(LogTime::Absolute(2000))));
    assert_eq!(query.tag.as_deref(), Some("MCP:ServerService"));
    assert_eq!(query.package.as_deref(), Some("com.example"));
}

#[tokio::test]
async fn ids_are_echoed_as_written_and_arguments_may_be_left_out() {
    let phone = phone().await;
    for (id, params) in [
        ("7", r#"{"name":"press_back"}"#),
        (r#""seven""#, r#"{"name":"press_back","arguments":null}"#),
        ("7.0", r#"{"arguments":{},"name":"press_back"}"#),
    ] {
        let body = format!(r#"{{"id":{id},"params":{params},"method":"tools/call","jsonrpc":"2.0"}}"#);
        let reply = phone.send(post(body)).await;
        let text = String::from_utf8(reply.body).unwrap();
        assert!(text.starts_with(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"content":"#)), "{text}");
    }
    assert_eq!(phone.target.writes().len(), 3);
}

#[tokio::test]
async fn a_dialog_or_keyboard_follows_the_window_in_front() {
    let phone = showing(sample::phone_with_keyboard()).await;
    let tree = read_tree(&phone).await;
    let roots = tree["nodes"].as_array().unwrap();
    assert_eq!(roots.len(), 2);
    assert_eq!(roots[0]["children"][0]["resourceId"], "com.example.contacts:id/toolbar");
    assert_eq!(roots[1]["children"][2]["contentDescription"], "Enter");
}
