//! `get_screen_state` and `get_element_details` through the whole call.

use std::sync::Arc;

use base64::Engine;
use fingertip_core::target::{Capabilities, PixelFormat, Pixels, Screenshot};
use fingertip_core::test_support::{Event, ScriptedTarget, sample, tree};
use fingertip_core::{Error, Reason};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::view::{Format, View};
use serde_json::json;

use super::bench;

#[tokio::test]
async fn the_screen_is_shown_as_published() {
    let text = bench::phone().text("get_screen_state", json!({})).await;
    insta::assert_snapshot!(text);
}

#[tokio::test]
async fn screen_text_is_marked_untrusted_and_no_picture_is_taken_unasked() {
    let bench = bench::phone();
    let result = bench.call("get_screen_state", json!({"include_screenshot": false})).await;
    assert_eq!(result["_meta"]["fingertip/untrusted"], true);
    assert_eq!(result["content"].as_array().unwrap().len(), 1);
    assert!(!bench.target.events().iter().any(|event| matches!(event, Event::Screenshot(_))));
}

#[tokio::test]
async fn a_picture_is_small_and_comes_second() {
    let bench = bench::phone();
    let result = bench.call("get_screen_state", json!({"include_screenshot": true})).await;
    assert_eq!(result["content"][0]["type"], "text");
    assert_eq!(result["content"][1]["type"], "image");
    assert_eq!(result["content"][1]["mimeType"], "image/jpeg");
    let data = result["content"][1]["data"].as_str().unwrap();
    let jpeg = base64::engine::general_purpose::STANDARD.decode(data).unwrap();
    assert_eq!(size_of_jpeg(&jpeg), (315, 700));
    // Clients of the first reference take exactly two parts; where the picture lies is said beside them.
    assert_eq!(result["content"].as_array().unwrap().len(), 2);
    assert_eq!(result["_meta"]["fingertip/screenshot"]["width"], 315);
}

/// The picture of a reply: its size, and what is said of it.
fn picture_of(result: &serde_json::Value) -> ((u32, u32), String, serde_json::Value) {
    let data = result["content"][1]["data"].as_str().unwrap_or_else(|| panic!("{result}"));
    let jpeg = base64::engine::general_purpose::STANDARD.decode(data).expect("base64");
    let said = result["content"][2]["text"].as_str().expect("a note").to_owned();
    let (width, height) = size_of_jpeg(&jpeg);
    ((width.into(), height.into()), said, result["_meta"]["fingertip/screenshot"].clone())
}

#[tokio::test]
async fn a_picture_is_whole_or_a_part_at_the_scale_asked_for_and_says_so() {
    let bench = bench::phone();
    let save = bench.id("Save").await;
    let bounds = |snapshot: &fingertip_core::Snapshot| {
        let index = snapshot.indices().find(|index| snapshot.node(*index).label() == Some("Save")).unwrap();
        snapshot.node(index).bounds
    };
    let of_save = bounds(&bench.target.state().snapshot);
    let save_size = (of_save.width() as u32, of_save.height() as u32);
    for (arguments, size, said) in [
        (
            json!({"screenshot_scale": 1}),
            (1080, 2400),
            "0,0,1080,2400 of the screen in 1080x2400 pixels, scale 1;",
        ),
        (json!({"screenshot_scale": 0.5}), (540, 1200), "scale 0.5; screen x = 0 + 2 * x"),
        (
            json!({"screenshot_region": "100,200,300,500"}),
            (200, 300),
            "100,200,300,500 of the screen in 200x300 pixels",
        ),
        (
            json!({"screenshot_region": "1000,2300,3000,9000", "screenshot_scale": 0.5}),
            (40, 50),
            "1000,2300,1080,2400 of the screen in 40x50 pixels, scale 0.5; screen x = 1000 + 2 * x, y = 2300 + 2 * y.",
        ),
        (json!({"screenshot_region": save}), save_size, "scale 1;"),
    ] {
        let (found, sentence, meta) = picture_of(&bench.call("get_screen_state", arguments.clone()).await);
        assert_eq!(found, size, "{arguments}");
        assert!(sentence.starts_with("screenshot: ") && sentence.contains(said), "{arguments}: {sentence}");
        assert_eq!((&meta["width"], &meta["height"]), (&json!(size.0), &json!(size.1)), "{arguments}");
    }
}

