//! A tiny MCP server: one tool that answers, one that waits until it is cancelled.

use std::{
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, InitializeResult, JsonObject,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, Tool,
    },
    service::RequestContext,
};

#[derive(Clone, Default)]
pub(crate) struct Tiny {
    started: Arc<AtomicUsize>,
    cancelled: Arc<AtomicUsize>,
}

impl Tiny {
    /// Waits until a `wait` call runs.
    pub(crate) async fn until_started(&self) {
        self.until_starts(1).await;
    }

    /// Waits until so many calls of `wait` and `nap` have begun.
    pub(crate) async fn until_starts(&self, count: usize) {
        until(&self.started, count, "the call starts").await;
    }

    /// How many calls of `wait` and `nap` have begun.
    pub(crate) fn starts(&self) -> usize {
        self.started.load(Ordering::SeqCst)
    }

    /// How many calls of `wait` have seen their cancellation.
    pub(crate) fn cancellations(&self) -> usize {
        self.cancelled.load(Ordering::SeqCst)
    }

    /// Waits until a `wait` call has seen its cancellation.
    pub(crate) async fn until_cancelled(&self) {
        until(&self.cancelled, 1, "the call is cancelled").await;
    }
}

async fn until(counter: &AtomicUsize, count: usize, what: &str) {
    for _ in 0..1000 {
        if counter.load(Ordering::SeqCst) >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
    panic!("waited ten seconds until {what}");
}

impl ServerHandler for Tiny {
    fn get_info(&self) -> InitializeResult {
        InitializeResult::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _request: Option<PaginatedRequestParams>,
        _context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let schema = JsonObject::from_iter([("type".to_owned(), "object".into())]);
        Ok(ListToolsResult::with_all_items(vec![Tool::new("echo", "Says it again", schema)]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let text = match request.name.as_ref() {
            "echo" => {
                let text = request.arguments.and_then(|arguments| arguments.get("text").cloned());
                text.and_then(|text| text.as_str().map(str::to_owned)).unwrap_or_default()
            }
            "wait" => {
                self.started.fetch_add(1, Ordering::SeqCst);
                context.ct.cancelled().await;
                self.cancelled.fetch_add(1, Ordering::SeqCst);
                "cancelled".to_owned()
            }
            "nap" => {
                self.started.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(200)).await;
                "rested".to_owned()
            }
            other => return Err(ErrorData::invalid_params(format!("Unknown tool: {other}"), None)),
        };
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}
