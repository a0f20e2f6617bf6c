//! A form in Firefox, which says yes to a new text and does nothing, and builds its tree when it is first asked.

use fingertip_core::prelude::*;
use fingertip_core::target::{NodeAction, Part};
use fingertip_core::{Flags, Role, Snapshot};

use crate::form::find;
use crate::support::{Session, app_file, read_when, scope, shows, soon};

fn text_of<'a>(read: &'a Snapshot, label: &str) -> Option<&'a str> {
    read.node(find(read, label)?).text.as_deref()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_filled_in_by_keys() {
    let session = Session::start();
    let profile = session.file("firefox");
    std::fs::create_dir(&profile).unwrap();
    let page = format!("file://{}", app_file("firefox.html").display());
    let process =
        session.launch("firefox-esr", &["--no-remote", "--profile", profile.to_str().unwrap(), &page]);
    let target = session.target().await;
    let visible = scope(&process, Part::Visible);
    // The first look at its window has its page, or says that it has not.
    let first = read_when(&target, &visible, |read| !read.windows().is_empty()).await;
    assert!(shows(&first, "Go") || first.cut.is_some(), "{first:?}");

    let read =
        read_when(&target, &visible, |read| shows(read, "Go") && text_of(read, "Name") == Some("Ada")).await;
    let node = |label: &str| read.node(find(&read, label).unwrap_or_else(|| panic!("{label}")));
    assert_eq!(node("Name").resource_id.as_deref(), Some("name"));
    assert_eq!(node("Volume").description.as_deref(), Some("7"));
    assert_eq!(node("Volume").resource_id.as_deref(), Some("range"));
    assert_eq!(node("Colour").description.as_deref(), Some("green"));
    // The words of an object with children are reported, with a name of its own or without.
    assert!(
        read.nodes().iter().any(|node| node.text.as_deref() == Some("Words before  and after")),
        "{read:?}"
    );
    let named = read.nodes().iter().find(|node| node.text.as_deref() == Some("Named box")).expect("the box");
    assert_eq!(named.description.as_deref(), Some("Words in it"));
    assert_eq!(node("Go").actions.iter().map(|name| &**name).collect::<Vec<_>>(), ["press"]);
    assert!(read.nodes().iter().all(|node| node.role != Role::Window || !node.is(Flags::CLICKABLE)));

    for (label, text) in [("Name", "Grace Höpper"), ("Secret", "four"), ("Notes", "one\nmore"), ("Name", "")]
    {
        let read = read_when(&target, &visible, |read| find(read, label).is_some()).await;
        target.set_text(&read, find(&read, label).unwrap(), text, soon()).await.unwrap();
        let holds = |read: &Snapshot| {
            let node = read.node(find(read, label).unwrap());
            let length = node.secret_length.map(|length| length as usize);
            node.text.as_deref().unwrap_or_default() == text || length == Some(text.chars().count())
        };
        read_when(&target, &visible, holds).await;
    }
    // The page itself says what it holds.
    let read = target.snapshot(&visible, soon()).await.unwrap();
    target.act(&read, find(&read, "Go").unwrap(), &NodeAction::Click, soon()).await.unwrap();
    read_when(&target, &visible, |read| shows(read, "name= secret=four notes=one|more")).await;

    let is_bar = |node: &fingertip_core::Node| node.resource_id.as_deref() == Some("urlbar-input");
    let read = target.snapshot(&visible, soon()).await.unwrap();
    let bar = read.indices().find(|index| is_bar(read.node(*index))).expect("the address bar");
    target.set_text(&read, bar, "about:bl", soon()).await.unwrap();
    let holds = |read: &Snapshot| {
        read.nodes().iter().any(|node| is_bar(node) && node.text.as_deref() == Some("about:bl"))
    };
    read_when(&target, &visible, holds).await;
}
