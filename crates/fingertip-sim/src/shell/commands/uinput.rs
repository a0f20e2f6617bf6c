//! `uinput -`: a virtual touch screen fed with events, the one way to several fingers without a program on the phone.
//!
//! Standard input (or a file) is a stream of JSON objects; each is carried out as soon as it is complete. The
//! end of the stream unplugs the devices, which takes their fingers off the screen.

mod device;

use std::collections::BTreeMap;
use std::time::Duration;

use serde_json::Value;

use self::device::Device;
use super::{Call, Closed, Output, lines};
use crate::SimPhone;

/// The longest object.
const MAX_OBJECT: usize = 1024 * 1024;

/// The longest pause one object may ask for.
const LONGEST_DELAY: u64 = 60_000;

/// The most devices at once.
const MAX_DEVICES: usize = 8;

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let mut source = match &call.arguments.clone()[1..] {
        [path] => match lines::open(call, Some(path), "uinput") {
            Ok(source) => source,
            Err(message) => return call.print(Output::failure(1, message)).await,
        },
        _ => return call.print(Output::failure(1, "usage: uinput [FILE|-]\n")).await,
    };
    let mut devices = Devices::default();
    let mut waiting = Vec::new();
    let result = loop {
        match take_object(&mut waiting) {
            Ok(Some(object)) => {
                if let Some(answer) = devices.perform(call.phone, &object).await {
                    call.stdout.write(answer).await?;
                }
            }
            Ok(None) => match source.read().await {
                Some(data) if waiting.len() + data.len() <= MAX_OBJECT => waiting.extend_from_slice(&data),
                Some(_) => break Err("object too long".to_owned()),
                None => break Ok(()),
            },
            Err(error) => break Err(error),
        }
    };
    devices.unplug(call.phone);
    match result {
        Ok(()) => Ok(0),
        Err(error) => call.print(Output::failure(1, format!("Error: {error}\n"))).await,
    }
}

/// Cuts the next whole object off the bytes; `None` when it is not all there.
fn take_object(waiting: &mut Vec<u8>) -> Result<Option<Value>, String> {
    // Objects may be separated by commas and wrapped in an array, as recordings are.
    let skipped = waiting
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace() || matches!(byte, b',' | b'[' | b']'))
        .count();
    waiting.drain(..skipped);
    let mut objects = serde_json::Deserializer::from_slice(waiting).into_iter::<Value>();
    match objects.next() {
        None => Ok(None),
        Some(Ok(object)) => {
            let used = objects.byte_offset();
            waiting.drain(..used);
            Ok(Some(object))
        }
        Some(Err(error)) if error.is_eof() => Ok(None),
        Some(Err(error)) => Err(error.to_string()),
    }
}

#[derive(Debug, Default)]
struct Devices {
    by_id: BTreeMap<i64, Device>,
}

impl Devices {
    /// Carries out one object; what comes back is printed.
    async fn perform(&mut self, phone: &SimPhone, object: &Value) -> Option<String> {
        let id = object["id"].as_i64().unwrap_or_default();
        match object["command"].as_str()? {
            "register" if self.by_id.len() < MAX_DEVICES => {
                let number = self.by_id.len();
                self.by_id.insert(id, Device::register(object, number));
            }
            "delay" => {
                let pause = object["duration"].as_u64().unwrap_or_default().min(LONGEST_DELAY);
                tokio::time::sleep(Duration::from_millis(pause)).await;
            }
            "inject" => {
                let events = object["events"].as_array()?;
                self.by_id.get_mut(&id)?.inject(phone, events);
            }
            "sync" => {
                let token = &object["syncToken"];
                return Some(format!("{{\"id\":{id},\"result\":\"sync\",\"syncToken\":{token}}}\n"));
            }
            _ => {}
        }
        None
    }

    fn unplug(&mut self, phone: &SimPhone) {
        for device in self.by_id.values_mut() {
            device.unplug(phone);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_taken_one_by_one_as_they_arrive() {
        let mut waiting = b"[{\"id\":1},\n{\"id\":2} {\"i".to_vec();
        assert_eq!(take_object(&mut waiting).unwrap().unwrap()["id"], 1);
        assert_eq!(take_object(&mut waiting).unwrap().unwrap()["id"], 2);
        assert_eq!(take_object(&mut waiting), Ok(None));
        waiting.extend(b"d\":3}]");
        assert_eq!(take_object(&mut waiting).unwrap().unwrap()["id"], 3);
        assert_eq!(take_object(&mut waiting), Ok(None));
        assert!(take_object(&mut b"{rubbish".to_vec()).is_err());
    }
}
