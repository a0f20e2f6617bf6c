//! The app that started this program, at the other end of its standard input and output.

use std::sync::Arc;
use std::time::Duration;

use fingertip_android::AppTarget;
use fingertip_core::{Deadline, Error};
use fingertip_mcp::targets::Targets;

/// How long the app may take to answer.
const INTRODUCTION: Duration = Duration::from_secs(8);

/// The app at the other end.
///
/// # Errors
/// When none answers.
pub(crate) async fn connect() -> Result<AppTarget, Error> {
    let stream = tokio::io::join(tokio::io::stdin(), tokio::io::stdout());
    AppTarget::connect(stream, Deadline::after(INTRODUCTION)).await
}

/// Attaches it, and detaches it when it is gone; the server, which is nothing without it, ends then.
pub(super) async fn attach(targets: &Arc<Targets>) {
    let app = match connect().await {
        Ok(app) => app,
        Err(error) => {
            tracing::error!(%error, "no app answers; `--target app` is for a program that Fingertip's app starts");
            return;
        }
    };
    let (ended, targets) = (app.ended(), Arc::clone(targets));
    targets.attach(Arc::new(app));
    tokio::spawn(async move {
        ended.await;
        targets.detach(AppTarget::NAME);
    });
}
