//! What the server's owner allows. Every call passes here, on every interface, transport and target.
//!
//! In the order a call meets them: which tools exist ([`ToolSelection`], read-only), whether the user must agree
//! ([`confirm`]), how fast writes may follow each other ([`rate_limit`]), which application may be acted on
//! ([`Blocklist`], enforced by [`guard`] between a tool and its target), and what is written down about it
//! ([`audit`]).
//!
//! Rules: in doubt a write is refused. A refusal says which rule it was and how the owner changes it. What a caller
//! claims decides nothing; what the target shows at that moment does. Reads are not restricted, except by hiding tools.

pub mod audit;
pub mod blocklist;
pub mod caller;
pub mod confirm;
mod defaults;
pub mod guard;
pub mod names;
pub mod pending_consents;
pub(crate) mod place;
mod policy_target;
pub mod rate_limit;
mod receiver;
pub mod selection;
pub mod session;
mod shown;

use std::path::Path;
use std::sync::Arc;

pub use audit::Audit;
pub use blocklist::Blocklist;
pub use caller::Caller;
pub use confirm::Confirm;
pub use guard::Guard;
pub use policy_target::PolicyTarget;
pub use rate_limit::WritesPerSecond;
pub use selection::ToolSelection;

use audit::{AuditContext, Entry};
use fingertip_core::target::TargetKind;
use rmcp::model::JsonObject;

use crate::tool::Definition;

/// What the owner allows.
#[derive(Debug, Clone, Default)]
pub struct Policy {
    /// Tools that act are neither listed nor callable.
    pub read_only: bool,
    /// Which tools exist at all.
    pub selection: ToolSelection,
    /// Which applications may not be acted on.
    pub blocklist: Arc<Blocklist>,
    /// Whether programs may be started that are not installed for all users: by their path, or by an entry in the user's
    /// own folders.
    pub allow_commands: bool,
    /// How many writes a second one target gets.
    pub writes_per_second: WritesPerSecond,
    /// The folder in which servers of this user count their writes together; `None` where each counts for itself.
    pub shared_limits: Option<Arc<Path>>,
    /// Which tools the user is asked about first.
    pub confirm: Confirm,
    /// Where writes are written down; `None` where the owner has switched that off.
    pub audit: Option<Arc<Audit>>,
}

impl Policy {
    /// Whether this tool exists for clients of such a target.
    #[must_use]
    pub fn offers(&self, definition: &Definition, kind: TargetKind) -> bool {
        (!self.read_only || definition.is_read()) && self.selection.allows(definition, kind)
    }

    /// The entry a writing call leaves in the audit log.
    pub(crate) fn log(
        &self,
        definition: &Definition,
        arguments: &JsonObject,
        caller: &Caller,
        context: &Arc<AuditContext>,
    ) -> Option<Entry> {
        let audit = self.audit.as_ref().filter(|_| !definition.is_read())?;
        Some(Entry::begin(Arc::clone(audit), Arc::clone(context), definition, arguments, caller))
    }
}
