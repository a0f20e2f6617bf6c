//! `list_devices`: which targets are attached. Listed only while there is more than one.

use async_trait::async_trait;
use fingertip_core::target::{Capabilities, TargetKind};
use fingertip_core::{Error, Reason, Result};
use serde_json::{Value, json};

use crate::call::Call;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::targets::Targets;
use crate::tool::{Definition, Effect, Tool, Toolset};

/// The tool.
pub struct ListDevices;

/// Lists the targets. It needs none itself, so the dispatcher calls this instead of [`Tool::run`].
#[must_use]
pub fn run(targets: &Targets) -> Reply {
    let device = |info: fingertip_core::target::TargetInfo| {
        let kind = match info.kind {
            TargetKind::Phone => "phone",
            TargetKind::Desktop => "desktop",
        };
        json!({
            "name": info.name, "kind": kind, "label": info.label, "driver": info.driver, "state": info.state,
        })
    };
    let devices: Vec<_> = targets.all().iter().map(|known| device(known.target().info())).collect();
    Reply::json(json!({ "devices": devices }))
}

fn output() -> Value {
    let text = json!({ "type": "string" });
    json!({
        "type": "object",
        "properties": {
            "devices": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": { "name": text, "kind": text, "label": text, "driver": text, "state": text },
                    "required": ["name", "kind", "label", "driver", "state"],
                },
            },
        },
        "required": ["devices"],
    })
}

#[async_trait]
impl Tool for ListDevices {
    type Input = ();

    const DEFINITION: &'static Definition = &Definition {
        name: "list_devices",
        title: "List devices",
        description: "Lists the attached devices with name, kind, driver and state. Pass a name as 'device' \
            to the other tools.",
        toolset: Toolset::Server,
        effect: Effect::Read,
        needs: Capabilities::empty(),
        params: &[],
        output: Some(output),
    };

    fn parse(_arguments: Arguments<'_>) -> Result<()> {
        Ok(())
    }

    async fn run((): (), _call: &Call) -> Result<Reply> {
        Err(Error::new(Reason::Internal, "list_devices takes no device."))
    }
}
