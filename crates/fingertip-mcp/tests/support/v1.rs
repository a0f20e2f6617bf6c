//! The product's server over a scripted phone, with the first interface switched on.

use std::net::SocketAddr;
use std::sync::Arc;

use fingertip_core::test_support::{ScriptedTarget, sample};
use fingertip_core::{Snapshot, Target};
use fingertip_mcp::dispatch::Dispatcher;
use fingertip_mcp::handler::Handler;
use fingertip_mcp::policy::Policy;
use fingertip_mcp::targets::Targets;
use fingertip_mcp::transport::{HttpConfig, HttpLimits, Token, serve, v1};
use serde_json::{Value, json};

use super::{Call, Reply, TOKEN, short_limits};

/// A server and the phone behind it.
pub(crate) struct Phone {
    pub(crate) address: SocketAddr,
    pub(crate) target: Arc<ScriptedTarget>,
}

/// A server over the sample phone.
pub(crate) async fn phone() -> Phone {
    showing(sample::phone()).await
}

/// A server over a phone that shows this.
pub(crate) async fn showing(snapshot: Snapshot) -> Phone {
    over(ScriptedTarget::new("phone", snapshot), Policy::default()).await
}

/// A server over this target, under this policy.
pub(crate) async fn over(target: ScriptedTarget, policy: Policy) -> Phone {
    let target = Arc::new(target);
    let address = serve_targets(&[Arc::clone(&target)], policy).await;
    Phone { address, target }
}

/// A server over these targets; lives as long as the test.
pub(crate) async fn serve_targets(all: &[Arc<ScriptedTarget>], policy: Policy) -> SocketAddr {
    let dispatcher = dispatcher(all, policy);
    let listen = "127.0.0.1:0".parse().expect("an address");
    let mut config = HttpConfig::new(listen, Token::new(TOKEN).expect("a token"));
    config.limits = short_limits();
    config.more_routes = v1::routes(Arc::clone(&dispatcher), config.limits.clone());
    let handler = Handler::new(dispatcher);
    serve(config, move || handler.clone()).await.expect("the server starts").local_addr()
}

/// The routes of v1 without a listener, for tests that stop the clock.
pub(crate) fn routes(target: &Arc<ScriptedTarget>) -> axum::Router {
    v1::routes(dispatcher(&[Arc::clone(target)], Policy::default()), HttpLimits::default())
}

/// A dispatcher over these targets.
pub(crate) fn dispatcher(all: &[Arc<ScriptedTarget>], policy: Policy) -> Arc<Dispatcher> {
    let targets = Arc::new(Targets::new("Attach one."));
    for target in all {
        targets.attach(Arc::clone(target) as Arc<dyn Target>);
    }
    targets.settle();
    Arc::new(Dispatcher::new(targets, policy))
}

/// A POST of this body to the path of calls.
pub(crate) fn post(body: impl Into<Vec<u8>>) -> Call {
    Call::post(body).to(v1::CALL_PATH)
}

/// A call of a tool, as the reference writes it.
pub(crate) fn tool(name: &str, arguments: &Value) -> Call {
    let params = json!({ "name": name, "arguments": arguments });
    post(json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params }).to_string())
}

/// The tools a server lists.
pub(crate) async fn listed(address: SocketAddr) -> Vec<Value> {
    let reply = Call::new("GET", v1::LIST_PATH).send(address).await;
    assert_eq!(reply.status, 200);
    let body = reply.json();
    assert_eq!((&body["jsonrpc"], &body["id"]), (&json!("2.0"), &Value::Null));
    body["result"]["tools"].as_array().expect("tools").clone()
}

/// The names of the tools a server lists.
pub(crate) async fn names(address: SocketAddr) -> Vec<String> {
    let name = |tool: &Value| tool["name"].as_str().expect("a name").to_owned();
    listed(address).await.iter().map(name).collect()
}

impl Phone {
    pub(crate) async fn send(&self, call: Call) -> Reply {
        call.send(self.address).await
    }

    /// The result of a call that must succeed.
    pub(crate) async fn result(&self, name: &str, arguments: Value) -> Value {
        let reply = self.send(tool(name, &arguments)).await;
        assert_eq!(reply.status, 200);
        let body = reply.json();
        assert_eq!((&body["jsonrpc"], &body["id"]), (&json!("2.0"), &json!(1)), "{body}");
        assert_eq!(body.get("error"), None, "{name}: {body}");
        body["result"].clone()
    }

    /// The one text of a call that must succeed.
    pub(crate) async fn text(&self, name: &str, arguments: Value) -> String {
        let result = self.result(name, arguments).await;
        assert_eq!(result["content"].as_array().map(Vec::len), Some(1), "{result}");
        assert_eq!(result["content"][0]["type"], "text");
        result["content"][0]["text"].as_str().expect("a text").to_owned()
    }

    /// The text of a call that must fail with this code.
    pub(crate) async fn failure(&self, code: i64, name: &str, arguments: Value) -> String {
        let reply = self.send(tool(name, &arguments)).await;
        assert_eq!(reply.rpc_error(200, code), json!(1));
        let body = reply.json();
        assert_eq!(body.get("result"), None);
        assert_eq!(body["error"].as_object().map(serde_json::Map::len), Some(2), "code and message: {body}");
        body["error"]["message"].as_str().expect("a message").to_owned()
    }
}
