//! One client of the server: services of the host, and the way to those of a phone.

use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};

use super::Shared;
use super::devices::{Device, Selector};
use super::request::{answer, fail, frame, okay, read};
use crate::Presence;
use crate::adbd::service::{self, FEATURES, ServiceStream};

/// The version clients ask for before anything else; theirs must be the same.
const VERSION: &str = "0029";

/// How long a client that still talks is listened to after the last word to it.
const LINGER: Duration = Duration::from_secs(1);

/// Serves a client until it is done.
pub(super) async fn serve(mut socket: impl ServiceStream, shared: Arc<Shared>) {
    let _client = Arc::clone(&shared.clients);
    let result = match converse(&mut socket, &shared).await {
        Ok(Some((device, name))) => device_service(socket, &device, &name).await,
        Ok(None) => close(socket).await,
        Err(error) => Err(error),
    };
    if let Err(error) = result {
        tracing::debug!("client of the adb server: {error}");
    }
}

/// Answers the client's request, or finds out which service of which phone it wants.
async fn converse(
    socket: &mut impl ServiceStream,
    shared: &Shared,
) -> std::io::Result<Option<(Device, String)>> {
    let Some(request) = read(socket).await? else { return Ok(None) };
    let Some(chosen) = choose(&request) else {
        let (selector, query) = split(&request);
        host_service(socket, shared, &selector, query).await?;
        return Ok(None);
    };
    let device = match shared.devices.find_online(&chosen.selector) {
        Ok(device) => device,
        Err(reason) => {
            fail(socket, &reason).await?;
            return Ok(None);
        }
    };
    okay(socket).await?;
    if chosen.tells_transport {
        socket.write_all(&device.transport.to_le_bytes()).await?;
    }
    let Some(name) = read(socket).await? else { return Ok(None) };
    // The adb client asks for forwards this way: the phone first, then a service of the host.
    if let Some(query) = name.strip_prefix("host:") {
        host_service(socket, shared, &Selector::Transport(device.transport), query).await?;
        return Ok(None);
    }
    Ok(Some((device, name)))
}

/// Closes a connection without losing the last answer, which unread bytes of the client would undo.
async fn close(mut socket: impl ServiceStream) -> std::io::Result<()> {
    socket.shutdown().await?;
    let mut nowhere = tokio::io::sink();
    let drain = tokio::io::copy(&mut socket, &mut nowhere);
    tokio::time::timeout(LINGER, drain).await.map_or(Ok(()), |drained| drained.map(|_| ()))
}

/// A phone to be used for what follows on the same connection.
#[derive(Debug, PartialEq, Eq)]
struct Chosen {
    selector: Selector,
    /// Whether the client wants to know the server's number of it.
    tells_transport: bool,
}

fn choose(request: &str) -> Option<Chosen> {
    let request = request.strip_prefix("host:")?;
    let (rest, tells_transport) = match request.strip_prefix("tport:") {
        Some(rest) => (rest, true),
        None => (request.strip_prefix("transport")?, false),
    };
    let selector = match rest {
        "any" | "usb" | "local" | "-any" | "-usb" | "-local" => Selector::Any,
        _ => match rest.strip_prefix("-id:") {
            Some(id) => Selector::Transport(id.parse().ok()?),
            None => {
                Selector::Serial(rest.strip_prefix("serial:").or_else(|| rest.strip_prefix(':'))?.to_owned())
            }
        },
    };
    Some(Chosen { selector, tells_transport })
}

/// The phone a host service is about, and the service.
fn split(request: &str) -> (Selector, &str) {
    if let Some(rest) = request.strip_prefix("host-serial:") {
        // A serial number may hold colons (`127.0.0.1:5555`); the service starts at the last known word.
        let at = SERIAL_SERVICES.iter().filter_map(|word| rest.find(&format!(":{word}"))).min();
        if let Some(at) = at {
            return (Selector::Serial(rest[..at].to_owned()), &rest[at + 1..]);
        }
    }
    if let Some((id, query)) =
        request.strip_prefix("host-transport-id:").and_then(|rest| rest.split_once(':'))
    {
        return (id.parse().map_or(Selector::Any, Selector::Transport), query);
    }
    for prefix in ["host:", "host-usb:", "host-local:"] {
        if let Some(query) = request.strip_prefix(prefix) {
            return (Selector::Any, query);
        }
    }
    (Selector::Any, request)
}

