//! The screen as an MCP App: what the page at `/ui` shows of it, inside a client that can show such views.
//!
//! Offered only to clients that declare the extension: the view as a resource, and with the tool that reads the screen the note
//! that it belongs to it. The view has no way to the server but calls of tools that its client makes for it, so that policy,
//! consent, steering and audit are those of that client. Whether it offers to press what it shows depends on whether the policy
//! offers the tool for it; what the policy refuses is refused whatever the view offers.
//!
//! Text of the screen is data here too: it becomes text nodes, and the document's own policy lets only this one script run, by
//! its hash, and forbids making markup of texts.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rmcp::model::{
    ClientCapabilities, ExtensionCapabilities, JsonObject, MetaObject, Resource, ResourceContents,
    ServerCapabilities, Tool,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// The extension by which clients say that they show such views.
const EXTENSION: &str = "io.modelcontextprotocol/ui";
/// What a view is.
const MIME: &str = "text/html;profile=mcp-app";
/// Where the view is.
pub(crate) const URI: &str = "ui://fingertip/screen";
/// The tool whose replies it shows, and the one it presses with.
const READS: &str = "get_screen_state";
pub(crate) const PRESSES: &str = "click_element";

const DOCUMENT: &str = include_str!("mcp_app/app.html");
const SCRIPT: &str = include_str!("mcp_app/app.js");
const STYLE: &str = include_str!("mcp_app/app.css");

/// Whether a client that says this of itself shows views of this kind.
pub(crate) fn is_shown_by(client: Option<&ClientCapabilities>) -> bool {
    let declared = client.and_then(|client| client.extensions.as_ref()?.get(EXTENSION));
    let kinds = declared.and_then(|settings| settings.get("mimeTypes")?.as_array());
    kinds.is_some_and(|kinds| kinds.iter().any(|kind| kind == MIME))
}

/// Declares the extension, and the resources it needs.
pub(crate) fn declare(capabilities: &mut ServerCapabilities) {
    capabilities.resources = Some(Default::default());
    let extensions: &mut ExtensionCapabilities = capabilities.extensions.get_or_insert_default();
    extensions.insert(EXTENSION.to_owned(), JsonObject::new());
}

/// Notes with the tool that reads the screen that there is a view of it.
pub(crate) fn link(tools: &mut [Tool]) {
    for tool in tools.iter_mut().filter(|tool| tool.name == READS) {
        tool.meta.get_or_insert_default().insert("ui".to_owned(), json!({ "resourceUri": URI }));
    }
}

/// The view as a resource.
pub(crate) fn resource() -> Resource {
    Resource::new(URI, "screen")
        .with_title("Screen")
        .with_description("The picture of the screen, and its elements")
        .with_mime_type(MIME)
        .with_meta(meta())
}

/// Its document. `presses`: whether it offers to press what it shows.
pub(crate) fn contents(presses: bool) -> ResourceContents {
    let hash = |text: &str| format!("'sha256-{}'", STANDARD.encode(Sha256::digest(text)));
    let text = DOCUMENT
        .replace("{{script-hash}}", &hash(SCRIPT))
        .replace("{{style-hash}}", &hash(STYLE))
        .replace("{{presses}}", if presses { PRESSES } else { "" })
        .replace("{{style}}", STYLE)
        .replace("{{script}}", SCRIPT);
    ResourceContents::text(text, URI).with_mime_type(MIME).with_meta(meta())
}

/// It loads nothing from anywhere, and needs nothing of the machine.
fn meta() -> MetaObject {
    let ui: Value = json!({ "csp": { "connectDomains": [], "resourceDomains": [] }, "prefersBorder": true });
    MetaObject(JsonObject::from_iter([("ui".to_owned(), ui)]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn client(extensions: &Value) -> ClientCapabilities {
        serde_json::from_value(json!({ "extensions": extensions })).unwrap()
    }

    #[test]
    fn only_a_client_that_shows_this_kind_of_view_is_offered_it() {
        assert!(is_shown_by(Some(&client(&json!({ EXTENSION: { "mimeTypes": [MIME] } })))));
        assert!(!is_shown_by(None));
        for other in [
            json!({}),
            json!({ EXTENSION: {} }),
            json!({ EXTENSION: { "mimeTypes": ["text/html"] } }),
            json!({ EXTENSION: { "mimeTypes": MIME } }),
        ] {
            assert!(!is_shown_by(Some(&client(&other))), "{other}");
        }
    }

    #[test]
    fn the_document_is_whole_and_its_parts_cannot_end_it() {
        // What would close the element that holds it.
        assert!(!SCRIPT.contains("</script") && !STYLE.contains("</style"));
        for presses in [true, false] {
            let ResourceContents::TextResourceContents { text, .. } = contents(presses) else {
                unreachable!()
            };
            assert!(!text.contains("{{"), "{text}");
            assert_eq!(text.contains(&format!("data-presses=\"{PRESSES}\"")), presses);
            assert!(text.contains(&format!("<script>{SCRIPT}</script>")));
        }
    }
}