#[tokio::test]
async fn a_picture_that_is_too_large_is_smaller_and_says_so() {
    let bench = bench::phone();
    // A driver that encodes by itself; what it makes grows with the area.
    bench.target.on_event(|event, state| {
        if let Event::Screenshot(request) = event {
            let height = request.longest_side.unwrap_or(2400);
            let bytes = vec![0; (height * height) as usize];
            state.screenshot = Some(Screenshot::Jpeg { width: height * 1080 / 2400, height, bytes });
        }
    });
    let result = bench.call("get_screen_state", json!({"screenshot_scale": 1})).await;
    let said = result["content"][2]["text"].as_str().unwrap_or_else(|| panic!("{result}"));
    assert!(said.contains("Scaled down"), "{said}");
    let meta = &result["_meta"]["fingertip/screenshot"];
    assert_eq!(meta["reduced"], true);
    assert!(meta["height"].as_u64().unwrap() < 1800, "{meta}");
    assert!(result["content"][1]["data"].as_str().unwrap().len() <= 4 * 1024 * 1024);
}

#[tokio::test]
async fn a_wrong_part_of_the_screen_is_named() {
    let bench = bench::phone();
    for region in ["1,2,3", "a,b,c,d", "5,5,5,9", "9,9,1,1", "node", "1,2,3,99999999999", "2000,0,2100,50"] {
        let (kind, text) = bench.failure("get_screen_state", json!({"screenshot_region": region})).await;
        assert_eq!(kind, "invalid_params", "{region}: {text}");
        assert!(text.contains("'screenshot_region'"), "{region}: {text}");
    }
    let (kind, _) = bench.failure("get_screen_state", json!({"screenshot_region": "node_ffff"})).await;
    assert_eq!(kind, "element_not_found");
    assert!(!bench.target.events().iter().any(|event| matches!(event, Event::Screenshot(_))));
}

#[tokio::test]
async fn a_picture_that_fails_says_so() {
    let bench = bench::phone();
    bench.target.update(|state| {
        let pixels =
            Pixels { width: 10, height: 10, stride: 40, format: PixelFormat::Rgba, data: vec![0; 7] };
        state.screenshot = Some(Screenshot::Raw(pixels));
    });
    let (kind, text) = bench.failure("get_screen_state", json!({"include_screenshot": true})).await;
    assert_eq!(kind, "action_failed");
    assert!(text.starts_with("Screenshot capture failed"), "{text}");

    let blind = Capabilities::all() - Capabilities::SCREENSHOT;
    let bench = bench::with(ScriptedTarget::new("phone", sample::phone()).with_capabilities(blind));
    let (kind, _) = bench.failure("get_screen_state", json!({"include_screenshot": true})).await;
    assert_eq!(kind, "permission_denied");
    bench.text("get_screen_state", json!({})).await;
}

#[tokio::test]
async fn errors_of_the_device_are_passed_on() {
    let bench = bench::phone();
    bench
        .target
        .fail_next(Error::new(Reason::PermissionDenied, "The phone is locked.").with_guidance("Unlock it."));
    let (kind, text) = bench.failure("get_screen_state", json!({})).await;
    assert_eq!((kind.as_str(), text.as_str()), ("permission_denied", "The phone is locked. Unlock it."));
}

