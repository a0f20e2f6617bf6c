//! A form in Chromium: text by keys, since it has no interface for that, and everything else natively.

use fingertip_core::gesture::Gesture;
use fingertip_core::prelude::*;
use fingertip_core::target::{Expected, NodeAction, Part, Scope};
use fingertip_core::{NodeIndex, Reason, Role, Snapshot, Value};
use fingertip_linux::LinuxTarget;

use crate::acting::WORDS;
use crate::support::{Session, read_when, scope, shows, soon};

struct Page {
    target: LinuxTarget,
    scope: Scope,
}

/// The control of this role that is called so.
fn find(snapshot: &Snapshot, role: Role, label: &str) -> Option<NodeIndex> {
    snapshot.indices().find(|index| {
        let node = snapshot.node(*index);
        node.role == role && [node.text.as_deref(), node.description.as_deref()].contains(&Some(label))
    })
}

impl Page {
    async fn control(&self, role: Role, label: &str) -> (Snapshot, NodeIndex) {
        let there = |read: &Snapshot| find(read, role, label).is_some();
        let snapshot = read_when(&self.target, &self.scope, there).await;
        let index = find(&snapshot, role, label).expect("just seen");
        (snapshot, index)
    }

    async fn act(&self, role: Role, label: &str, action: NodeAction) -> fingertip_core::Result<()> {
        let (snapshot, index) = self.control(role, label).await;
        self.target.act(&snapshot, index, &action, soon()).await
    }

    async fn set_text(&self, label: &str, text: &str) {
        let (snapshot, index) = self.control(Role::TextField, label).await;
        self.target.set_text(&snapshot, index, text, soon()).await.expect("text");
    }

    async fn set_value(&self, role: Role, label: &str, value: Value) {
        let (snapshot, index) = self.control(role, label).await;
        self.target.set_value(&snapshot, index, &value, soon()).await.expect("a value");
    }

    /// What the page itself says.
    async fn says(&self, words: &str) {
        read_when(&self.target, &self.scope, |read| shows(read, words)).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_is_filled_in() {
    let session = Session::start();
    let process = session.page("form.html");
    let page = Page { target: session.target().await, scope: scope(&process, Part::Whole) };
    page.set_text("Name", "first").await;
    page.set_text("Name", WORDS).await;
    page.act(Role::Button, "Greet", NodeAction::Click).await.unwrap();
    page.says(&format!("Hello {WORDS}")).await;

    page.set_text("Name", "").await;
    let (snapshot, button) = page.control(Role::Button, "Greet").await;
    page.target
        .gesture(&Gesture::tap(snapshot.node(button).bounds.center()), &Expected::anyone(), soon())
        .await
        .unwrap();
    page.says("Hello").await;

    page.set_value(Role::CheckBox, "Agree", Value::Checked(true)).await;
    page.says("Agreed true").await;
    page.set_value(Role::CheckBox, "Agree", Value::Checked(false)).await;
    page.says("Agreed false").await;
    page.set_value(Role::Slider, "Volume", Value::Number { current: 70.0, minimum: None, maximum: None })
        .await;
    page.says("Volume 70").await;
    page.act(Role::Slider, "Volume", NodeAction::Increment).await.unwrap();
    page.says("Volume 75").await;
    page.act(Role::MenuItem, "green", NodeAction::Pick).await.unwrap();
    page.says("Colour green").await;
    let disabled = page.act(Role::Button, "Never", NodeAction::Click).await.unwrap_err();
    assert_eq!(disabled.reason(), Reason::Disabled, "{disabled:?}");
}
