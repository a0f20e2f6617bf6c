//! Asking while the call waits: the way of protocol versions with sessions, over stdio and HTTP.

use async_trait::async_trait;
use rmcp::model::{ElicitRequestParams, ElicitationAction, ErrorCode};
use rmcp::service::{Peer, RoleServer, ServiceError};

use super::confirm::{ANSWER_WITHIN, Answer, Asker, Question, Why, form};

/// Asks the client at the other end of a session.
pub struct AskPeer(pub Peer<RoleServer>);

#[async_trait]
impl Asker for AskPeer {
    async fn ask(&self, question: &Question) -> Answer {
        let Ok(requested_schema) = serde_json::from_value(form()) else { return Answer::No(Why::Unable) };
        let params = ElicitRequestParams::FormElicitationParams {
            meta: None,
            message: question.sentence.clone(),
            requested_schema,
        };
        let asked = self.0.create_elicitation_with_timeout(params, Some(ANSWER_WITHIN));
        // The SDK's limit covers the answer; this one also a client that does not even take the question.
        match tokio::time::timeout(ANSWER_WITHIN, asked).await {
            Ok(Ok(answer)) => judged(&answer.action),
            Ok(Err(ServiceError::McpError(error))) if error.code == ErrorCode::METHOD_NOT_FOUND => {
                Answer::No(Why::Unable)
            }
            Ok(Err(error)) => {
                tracing::debug!(%error, "the user could not be asked");
                Answer::No(Why::Silent)
            }
            Err(_) => Answer::No(Why::Silent),
        }
    }
}

fn judged(action: &ElicitationAction) -> Answer {
    match action {
        ElicitationAction::Accept => Answer::Yes,
        ElicitationAction::Decline => Answer::No(Why::Declined),
        _ => Answer::No(Why::Dismissed),
    }
}