#[tokio::test]
async fn a_long_list_is_paged_in_the_screen_as_it_was() {
    let rows: String =
        (0..450).map(|row| format!("  TextView \"row {row}\" [0,{row},9,{}]\n", row + 1)).collect();
    let bench = bench::showing(tree(&format!("ListView [0,0,1080,2400] s\n{rows}")));
    let first = bench.text("get_screen_state", json!({})).await;
    let last = first.lines().last().unwrap();
    let cursor = last.strip_prefix("more:251 cursor:").expect(last).to_owned();
    bench.target.update(|state| state.edit("row 300", |node| node.text = Some("changed".into())));

    let second = bench.text("get_screen_state", json!({"cursor": cursor})).await;
    assert!(second.contains("row 300") && !second.contains("changed"), "the screen is frozen");
    let next = second.lines().last().unwrap().strip_prefix("more:51 cursor:").unwrap();
    let third = bench.text("get_screen_state", json!({"cursor": next})).await;
    assert!(!third.contains("more:"));

    let is_row = |line: &&str| line.starts_with("node_");
    let rows = [&first, &second, &third].map(|page| page.lines().filter(is_row).count());
    assert_eq!(rows, [200, 200, 51]);
}

#[tokio::test]
async fn a_cursor_that_is_wrong_or_expired_says_to_ask_again() {
    let rows: String =
        (0..300).map(|row| format!("  TextView \"row {row}\" [0,{row},9,{}]\n", row + 1)).collect();
    let bench = bench::showing(tree(&format!("ListView [0,0,1080,2400] s\n{rows}")));
    let first = bench.text("get_screen_state", json!({})).await;
    let cursor = first.rsplit_once("cursor:").unwrap().1.to_owned();
    for _ in 0..fingertip_mcp::targets::FROZEN_SCREENS {
        bench.text("get_screen_state", json!({})).await;
    }
    for (cursor, said) in [(cursor.as_str(), "expired"), ("s999-0", "expired"), ("rubbish", "'more:' line")] {
        let (kind, text) = bench.failure("get_screen_state", json!({ "cursor": cursor })).await;
        assert_eq!(kind, "invalid_params");
        assert!(text.contains(said) && text.contains("Ask again"), "{text}");
    }
    let both = json!({"cursor": "s1-1", "include_screenshot": true});
    let (kind, _) = bench.failure("get_screen_state", both).await;
    assert_eq!(kind, "invalid_params");
}

#[tokio::test]
async fn details_are_whole_and_unknown_ids_are_listed() {
    let long = "word ".repeat(60);
    let bench =
        bench::showing(tree(&format!("FrameLayout [0,0,9,9]\n  TextView \"{long}end\" d\"said\" [0,0,9,9]")));
    let screen = bench.text("get_screen_state", json!({})).await;
    assert!(screen.contains("...truncated"));
    let id = screen.lines().last().unwrap().split('\t').next().unwrap();
    let details = bench.text("get_element_details", json!({"ids": [id, "node_ffffffff", "rubbish"]})).await;
    assert_eq!(
        details,
        format!(
            "id\ttext\tdesc\n{id}\t{long}end\tsaid\nnode_ffffffff\tnot_found\tnot_found\nrubbish\tnot_found\tnot_found"
        )
    );
}

/// Width and height from the frame header.
fn size_of_jpeg(file: &[u8]) -> (u16, u16) {
    let start = file.windows(2).position(|pair| pair == [0xff, 0xc0]).expect("a frame header");
    let number = |at: usize| u16::from_be_bytes([file[start + at], file[start + at + 1]]);
    (number(7), number(5))
}

#[tokio::test]
async fn a_lean_screen_is_a_line_for_each_thing_and_its_ids_are_those_of_the_table() {
    let bench = bench::phone();
    let lean = bench.text("get_screen_state", json!({"format": "lean"})).await;
    let table = bench.text("get_screen_state", json!({})).await;
    assert!(lean.starts_with("app com.example.contacts .MainActivity, screen 1080x2400\n"), "{lean}");
    for line in lean.lines().skip(1) {
        let id = line.split(' ').next().expect("an id");
        assert!(table.contains(&format!("\n{id}\t")), "{line}");
    }
    assert!(lean.len() * 2 < table.len(), "{} of {}", lean.len(), table.len());
}

