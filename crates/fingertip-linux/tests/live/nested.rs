//! Handlers that do not return: they open a dialog or a menu and wait for it. The application must still hear a person's
//! keys then, which atk-bridge makes hard: see `peer/acting.rs`. The keys are pressed by another program than ours.

use fingertip_core::Value;
use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, NodeAction, Part, Scope};
use fingertip_linux::{Environment, LinuxTarget};

use crate::form::{Form, find};
use crate::support::{Session, soon};

const APP: &str = "nested_gtk3.py";

/// Presses keys as a person does.
fn press(session: &Session, keys: &[&str]) {
    let done = session.command("xdotool").arg("key").args(keys).status();
    assert!(done.expect("xdotool").success());
}

/// Opens something, types into it, confirms, and sees that the application lives.
async fn answers(session: &Session, form: &Form, name: &str) {
    form.wrote(name, "open").await;
    form.shows(&format!("Finish {name}")).await;
    press(session, &["a", "b"]);
    press(session, &["Return"]);
    form.wrote(name, "ab").await;
    lives(form).await;
}

/// It still does what it is asked to.
async fn lives(form: &Form) {
    form.forget();
    form.act("Greet", NodeAction::Click).await.unwrap();
    form.wrote("greeted", "yes").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_after_a_press_that_opened_a_dialog_is_heard() {
    let session = Session::start();
    let form = Form::open(&session, APP).await;
    for _ in 0..2 {
        form.act("Ask", NodeAction::Click).await.unwrap();
        answers(&session, &form, "button").await;
    }
    form.set_value("Check", Value::Checked(true)).await.unwrap();
    answers(&session, &form, "check").await;
    form.act("File", NodeAction::Click).await.unwrap();
    form.act("Rename", NodeAction::Click).await.unwrap();
    answers(&session, &form, "rename").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_after_a_change_that_opened_a_dialog_is_heard() {
    let session = Session::start();
    let form = Form::open(&session, APP).await;
    form.set_text("Checked", "x").await.unwrap();
    answers(&session, &form, "changed").await;
    form.set_value("Volume", Value::Number { current: 40.0, minimum: None, maximum: None }).await.unwrap();
    answers(&session, &form, "value").await;
    form.act("green", NodeAction::Pick).await.unwrap();
    answers(&session, &form, "combo").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_are_heard_in_menus_and_in_dialogs_of_dialogs() {
    let session = Session::start();
    let form = Form::open(&session, APP).await;
    form.act("Open menu", NodeAction::Click).await.unwrap();
    form.wrote("context", "open").await;
    press(&session, &["Down"]);
    press(&session, &["Escape"]);
    form.wrote("context", "closed").await;
    lives(&form).await;

    form.act("Twice", NodeAction::Click).await.unwrap();
    form.wrote("outer", "open").await;
    form.act("Further", NodeAction::Click).await.unwrap();
    form.wrote("inner", "open").await;
    press(&session, &["a", "b", "Return"]);
    form.wrote("inner", "ab").await;
    form.act("Finish outer", NodeAction::Click).await.unwrap();
    form.wrote("outer", "").await;
    lives(&form).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_after_a_handler_that_takes_long_is_heard() {
    let session = Session::start();
    let form = Form::open(&session, APP).await;
    form.act("Slow", NodeAction::Click).await.unwrap();
    press(&session, &["x"]);
    form.wrote("slow", "done").await;
    form.wrote("key", "x").await;
    lives(&form).await;
}

/// Names to [`presses_and_ends`] the process to press in.
const PRESSED: &str = "FINGERTIP_TEST_PRESSED";

#[tokio::test(flavor = "multi_thread")]
async fn a_key_after_this_program_ended_is_heard() {
    let session = Session::start();
    // This client stays, and with it the attention that the application pays to keys.
    let form = Form::open(&session, APP).await;
    for way in ["killed", "finished"] {
        let this = std::env::current_exe().unwrap();
        let mut other = session.command(this.to_str().unwrap());
        other.args(["--exact", "nested::presses_and_ends", "--ignored"]).env(way, "");
        let status = other.env(PRESSED, form.process.pid().to_string()).status().unwrap();
        assert_eq!(status.success(), way == "finished", "{way}: {status}");
        answers(&session, &form, "button").await;
    }
}

/// The program that ends, as a process of its own: at once, or the orderly way.
#[test]
#[ignore = "a part of a_key_after_this_program_ended_is_heard"]
fn presses_and_ends() {
    let pid = std::env::var(PRESSED).unwrap().parse().unwrap();
    let scope = Scope::App { app: AppRef { name: "tested".into(), pid: Some(pid) }, part: Part::Whole };
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let target = LinuxTarget::connect(Environment::current(), soon()).await.unwrap();
        let snapshot = target.snapshot(&scope, soon()).await.unwrap();
        target.act(&snapshot, find(&snapshot, "Ask").unwrap(), &NodeAction::Click, soon()).await.unwrap();
        if std::env::var_os("killed").is_some() {
            std::process::abort();
        }
    });
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_socket_of_its_own_an_application_is_pressed_with_the_pointer() {
    let session = Session::start();
    let form = Form::open_without_socket(&session, APP).await;
    for _ in 0..2 {
        form.act("Ask", NodeAction::Click).await.unwrap();
        answers(&session, &form, "button").await;
    }
    form.set_value("Check", Value::Checked(true)).await.unwrap();
    answers(&session, &form, "check").await;
}
