//! The smallest server on this crate's transports: one tool that says what it is told.
//!
//! `echo_server stdio`, or `echo_server ADDRESS TOKEN [CERTIFICATE_DIRECTORY]`. Used to measure what the transports cost.

use std::{error::Error, path::Path};

use fingertip_mcp::transport::{HttpConfig, TlsIdentity, Token, serve, serve_stdio};
use rmcp::{
    ErrorData, RoleServer, ServerHandler,
    model::{
        CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, InitializeResult, JsonObject,
        ListToolsResult, PaginatedRequestParams, ServerCapabilities, Tool,
    },
    service::RequestContext,
};
use tokio_util::sync::CancellationToken;

#[derive(Clone)]
struct Echo;

impl ServerHandler for Echo {
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
        _context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = request.arguments.unwrap_or_default();
        let text = arguments.get("text").and_then(|text| text.as_str()).unwrap_or_default();
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let shutdown = CancellationToken::new();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
        ["stdio"] => serve_stdio(Echo, shutdown).await?,
        [address, token, directory @ ..] => {
            let mut config = HttpConfig::new(address.parse()?, Token::new(token)?);
            if let Some(directory) = directory.first() {
                let now = time::OffsetDateTime::now_utc();
                config.tls = Some(TlsIdentity::load_or_create(Path::new(directory), &[], &[], now)?);
            }
            serve(config, || Echo).await?.finished().await;
        }
        _ => return Err("usage: echo_server stdio | ADDRESS TOKEN [CERTIFICATE_DIRECTORY]".into()),
    }
    Ok(())
}
