//! The app that started this program, at the other end of its standard input and output.

use std::sync::Arc;
use std::time::Duration;

use fingertip_android::AppTarget;
use fingertip_core::Deadline;
use fingertip_mcp::targets::Targets;

/// How long the app may take to answer.
const INTRODUCTION: Duration = Duration::from_secs(8);

/// Attaches it, and detaches it when it is gone; the server, which is nothing without it, ends then.
pub(super) async fn attach(targets: &Arc<Targets>) {
    let stream = tokio::io::join(tokio::io::stdin(), tokio::io::stdout());
    let app = match AppTarget::connect(stream, Deadline::after(INTRODUCTION)).await {
        Ok(app) => app,
        Err(error) => {
            tracing::error!(%error, "no app answers; `--target app` is for a server that Fingertip's app starts");
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