#[tokio::test]
async fn a_lean_screen_shows_places_and_parts_on_request() {
    let bench = bench::phone();
    let placed = bench.text("get_screen_state", json!({"format": "lean", "bounds": true})).await;
    assert!(placed.lines().any(|line| line.ends_with("\"Save\" 42,2200,1038,2326")), "{placed}");
    let list = placed.lines().find(|line| line.contains("\"Contacts\"")).expect("the list");
    let list = list.split(' ').next().expect("an id");
    let part = bench.text("get_screen_state", json!({"within": list})).await;
    assert!(part.contains("Ada Lovelace") && !part.contains("\"Save\""), "{part}");
}

#[tokio::test]
async fn what_fits_only_the_lean_form_is_refused_for_a_table() {
    let bench = bench::phone();
    for (name, value) in [("bounds", json!(true)), ("within", json!("node_0001"))] {
        let (kind, text) = bench.failure("get_screen_state", json!({"format": "table", name: value})).await;
        assert_eq!(kind, "invalid_params");
        assert!(text.contains(&format!("'{name}'")), "{text}");
    }
    let (kind, text) = bench.failure("get_screen_state", json!({"format": "lean", "cursor": "l1-2"})).await;
    assert_eq!(kind, "invalid_params");
    assert!(text.contains("'cursor'"), "{text}");
}

#[tokio::test]
async fn the_owner_chooses_the_form_of_screens_that_calls_leave_open() {
    let bench = bench::phone();
    let targets = Arc::clone(bench.dispatcher.targets());
    let dispatcher = Dispatcher::new(targets, Policy::default())
        .with_view(View { format: Format::Lean, ..View::default() });
    let said = bench::call(&dispatcher, "get_screen_state", json!({})).await;
    let text = said["content"][0]["text"].as_str().expect("a text");
    assert!(text.starts_with("app "), "{text}");
    let said = bench::call(&dispatcher, "get_screen_state", json!({"format": "table"})).await;
    assert!(said["content"][0]["text"].as_str().expect("a text").starts_with("note:"));
}

#[tokio::test]
async fn a_screen_of_few_tokens_says_what_it_leaves_out_and_goes_on() {
    let bench = bench::phone();
    let whole = bench.text("get_screen_state", json!({"format": "lean"})).await;
    let first = bench.text("get_screen_state", json!({"max_tokens": 100})).await;
    assert!(first.starts_with("app ") && first.len() < whole.len(), "{first}");
    let mut lines: Vec<String> = Vec::new();
    let mut page = first;
    while let Some((shown, rest)) = page.split_once("\nmore:") {
        lines.extend(shown.lines().map(str::to_owned));
        let cursor = rest.split_once("cursor:").expect("a cursor").1.split(' ').next().expect("a cursor");
        page = bench.text("get_screen_state", json!({"cursor": cursor})).await;
    }
    lines.extend(page.lines().map(str::to_owned));
    for line in whole.lines() {
        assert!(lines.iter().any(|other| other == line), "{line}: {lines:?}");
    }
    let (kind, text) = bench.failure("get_screen_state", json!({"format": "table", "max_tokens": 500})).await;
    assert!(kind == "invalid_params" && text.contains("'max_tokens' needs the format lean"), "{text}");
    let (_, text) = bench.failure("get_screen_state", json!({"max_tokens": 5})).await;
    assert!(text.contains("'max_tokens' must be a whole number from 100 to 20000"), "{text}");
}

#[tokio::test]
async fn marks_are_drawn_on_the_picture_and_said_to_be_ids() {
    let bench = bench::phone();
    let plain = bench.call("get_screen_state", json!({"screenshot_scale": 0.29})).await;
    let marked = bench.call("get_screen_state", json!({"screenshot_scale": 0.29, "marks": true})).await;
    assert_ne!(plain["content"][1]["data"], marked["content"][1]["data"]);
    assert!(!picture_of(&plain).1.contains("Labels"));
    let small = bench.call("get_screen_state", json!({"marks": true})).await;
    let (size, said, _) = picture_of(&small);
    assert_eq!(size, (315, 700));
    assert!(said.ends_with(" Labels are ids without 'node_'."), "{said}");
    let (kind, _) = bench.failure("get_screen_state", json!({"marks": true, "cursor": "l1-2"})).await;
    assert_eq!(kind, "invalid_params");
}
