//! `list_devices`: which targets are attached. Listed only while there is more than one.

use fingertip_core::Result;
use fingertip_core::target::{TargetInfo, TargetKind};
use serde_json::{Value, json};

use super::BASE;
use crate::params::Arguments;
use crate::reply::Reply;
use crate::targets::Targets;
use crate::tool::{Definition, ServerTool};

/// The tool.
pub(crate) struct ListDevices;

impl ServerTool for ListDevices {
    const DEFINITION: &'static Definition = &Definition {
        name: "list_devices",
        title: "List devices",
        description: "Lists the attached devices with name, kind, driver and state. Pass a name as 'device' \
            to the other tools.",
        output: Some(output),
        ..BASE
    };

    fn run(_arguments: Arguments<'_>, targets: &Targets) -> Result<Reply> {
        let device = |info: TargetInfo| {
            let kind = match info.kind {
                TargetKind::Phone => "phone",
                TargetKind::Desktop => "desktop",
            };
            json!({
                "name": info.name, "kind": kind, "label": info.label, "driver": info.driver, "state": info.state,
            })
        };
        let devices: Vec<_> = targets.all().iter().map(|known| device(known.info())).collect();
        Ok(Reply::json(json!({ "devices": devices })))
    }
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
