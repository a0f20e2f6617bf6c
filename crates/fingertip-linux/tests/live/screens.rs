//! Windows: whose they are, where, and which lies above.

use fingertip_core::Target;
use fingertip_core::target::Part;

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
    assert_eq!(apps.len(), 2);
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