/// Services that may follow a serial number.
const SERIAL_SERVICES: [&str; 9] = [
    "features",
    "get-state",
    "get-serialno",
    "get-devpath",
    "forward:",
    "killforward",
    "list-forward",
    "reconnect",
    "wait-for",
];

/// Hands the connection to a service; a phone that goes away takes it along.
async fn device_service(mut socket: impl ServiceStream, device: &Device, name: &str) -> std::io::Result<()> {
    let Some(opened) = service::open(name, &device.phone).await else {
        fail(&mut socket, "closed").await?;
        return close(socket).await;
    };
    okay(&mut socket).await?;
    tokio::select! {
        () = opened.run(socket) => {}
        () = device.phone.faults().until(|plan| plan.presence != Presence::Online) => {}
    }
    Ok(())
}

async fn host_service(
    socket: &mut impl ServiceStream,
    shared: &Shared,
    selector: &Selector,
    query: &str,
) -> std::io::Result<()> {
    let (word, rest) = query.split_once(':').unwrap_or((query, ""));
    match word {
        "version" => answer(socket, VERSION).await,
        "devices" => answer(socket, &shared.devices.list(false)).await,
        "devices-l" => answer(socket, &shared.devices.list(true)).await,
        "track-devices" => track(socket, shared, false).await,
        "track-devices-l" => track(socket, shared, true).await,
        "host-features" => answer(socket, FEATURES).await,
        "features" => match shared.devices.find_online(selector) {
            Ok(_) => answer(socket, FEATURES).await,
            Err(reason) => fail(socket, &reason).await,
        },
        "get-state" | "get-serialno" | "get-devpath" => match shared.devices.find(selector) {
            Ok(device) => {
                let text = match word {
                    "get-state" => device.presence().state().unwrap_or("unknown").to_owned(),
                    "get-serialno" => device.serial(),
                    _ => "unknown".to_owned(),
                };
                answer(socket, &text).await
            }
            Err(reason) => fail(socket, &reason).await,
        },
        "forward" => forward(socket, shared, selector, rest).await,
        "list-forward" => answer(socket, &shared.forwards.list()).await,
        "killforward" => confirm(socket, shared.forwards.remove(rest)).await,
        "killforward-all" => {
            shared.forwards.clear();
            confirm(socket, Ok(())).await
        }
        "server-status" | "mdns" | "connect" | "disconnect" | "pair" | "kill" => {
            fail(socket, "not available on a simulated adb server").await
        }
        _ => fail(socket, &format!("unknown host service '{query}'")).await,
    }
}

/// Yes twice: the request was understood, and it was done.
async fn confirm(socket: &mut impl ServiceStream, result: Result<(), String>) -> std::io::Result<()> {
    match result {
        Ok(()) => socket.write_all(b"OKAYOKAY").await,
        Err(reason) => fail(socket, &reason).await,
    }
}

async fn forward(
    socket: &mut impl ServiceStream,
    shared: &Shared,
    selector: &Selector,
    rest: &str,
) -> std::io::Result<()> {
    let (rest, rebind) = rest.strip_prefix("norebind:").map_or((rest, true), |rest| (rest, false));
    let Some((local, remote)) = rest.split_once(';') else {
        return fail(socket, "bad forward: no ';' between local and remote").await;
    };
    let device = match shared.devices.find_online(selector) {
        Ok(device) => device,
        Err(reason) => return fail(socket, &reason).await,
    };
    match shared.forwards.add(device.phone, local, remote, rebind).await {
        Ok(port) if local == "tcp:0" => {
            let mut reply = b"OKAYOKAY".to_vec();
            reply.extend(frame(&port.to_string()));
            socket.write_all(&reply).await
        }
        result => confirm(socket, result.map(|_| ())).await,
    }
}

/// Sends the list of phones now and after each change, until the client goes away.
async fn track(socket: &mut impl ServiceStream, shared: &Shared, long: bool) -> std::io::Result<()> {
    let mut changes = shared.devices.subscribe();
    okay(socket).await?;
    let mut sent = None;
    loop {
        changes.mark_unchanged();
        let list = shared.devices.list(long);
        if sent.as_ref() != Some(&list) {
            socket.write_all(&frame(&list)).await?;
            sent = Some(list);
        }
        let mut unexpected = [0; 64];
        tokio::select! {
            changed = changes.changed() => if changed.is_err() { return Ok(()) },
            read = socket.read(&mut unexpected) => if read? == 0 { return Ok(()) },
        }
    }
}
