//! The caller of a tool: which client, over which transport, and whether it can be asked something.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use fingertip_core::fair::Claim;
use tokio_util::sync::CancellationToken;

use super::confirm::{Asker, Unaskable};

/// The transport of a call that did not come over one, as in tests and benchmarks.
pub const DIRECT: &str = "direct";
/// Standard input and output.
pub const STDIO: &str = "stdio";
/// Streamable HTTP.
pub const HTTP: &str = "http";
/// The first interface.
pub const V1: &str = "v1";
/// A person at the server's own page.
pub const PAGE: &str = "page";

/// Who calls.
#[derive(Clone)]
pub struct Caller {
    /// What the client calls itself.
    pub client: Option<String>,
    /// Its session, where it has one: it distinguishes clients of the same name.
    pub session: Option<String>,
    /// How the call came.
    pub transport: &'static str,
    /// Cancelled when the client takes the call back.
    pub cancelled: CancellationToken,
    /// How its user is asked.
    pub asker: Arc<dyn Asker>,
}

impl Caller {
    /// A client of this transport that cannot be asked anything.
    #[must_use]
    pub fn over(transport: &'static str) -> Self {
        let asker = Arc::new(Unaskable);
        Self { client: None, session: None, transport, cancelled: CancellationToken::new(), asker }
    }
}

impl Caller {
    /// On whose behalf a call of this client uses a target that others use too.
    #[must_use]
    pub fn claim(&self, acts: bool) -> Claim {
        let mut hasher = DefaultHasher::new();
        (self.transport, &self.client, &self.session).hash(&mut hasher);
        Claim { client: hasher.finish(), acts }
    }
}

impl From<CancellationToken> for Caller {
    fn from(cancelled: CancellationToken) -> Self {
        Self { cancelled, ..Self::over(DIRECT) }
    }
}
