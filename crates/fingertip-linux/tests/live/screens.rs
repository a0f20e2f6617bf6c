//! Windows: whose they are, where, and which lies above.

use fingertip_core::Reason;
use fingertip_core::prelude::*;
use fingertip_core::target::{AppRef, Expected, Part, Scope};

use crate::support::{Session, read_when, scope, shows, soon};

#[tokio::test(flavor = "multi_thread")]
async fn windows_have_owners_titles_and_places() {
    let session = Session::start();
    let form = session.script("gtk3_form.py");
    let target = session.target().await;
    read_when(&target, &scope(&form, Part::Visible), |read| shows(read, "Cell 3")).await;
    let other = session.script("gtk4_form.py");
    read_when(&target, &scope(&other, Part::Visible), |read| shows(read, "Go 3")).await;

    let windows = target.windows(soon()).await.unwrap();
    let of = |pid| windows.iter().find(|window| window.pid == Some(pid)).unwrap();
    assert_eq!(of(form.pid()).title.as_deref(), Some("Form / \"three\""));
    assert_eq!(of(form.pid()).app.as_deref(), Some("gtk3_form.py"));
    assert_eq!(of(other.pid()).title.as_deref(), Some("Form four"));
    assert!(windows.iter().all(|window| !window.bounds.is_empty() && window.handle.is_some()));
    assert!(windows.windows(2).all(|pair| pair[0].layer >= pair[1].layer), "the topmost comes first");
    assert_eq!(windows.iter().filter(|window| window.focused).count(), 1);

    let apps = target.apps(soon()).await.unwrap();
    assert_eq!(apps.iter().filter(|app| app.focused).count(), 1);
    assert!(apps[0].focused);
    for pid in [form.pid(), other.pid()] {
        assert_eq!(apps.iter().filter(|app| app.pid == Some(pid)).count(), 1, "{apps:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_lies_above_an_application_is_in_its_snapshot_without_nodes() {
    let session = Session::start();
    let below = session.script("gtk3_form.py");
    let target = session.target().await;
    read_when(&target, &scope(&below, Part::Visible), |read| shows(read, "Cell 3")).await;
    let above = session.script("gtk4_form.py");
    read_when(&target, &scope(&above, Part::Visible), |read| {
        read.windows().iter().any(|window| window.focused)
    })
    .await;
    // The window manager puts windows side by side while there is room.
    let moved = session.command("xdotool").args(["getactivewindow", "windowmove", "760", "300"]).status();
    assert!(moved.is_ok_and(|status| status.success()));
    let covered = read_when(&target, &scope(&below, Part::Visible), |read| {
        read.windows().iter().any(|window| window.pid == Some(above.pid()))
    })
    .await;
    let cover = covered.windows().iter().position(|window| window.pid == Some(above.pid())).unwrap();
    assert_eq!(covered.nodes_of(cover).len(), 0);
    assert!(covered.windows()[cover].layer > covered.windows()[0].layer);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_program_without_a_tree_is_said_to_have_none() {
    let session = Session::start();
    let process = session.launch("xterm", &[]);
    let target = session.target().await;
    let front =
        read_when(&target, &Scope::Screen, |read| read.windows().iter().any(|window| window.focused)).await;
    let note = front.cut.as_deref().unwrap_or_default();
    assert!(
        note.contains("has no accessibility tree: it is made with Xt") && note.contains("screenshot"),
        "{note}"
    );
    let windows = target.windows(soon()).await.unwrap();
    let name = windows[0].app.clone().expect("a name");
    for app in [AppRef { name: name.clone(), pid: None }, AppRef { name, pid: Some(process.pid()) }] {
        let error = target.snapshot(&Scope::App { app, part: Part::Visible }, soon()).await.unwrap_err();
        assert_eq!(error.reason(), Reason::Unsupported, "{error:?}");
        assert!(error.to_string().contains("has no accessibility tree"), "{error}");
    }
    target.type_text("echo typed > \"$HOME/typed\"\n", &Expected::anyone(), soon()).await.unwrap();
    let file = session.file("typed");
    let start = std::time::Instant::now();
    while !file.exists() {
        assert!(start.elapsed().as_secs() < 20, "nothing was typed");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_without_a_process_has_the_one_the_server_knows() {
    let session = Session::start();
    let code = "import tkinter; window = tkinter.Tk(); window.title('Tk'); window.mainloop()";
    let process = session.launch("/usr/bin/python3", &["-c", code]);
    let target = session.target().await;
    let start = std::time::Instant::now();
    loop {
        let windows = target.windows(soon()).await.unwrap();
        if let Some(window) = windows.iter().find(|window| window.title.as_deref() == Some("Tk")) {
            assert_eq!(window.pid, Some(process.pid()));
            return;
        }
        assert!(start.elapsed().as_secs() < 30, "{windows:?}. Needed: python3-tk");
        tokio::time::sleep(std::time::Duration::from_millis(50)).await;
    }
}
