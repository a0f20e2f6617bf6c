//! What happens in an application, reported as it happens.

use std::time::Duration;

use fingertip_core::prelude::*;
use fingertip_core::target::{NodeAction, UiEvent, UiEventKind, Watch};
use fingertip_core::{Deadline, Reason, Value};

use crate::form::Form;
use crate::support::{Session, soon};

/// The first event of this kind that this is true of.
async fn sees(watch: &mut Box<dyn Watch>, kind: UiEventKind, test: impl Fn(&UiEvent) -> bool) -> UiEvent {
    let limit = Deadline::after(Duration::from_secs(10));
    let mut others = Vec::new();
    loop {
        match watch.next(limit).await {
            Ok(event) if event.kind == kind && test(&event) => return event,
            Ok(event) => others.push(event),
            Err(error) => panic!("{kind:?}: {error:?} after {others:#?}"),
        }
    }
}

fn text(event: &UiEvent) -> Option<&str> {
    event.node.as_ref()?.text.as_deref()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_watch_reports_values_focus_windows_titles_and_the_end() {
    let session = Session::start();
    let form = Form::open(&session, "form_gtk3.py").await;
    let mut watch = form.target.watch(Some(&form.app()), soon()).await.unwrap();
    let quiet = watch.next(Deadline::after(Duration::from_millis(300))).await;
    assert!(quiet.is_err_and(|error| error.reason() == Reason::Timeout));

    form.set_text("Name", "Ada").await.unwrap();
    sees(&mut watch, UiEventKind::ValueChanged, |event| text(event) == Some("Ada")).await;
    form.set_value("Agree", Value::Checked(true)).await.unwrap();
    let is_on =
        |event: &UiEvent| event.node.as_ref().is_some_and(|node| node.value == Some(Value::Checked(true)));
    sees(&mut watch, UiEventKind::ValueChanged, is_on).await;
    form.act("Greet", NodeAction::Focus).await.unwrap();
    sees(&mut watch, UiEventKind::FocusChanged, |event| text(event) == Some("Greet")).await;

    form.set_text("Secret", "hunter2").await.unwrap();
    let secret = |event: &UiEvent| event.node.as_ref().is_some_and(|node| node.secret_length == Some(7));
    let event = sees(&mut watch, UiEventKind::ValueChanged, secret).await;
    assert!(!format!("{event:?}").contains("hunter2"));

    form.act("Open", NodeAction::Click).await.unwrap();
    let second = |event: &UiEvent| event.title.as_deref() == Some("Second window");
    sees(&mut watch, UiEventKind::WindowCreated, second).await;
    form.act("Close", NodeAction::Click).await.unwrap();
    sees(&mut watch, UiEventKind::WindowDestroyed, second).await;
    form.act("Retitle", NodeAction::Click).await.unwrap();
    let renamed = |event: &UiEvent| event.title.as_deref() == Some("Form GTK3 renamed");
    sees(&mut watch, UiEventKind::TitleChanged, renamed).await;

    form.process.signal("KILL");
    sees(&mut watch, UiEventKind::AppQuit, |_| true).await;
    let after = watch.next(soon()).await;
    assert!(after.is_err_and(|error| error.reason() == Reason::Disconnected));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wait_is_woken_by_a_change() {
    let session = Session::start();
    let form = Form::open(&session, "form_gtk3.py").await;
    let first = form.target.changed(form.target.activity(), soon()).await.unwrap();
    form.set_value("Agree", Value::Checked(true)).await.unwrap();
    assert!(form.target.changed(first, soon()).await.unwrap() > first);
}

#[tokio::test(flavor = "multi_thread")]
async fn every_toolkit_reports_values_and_the_end() {
    for script in ["form_gtk4.py", "form_qt6.py"] {
        let session = Session::start();
        let form = Form::open(&session, script).await;
        let mut watch = form.target.watch(Some(&form.app()), soon()).await.unwrap();
        form.set_text("Name", "Ada").await.unwrap();
        sees(&mut watch, UiEventKind::ValueChanged, |event| text(event) == Some("Ada")).await;
        form.process.signal("KILL");
        sees(&mut watch, UiEventKind::AppQuit, |_| true).await;
    }
}
