//! Tools that need the user's consent: nothing happens without a yes.

use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use fingertip_core::target::App;
use fingertip_core::test_support::{Event, ScriptedTarget, sample, tree};
use fingertip_mcp::dispatch::{CallError, Dispatcher, Interface};
use fingertip_mcp::policy::confirm::{Answer, Asker, Question, Why};
use fingertip_mcp::policy::{Blocklist, Caller, Confirm, Policy};
use fingertip_mcp::secrets::Secrets;
use serde_json::{Value, json};

use crate::bench::{self, Bench};

/// A user who always answers alike, and remembers what was asked.
struct User(Answer, Mutex<Vec<String>>);

#[async_trait]
impl Asker for User {
    async fn ask(&self, question: &Question) -> Answer {
        self.1.lock().expect("a lock").push(question.sentence.clone());
        self.0
    }
}

fn confirming(names: &[&str]) -> Bench {
    let policy = Policy { confirm: Confirm::new(names).expect("known names"), ..Policy::default() };
    bench::under(policy, ScriptedTarget::new("phone", sample::phone()))
}

async fn ask(bench: &Bench, user: &Arc<User>, tool: &str, arguments: Value) -> Result<(), CallError> {
    let caller = Caller { asker: Arc::clone(user) as Arc<dyn Asker>, ..Caller::over("stdio") };
    let arguments = arguments.as_object().expect("an object").clone();
    bench.dispatcher.answer(Interface::Current, tool, &arguments, caller).await.map(drop)
}

fn user(answer: Answer) -> Arc<User> {
    Arc::new(User(answer, Mutex::default()))
}

#[tokio::test]
async fn with_a_yes_the_call_goes_on() {
    let bench = confirming(&["click_element"]);
    let id = bench.id("Save").await;
    let yes = user(Answer::Yes);
    ask(&bench, &yes, "click_element", json!({"element_id": id})).await.expect("done");
    assert_eq!(bench.target.writes().len(), 1);
    let asked = yes.1.lock().unwrap().clone();
    assert_eq!(
        asked,
        [format!(
            "An agent wants to use click_element (element_id: \"{id}\") on Button \"Save\" on the device \"phone\", \
             where \"com.example.contacts\" is in front. Allow it?"
        )]
    );
}

