//! A platform in one file: a lamp with a switch. What a new platform has to write, and no more.
//!
//! `cargo run -p fingertip --example toy_platform -- serve` offers the tools that need nothing but looking and acting on
//! elements; all others are not listed, because their parts are `None`. CONTRIBUTING.md walks through it.

use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use async_trait::async_trait;
use fingertip::{Drive, TargetSpec};
use fingertip_core::prelude::*;
use fingertip_core::target::{NodeAction, Scope, TargetInfo, TargetKind};
use fingertip_core::{
    Deadline, Error, Flags, Node, NodeIndex, Reason, Rect, Result, Role, Screen, Snapshot, Window,
};
use fingertip_mcp::targets::Targets;

const SCREEN: Rect = Rect { left: 0, top: 0, right: 320, bottom: 240 };
const SWITCH: &str = "switch";

/// The lamp: all its state is whether it burns.
#[derive(Default)]
struct Lamp(AtomicBool);

#[async_trait]
impl Look for Lamp {
    async fn snapshot(&self, _scope: &Scope, _deadline: Deadline) -> Result<Snapshot> {
        let said = if self.0.load(Ordering::Relaxed) { "The lamp is on" } else { "The lamp is off" };
        let mut switch = Node::new("Switch").role(Role::Switch).text("Lamp").bounds(20, 100, 300, 140);
        switch.flags |= Flags::CLICKABLE;
        // The platform's own name of the element, by which it is found again when it is acted on.
        switch.handle = Some(SWITCH.into());
        let mut window = Window::new("lamp", SCREEN);
        window.focused = true;
        let mut builder = Snapshot::builder(Screen { width: 320, height: 240, density: 96 });
        builder.app("lamp", "").window(window);
        builder.leaf(Node::new("Label").role(Role::Label).text(said).bounds(20, 20, 300, 60));
        builder.leaf(switch);
        Ok(builder.finish())
    }

    async fn incremental_look(&self, scope: &Scope, deadline: Deadline) -> Result<Snapshot> {
        self.snapshot(scope, deadline).await
    }
}

/// Windows, applications and searches are taken from a snapshot where a platform knows no cheaper way.
impl Survey for Lamp {}

#[async_trait]
impl Elements for Lamp {
    fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool {
        snapshot.node(node).handle.as_deref() == Some(SWITCH) && *action == NodeAction::Click
    }

    async fn act(
        &self,
        snapshot: &Snapshot,
        node: NodeIndex,
        action: &NodeAction,
        _deadline: Deadline,
    ) -> Result<()> {
        if !self.can_act(snapshot, node, action) {
            return Err(Error::new(Reason::Unsupported, "Only the switch reacts, and only to a click."));
        }
        self.0.fetch_xor(true, Ordering::Relaxed);
        Ok(())
    }
}

/// The parts that this platform does not have.
macro_rules! without {
    ($($part:ident: $kind:ident),*) => {
        $(fn $part(&self) -> Option<&dyn $kind> {
            None
        })*
    };
}

impl Target for Lamp {
    fn info(&self) -> TargetInfo {
        let [name, label, driver, state] = ["lamp", "A lamp", "toy", "ready"].map(str::to_owned);
        TargetInfo { name, kind: self.kind(), label, driver, state }
    }

    fn kind(&self) -> TargetKind {
        TargetKind::Phone
    }

    fn machine_name(&self) -> Option<String> {
        None
    }

    fn shortcoming(&self) -> Option<Error> {
        None
    }

    fn survey(&self) -> &dyn Survey {
        self
    }

    fn elements(&self) -> Option<&dyn Elements> {
        Some(self)
    }

    without!(changes: Changes, watching: Watching, values: Values, text_fields: TextFields, keyboard: Keyboard);
    without!(system_keys: SystemKeys, touch: Touch, pointer: Pointer, pictures: Pictures, clipboard: Clipboard);
    without!(logs: Logs, endings: Endings, applications: Applications, app_closer: AppCloser, window_manager: WindowManager);
}

fn attach(_wanted: &[TargetSpec], _drive: &Drive, targets: &Arc<Targets>) -> anyhow::Result<()> {
    targets.attach(Arc::new(Lamp::default()));
    targets.settle();
    Ok(())
}

fn main() -> ExitCode {
    fingertip::main(attach)
}
