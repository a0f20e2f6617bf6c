//! The caller over MCP, and how that client's user can be asked something.
//!
//! By era: clients of 2026-07-28 are asked between two calls; clients with a session while the call waits. A client
//! that did not say it can ask, and an HTTP client of the older versions without a session (an answer would have no
//! way back), cannot be asked.

use std::sync::Arc;

use rmcp::model::{CallToolRequestParams, InputRequiredResult, ProtocolVersion};
use rmcp::service::{RequestContext, RoleServer};

use crate::policy::confirm::{Asker, Unaskable};
use crate::policy::pending_consents::{PendingConsents, Round};
use crate::policy::session::AskPeer;
use crate::policy::{Caller, caller};

/// The header that names a session.
const SESSION_ID: &str = "mcp-session-id";

/// How the user of one call is asked.
pub(crate) enum AskedBy {
    Round(Arc<Round>),
    Session(Arc<AskPeer>),
    Nobody,
}

impl AskedBy {
    /// Takes what this request brings of an earlier question out of it.
    pub(crate) fn of(
        rounds: &Arc<PendingConsents>,
        request: &mut CallToolRequestParams,
        context: &RequestContext<RoleServer>,
    ) -> Self {
        let (state, responses) = (request.request_state.take(), request.input_responses.take());
        if !can_ask(context) {
            return Self::Nobody;
        }
        if is_stateless(context) {
            return Self::Round(Arc::new(Round::new(Arc::clone(rounds), state, responses)));
        }
        match context.extensions.get::<http::request::Parts>() {
            Some(parts) if !parts.headers.contains_key(SESSION_ID) => Self::Nobody,
            _ => Self::Session(Arc::new(AskPeer(context.peer.clone()))),
        }
    }

    /// The caller, for the policy.
    pub(crate) fn caller(&self, context: &RequestContext<RoleServer>) -> Caller {
        let asker: Arc<dyn Asker> = match self {
            Self::Round(round) => Arc::clone(round) as Arc<dyn Asker>,
            Self::Session(peer) => Arc::clone(peer) as Arc<dyn Asker>,
            Self::Nobody => Arc::new(Unaskable),
        };
        let parts = context.extensions.get::<http::request::Parts>();
        Caller {
            client: context.client_info().map(|client| client.name),
            session: parts.and_then(session),
            transport: if parts.is_some() { caller::HTTP } else { caller::STDIO },
            cancelled: context.ct.clone(),
            asker,
        }
    }

    /// The question to answer the call with, when one was put.
    pub(crate) fn question(&self) -> Option<InputRequiredResult> {
        match self {
            Self::Round(round) => round.question(),
            Self::Session(_) | Self::Nobody => None,
        }
    }
}

/// The session of a request.
fn session(parts: &http::request::Parts) -> Option<String> {
    parts.headers.get(SESSION_ID).and_then(|id| id.to_str().ok()).map(str::to_owned)
}

fn is_stateless(context: &RequestContext<RoleServer>) -> bool {
    let newest = ProtocolVersion::V_2026_07_28;
    context.protocol_version().is_some_and(|version| version.as_str() >= newest.as_str())
}

/// Whether the client has said that it can show a form. One that names no mode means forms.
fn can_ask(context: &RequestContext<RoleServer>) -> bool {
    let capability = context.client_capabilities().and_then(|capabilities| capabilities.elicitation);
    capability.is_some_and(|modes| modes.form.is_some() || modes.url.is_none())
}