#[tokio::test]
async fn without_a_yes_nothing_happens() {
    let bench = confirming(&["device"]);
    for why in [Why::Declined, Why::Dismissed, Why::Silent, Why::Unable, Why::Unasked] {
        let outcome = ask(&bench, &user(Answer::No(why)), "tap", json!({"x": 5, "y": 500})).await;
        let Err(CallError::Failed(error)) = outcome else { panic!("{why:?} lets it pass") };
        assert_eq!(error.reason().name(), "refused");
        assert!(error.message().starts_with("Nothing was done"), "{error}");
    }
    let later = ask(&bench, &user(Answer::Later), "tap", json!({"x": 5, "y": 500})).await;
    assert!(matches!(later, Err(CallError::Asked)));
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn a_client_that_cannot_be_asked_is_refused_on_both_interfaces() {
    let bench = confirming(&["tap"]);
    let (kind, text) = bench.failure("tap", json!({"x": 5, "y": 500})).await;
    assert_eq!(kind, "refused");
    assert!(text.contains("this client cannot ask"), "{text}");
    let arguments = json!({"x": 5, "y": 500}).as_object().expect("an object").clone();
    let v1 = bench.dispatcher.answer(Interface::V1, "tap", &arguments, Caller::over("v1")).await;
    assert!(v1.is_err());
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn wrong_input_is_said_before_the_user_is_asked_and_other_tools_ask_nothing() {
    let bench = confirming(&["tap"]);
    let no = user(Answer::No(Why::Declined));
    let Err(CallError::Failed(error)) = ask(&bench, &no, "tap", json!({"x": 5})).await else {
        panic!("wrong input");
    };
    assert_eq!(error.reason().name(), "invalid_params");
    ask(&bench, &no, "press_home", json!({})).await.expect("done");
    assert_eq!(no.1.lock().unwrap().len(), 0);
}

#[tokio::test]
async fn the_question_holds_no_password_and_no_sentence_of_the_screen_s_own() {
    let bench = confirming(&["set_text"]);
    let password = bench.id_of("password").await;
    let yes = user(Answer::Yes);
    ask(&bench, &yes, "set_text", json!({"element_id": password, "text": "hunter2"})).await.expect("done");
    let search = bench.id_of("search").await;
    bench
        .target
        .update(|state| state.edit("Search contacts", |node| node.hint = Some("a\nAllow it?".into())));
    ask(&bench, &yes, "set_text", json!({"element_id": search, "text": "x"})).await.expect("done");
    let asked = yes.1.lock().unwrap().clone();
    assert!(asked[0].contains("(7 characters)") && !asked[0].contains("hunter2"), "{}", asked[0]);
    assert!(!asked[1].contains('\n'), "{}", asked[1]);
}

#[tokio::test]
async fn an_element_named_by_its_path_is_asked_about_where_it_stands() {
    let policy = Policy { confirm: Confirm::new(&["set_value"]).expect("known names"), ..Policy::default() };
    let bench = bench::under(policy, bench::desktop_target(sample::desktop()));
    let yes = user(Answer::Yes);
    let path = r#"app(10)/window["Notes"]/text_field["Password"]"#;
    let call = json!({"element_path": path, "value": "hunter2"});
    ask(&bench, &yes, "set_value", call).await.expect("done");
    let missing = json!({"element_path": r#"app(10)/window["Notes"]/text_field["PIN"]"#, "value": "hunter2"});
    ask(&bench, &yes, "set_value", missing).await.expect_err("no such field");
    let asked = yes.1.lock().unwrap().clone();
    assert!(asked[0].contains("in \"editor\", which is not in front"), "{}", asked[0]);
    assert!(
        asked.iter().all(|asked| asked.contains("(7 characters)") && !asked.contains("hunter2")),
        "{asked:?}"
    );
}

#[tokio::test]
async fn an_element_that_another_application_shows_is_asked_about_as_its_own_one_s() {
    fn lend(target: &ScriptedTarget, owner: &str, pid: u32) {
        let owner = App { name: owner.into(), id: None, pid: Some(pid), focused: false, background: false };
        target.update(|state| state.embedded = vec![("Password".to_owned(), owner)]);
    }
    let policy = Policy { confirm: Confirm::new(&["set_value"]).expect("known names"), ..Policy::default() };
    let bench = bench::under(policy, bench::desktop_target(sample::desktop()));
    let call = json!({"element_path": r#"app(10)/window["Notes"]/text_field["Password"]"#, "value": "x"});
    lend(&bench.target, "wallet", 77);
    let yes = user(Answer::Yes);
    ask(&bench, &yes, "set_value", call.clone()).await.expect("done");
    let asked = yes.1.lock().unwrap()[0].clone();
    assert!(asked.contains(", in \"wallet\", in \"editor\", which is not in front"), "{asked}");
    bench.target.clear_events();
    let changing = Meanwhile(Arc::clone(&bench.target), |target| lend(target, "other", 78));
    let caller = Caller { asker: Arc::new(changing), ..Caller::over("stdio") };
    let arguments = call.as_object().unwrap();
    let outcome = bench.dispatcher.answer(Interface::Current, "set_value", arguments, caller).await;
    let Err(CallError::Failed(error)) = outcome else { panic!("it was done") };
    assert!(error.message().contains("since the user agreed"), "{error}");
    assert_eq!(bench.target.writes(), []);
}

/// A user who agrees while something else happens to the screen.
struct Meanwhile(Arc<ScriptedTarget>, fn(&ScriptedTarget));

#[async_trait]
impl Asker for Meanwhile {
    async fn ask(&self, _: &Question) -> Answer {
        (self.1)(&self.0);
        Answer::Yes
    }
}

/// Nothing is blocked, and these tools are asked about.
fn only_confirming(names: &[&str]) -> Bench {
    let confirm = Confirm::new(names).expect("known names");
    let policy = Policy { confirm, blocklist: Arc::new(Blocklist::empty()), ..Policy::default() };
    bench::under(policy, ScriptedTarget::new("phone", calculator()))
}

fn calculator() -> fingertip_core::Snapshot {
    screen("com.calculator", "7")
}

fn screen(app: &str, label: &str) -> fingertip_core::Snapshot {
    tree(&format!(
        r#"
        screen 1080x2400@420
        app {app} .Main
        window "Main" {app} [0,0,1080,2400] layer=1 focused
        FrameLayout [0,0,1080,2400]
          Button "{label}" [100,800,300,900] cf
          EditText "0" #display [42,420,1038,546] clfeo
        "#
    ))
}

async fn while_asked(bench: &Bench, meanwhile: fn(&ScriptedTarget), tool: &str, call: Value) -> String {
    let asker = Arc::new(Meanwhile(Arc::clone(&bench.target), meanwhile));
    let caller = Caller { asker, ..Caller::over("stdio") };
    let call = call.as_object().expect("an object").clone();
    match bench.dispatcher.answer(Interface::Current, tool, &call, caller).await {
        Err(CallError::Failed(error)) => {
            assert_eq!(error.reason().name(), "refused", "{error}");
            error.to_string()
        }
        other => panic!("{tool}: {:?}", other.map(drop)),
    }
}

#[tokio::test]
async fn a_yes_for_one_application_is_none_for_another_that_came_up_meanwhile() {
    let opened: fn(&ScriptedTarget) =
        |target| target.update(|state| state.snapshot = screen("com.settings", "7"));
    let path = json!([[{"x": 204, "y": 829, "time": 0}, {"x": 204, "y": 829, "time": 50}]]);
    for (tool, call) in [
        ("tap", json!({"x": 204, "y": 829})),
        ("swipe", json!({"x1": 204, "y1": 829, "x2": 204, "y2": 100})),
        ("custom_gesture", json!({"paths": path})),
        ("press_key", json!({"key": "ENTER"})),
        ("input_text", json!({"text": "1"})),
        ("press_back", json!({})),
    ] {
        let bench = only_confirming(&["device"]);
        let text = while_asked(&bench, opened, tool, call).await;
        assert!(text.contains("the screen changed since the user agreed"), "{tool}: {text}");
        assert!(text.contains("com.settings"), "{tool}: {text}");
        assert_eq!(bench.target.writes(), [], "{tool}");
    }
}

#[tokio::test]
async fn a_yes_for_one_element_is_none_for_another_in_its_place() {
    let renamed: fn(&ScriptedTarget) =
        |target| target.update(|state| state.snapshot = screen("com.calculator", "Pay"));
    let bench = only_confirming(&["device"]);
    while_asked(&bench, renamed, "tap", json!({"x": 204, "y": 829})).await;
    let bench = only_confirming(&["click_element"]);
    let id = bench.id("7").await;
    while_asked(&bench, renamed, "click_element", json!({"element_id": id})).await;
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn a_yes_holds_for_the_words_that_the_question_had_no_room_for() {
    let order = |amount: &str| format!("{} pay {amount} to the shop{}", "a".repeat(70), "b".repeat(40));
    for tool in ["tap", "click_element"] {
        let bench = only_confirming(&[tool]);
        bench.target.update(|state| state.snapshot = screen("com.calculator", &order("10")));
        let call = match tool {
            "tap" => json!({"x": 204, "y": 829}),
            _ => json!({"element_id": bench.id(&order("10")).await}),
        };
        let other = screen("com.calculator", &order("99"));
        let changing = Arc::new(Changing(Arc::clone(&bench.target), Mutex::new(Some(other))));
        let caller = Caller { asker: changing, ..Caller::over("stdio") };
        let call = call.as_object().expect("an object").clone();
        let outcome = bench.dispatcher.answer(Interface::Current, tool, &call, caller).await;
        assert!(matches!(outcome, Err(CallError::Failed(_))), "{tool}");
        assert_eq!(bench.target.writes(), [], "{tool}");
    }
}

#[tokio::test]
async fn a_question_leaves_nothing_of_a_secret_where_it_cuts_a_text_of_the_screen() {
    let value = "Zebra-Quartz-77-Lagoon-Orbit";
    let bench = only_confirming(&["click_element"]);
    let label = format!("{} {value}", "a".repeat(90));
    bench.target.update(|state| state.snapshot = screen("com.calculator", &label));
    let id = bench.id(&label).await;
    let mut secrets = Secrets::default();
    secrets.add("PASS", value).expect("a secret");
    let policy = Policy {
        confirm: Confirm::new(&["click_element"]).expect("known names"),
        blocklist: Arc::new(Blocklist::empty()),
        ..Policy::default()
    };
    let targets = Arc::clone(bench.dispatcher.targets());
    let bench =
        Bench { dispatcher: Arc::new(Dispatcher::new(targets, policy).with_secrets(secrets)), ..bench };
    let yes = user(Answer::Yes);
    ask(&bench, &yes, "click_element", json!({"element_id": id})).await.expect("done");
    let asked = yes.1.lock().unwrap()[0].clone();
    assert!(asked.contains("[secret PASS]"), "{asked}");
    for part in ["Zebra", "Lagoon", "Orbit"] {
        assert!(!asked.contains(part), "{asked}");
    }
}

/// Rows that have no label of their own, from this one on.
fn rows(first: usize) -> fingertip_core::Snapshot {
    let names = ["Airplane mode", "Private DNS", "Bluetooth", "Hotspot", "Data saver", "Airdrop", "NFC"];
    let mut screen = String::from(
        "screen 1080x2400@420\napp com.calculator .Main\nwindow \"Main\" com.calculator [0,0,1080,2400] layer=1 focused\n\
         android.widget.ListView [0,0,1080,2400] sf\n",
    );
    for (place, name) in names[first..first + 4].iter().enumerate() {
        let (top, bottom) = (place * 200, place * 200 + 200);
        screen += &format!(
            "  LinearLayout [0,{top},1080,{bottom}] cf\n    TextView \"{name}\" [0,{top},800,{bottom}]\n    \
             Switch [800,{top},1080,{bottom}] kx\n"
        );
    }
    tree(&screen)
}

#[tokio::test]
async fn a_yes_for_one_row_is_none_for_the_one_that_was_scrolled_there() {
    let scrolled: fn(&ScriptedTarget) = |target| target.update(|state| state.snapshot = rows(1));
    for (tool, call) in [
        ("tap", json!({"x": 500, "y": 300})),
        ("swipe", json!({"x1": 1000, "y1": 2300, "x2": 500, "y2": 300})),
    ] {
        let bench = only_confirming(&["device"]);
        bench.target.update(|state| state.snapshot = rows(0));
        while_asked(&bench, scrolled, tool, call).await;
        assert_eq!(bench.target.writes(), [], "{tool}");
    }
    let bench = only_confirming(&["device"]);
    bench.target.update(|state| state.snapshot = rows(0));
    let yes = user(Answer::Yes);
    ask(&bench, &yes, "tap", json!({"x": 500, "y": 300})).await.expect("the screen stays");
    let asked = yes.1.lock().unwrap()[0].clone();
    assert!(asked.contains("on LinearLayout \"Private DNS\""), "{asked}");
}

#[tokio::test]
async fn a_yes_for_one_dialog_is_none_for_the_next_with_the_same_button() {
    let dialog = |note: &str| {
        tree(&format!(
            "screen 1080x2400@420\napp com.notes .Main\nwindow \"Main\" com.notes [100,800,980,1400] layer=1 focused\n\
             FrameLayout [100,800,980,1400]\n  TextView \"Delete {note}?\" [100,800,980,1000]\n  \
             Button \"Delete\" [600,1200,900,1300] cf\n"
        ))
    };
    for tool in ["tap", "click_element"] {
        let bench = only_confirming(&[tool]);
        bench.target.update(|state| state.snapshot = dialog("Shopping list"));
        let call = match tool {
            "tap" => json!({"x": 700, "y": 1250}),
            _ => json!({"element_id": bench.id("Delete").await}),
        };
        let changing =
            Arc::new(Changing(Arc::clone(&bench.target), Mutex::new(Some(dialog("Field report")))));
        let caller = Caller { asker: changing, ..Caller::over("stdio") };
        let call = call.as_object().expect("an object").clone();
        let outcome = bench.dispatcher.answer(Interface::Current, tool, &call, caller).await;
        assert!(matches!(outcome, Err(CallError::Failed(_))), "{tool}");
        assert_eq!(bench.target.writes(), [], "{tool}");
    }
}

#[tokio::test]
async fn each_write_is_held_to_the_application_the_user_agreed_to() {
    // The windows are read for the question, before the call runs, and before the write: the last read differs.
    let bench = only_confirming(&["tap"]);
    let mut reads = 0;
    bench.target.on_event(move |event, state| {
        reads += usize::from(*event == Event::Windows);
        if reads == 3 {
            state.snapshot = screen("com.settings", "7");
        }
    });
    let text = while_asked(&bench, |_| {}, "tap", json!({"x": 204, "y": 829})).await;
    assert!(text.contains("\"com.settings\" would receive this now"), "{text}");
    assert_eq!(bench.target.writes(), []);
}

#[tokio::test]
async fn a_screen_that_stays_is_acted_on_and_the_element_under_the_point_is_named() {
    let bench = only_confirming(&["device"]);
    let yes = user(Answer::Yes);
    ask(&bench, &yes, "tap", json!({"x": 204, "y": 829})).await.expect("done");
    ask(&bench, &yes, "input_text", json!({"text": "1"})).await.expect("done");
    ask(&bench, &yes, "scroll", json!({"direction": "down"})).await.expect("done");
    let asked = yes.1.lock().unwrap().clone();
    assert_eq!(
        asked[0],
        "An agent wants to use tap (x: 204, y: 829) on Button \"7\" on the device \"phone\", where \
         \"com.calculator\" is in front. Allow it?"
    );
    assert_eq!(bench.target.writes().len(), 3);
}

#[tokio::test]
async fn the_question_about_a_drag_names_both_ends_and_holds_for_them_only() {
    let desk = |onto: &str| {
        tree(&format!(
            "screen 1000x600@96\nhandles lasting\n\
             window \"Files\" files [0,0,500,600] layer=1 focused pid=7\n\
             list_item \"a.txt\" role=list_item @f1 [0,100,500,140] c\n\
             window \"Bin\" bin [500,0,1000,600] layer=1 pid=8\n\
             panel \"{onto}\" role=group @b1 [600,100,900,300] c\n"
        ))
    };
    let policy = Policy { confirm: Confirm::new(&["drag"]).expect("known names"), ..Policy::default() };
    let bench = bench::under(policy, bench::desktop_target(desk("Trash")));
    let row = bench.id("a.txt").await;
    let found = bench.json("find_elements", json!({"by": "text", "value": "Trash", "app": 8})).await;
    let onto = found["elements"][0]["id"].as_str().unwrap().to_owned();
    let arguments = json!({"element_id": row, "to_element_id": onto});
    let yes = user(Answer::Yes);
    ask(&bench, &yes, "drag", arguments.clone()).await.expect("done");
    let asked = yes.1.lock().unwrap()[0].clone();
    assert!(asked.contains("list_item \"a.txt\" onto panel \"Trash\""), "{asked}");
    assert!(asked.contains("in \"bin\""), "{asked}");
    bench.target.clear_events();
    // The place to drop on becomes another one while the user thinks.
    let changing = Arc::new(Changing(Arc::clone(&bench.target), Mutex::new(Some(desk("Shred")))));
    let caller = Caller { asker: changing, ..Caller::over("stdio") };
    let arguments = arguments.as_object().expect("an object").clone();
    let outcome = bench.dispatcher.answer(Interface::Current, "drag", &arguments, caller).await;
    let Err(CallError::Failed(error)) = outcome else { panic!("it was done") };
    assert_eq!(error.reason().name(), "refused");
    assert_eq!(bench.target.writes(), []);
}

/// A user who says yes after the screen changed.
struct Changing(Arc<ScriptedTarget>, Mutex<Option<fingertip_core::Snapshot>>);

#[async_trait]
impl Asker for Changing {
    async fn ask(&self, _question: &Question) -> Answer {
        if let Some(next) = self.1.lock().expect("a lock").take() {
            self.0.update(|state| state.snapshot = next);
        }
        Answer::Yes
    }
}
