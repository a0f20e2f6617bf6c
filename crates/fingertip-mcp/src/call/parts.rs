//! The parts of the target that a call needs. One that the target does not have is an error of the call.

use fingertip_core::prelude::*;
use fingertip_core::target::{Capabilities, NodeAction};
use fingertip_core::{NodeIndex, Result, Snapshot};

use super::Call;

/// A way to each part, by the name it has at the target.
macro_rules! parts {
    ($($name:ident: $part:ident needs $needed:ident,)*) => {
        impl Call {
            $(
                #[doc = concat!("See [`Target::", stringify!($name), "`].")]
                ///
                /// # Errors
                /// When the target does not have it.
                pub(crate) fn $name(&self) -> Result<&dyn $part> {
                    Capabilities::$needed.require(self.target().$name())
                }
            )*
        }
    };
}

parts! {
    watching: Watching needs WATCH,
    elements: Elements needs NODE_ACTIONS,
    values: Values needs VALUES,
    text_fields: TextFields needs TEXT,
    keyboard: Keyboard needs KEYS,
    system_keys: SystemKeys needs SYSTEM_KEYS,
    touch: Touch needs TOUCH,
    pointer: Pointer needs POINTER,
    pictures: Pictures needs SCREENSHOT,
    clipboard: Clipboard needs CLIPBOARD,
    logs: Logs needs LOGS,
    applications: Applications needs APPS,
    app_closer: AppCloser needs CLOSE_APPS,
    window_manager: WindowManager needs WINDOWS,
}

impl Call {
    /// Whether the target itself can do this to that node.
    #[must_use]
    pub(crate) fn can_act(&self, snapshot: &Snapshot, node: NodeIndex, action: &NodeAction) -> bool {
        self.target().elements().is_some_and(|elements| elements.can_act(snapshot, node, action))
    }

    /// How many changes were noticed so far; always 0 where they are not reported.
    #[must_use]
    pub(crate) fn activity(&self) -> u64 {
        self.target().changes().map_or(0, Changes::activity)
    }
}
