use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

use super::*;
use crate::Presence;
use crate::phone::Profile;

fn phone(serial: &str) -> Arc<SimPhone> {
    SimPhone::start(Profile { serial: serial.into(), ..Profile::default() })
}

async fn server(phones: &[Arc<SimPhone>]) -> AdbServer {
    let server = AdbServer::start(([127, 0, 0, 1], 0).into()).await.unwrap();
    for phone in phones {
        server.add(Arc::clone(phone));
    }
    server
}

async fn connect(server: &AdbServer, requests: &[&str]) -> TcpStream {
    let mut socket = TcpStream::connect(server.address()).await.unwrap();
    for request in requests {
        socket.write_all(&request::frame(request)).await.unwrap();
    }
    socket
}

/// Everything the server says to these requests until it closes the connection.
async fn ask(server: &AdbServer, requests: &[&str]) -> String {
    let mut reply = Vec::new();
    connect(server, requests).await.read_to_end(&mut reply).await.unwrap();
    String::from_utf8_lossy(&reply).into_owned()
}

async fn next_frame(socket: &mut TcpStream) -> String {
    request::read(socket).await.unwrap().unwrap()
}

#[tokio::test]
async fn the_server_introduces_itself_and_its_phones() {
    let server = server(&[phone("one"), phone("two")]).await;
    assert_eq!(ask(&server, &["host:version"]).await, "OKAY00040029");
    assert_eq!(ask(&server, &["host:devices"]).await, "OKAY0016one\tdevice\ntwo\tdevice\n");
    let long = ask(&server, &["host:devices-l"]).await;
    let line = "one                    \
        device product:fingertip_demo model:Fingertip_Demo device:demo transport_id:1\n";
    assert!(long.contains(line), "{long}");
    assert!(ask(&server, &["host:nonsense"]).await.starts_with("FAIL"));
}

#[tokio::test]
async fn a_phone_is_chosen_by_serial_by_number_or_for_being_the_only_one() {
    let both = server(&[phone("one"), phone("127.0.0.1:5555")]).await;
    let name = "exec:getprop ro.serialno";
    assert_eq!(ask(&both, &["host:transport:127.0.0.1:5555", name]).await, "OKAYOKAY127.0.0.1:5555\n");
    assert_eq!(ask(&both, &["host:transport-id:1", name]).await, "OKAYOKAYone\n");
    assert_eq!(ask(&both, &["host:transport-any", name]).await, "FAIL001dmore than one device/emulator");
    assert_eq!(ask(&both, &["host:transport:three", name]).await, "FAIL0018device 'three' not found");
    assert_eq!(ask(&both, &["host:tport:serial:one", name]).await, "OKAY\x01\0\0\0\0\0\0\0OKAYone\n");
    assert_eq!(ask(&both, &["host-serial:127.0.0.1:5555:get-state"]).await, "OKAY0006device");
    assert!(ask(&both, &["host-serial:one:features"]).await.contains("shell_v2,"));
    let single = server(&[phone("one")]).await;
    assert_eq!(ask(&single, &["host:tport:any", name]).await, "OKAY\x01\0\0\0\0\0\0\0OKAYone\n");
}

#[tokio::test]
async fn exit_codes_and_refusals_reach_the_client() {
    let server = server(&[phone("one")]).await;
    let reply = ask(&server, &["host:transport:one", "shell,v2,raw:false"]).await;
    assert_eq!(reply, "OKAYOKAY\x03\x01\0\0\0\x01");
    assert_eq!(ask(&server, &["host:transport:one", "tcp:80"]).await, "OKAYFAIL0006closed");
    assert_eq!(ask(&server, &["host:transport:one", "localabstract:nobody"]).await, "OKAYFAIL0006closed");
}

#[tokio::test]
async fn a_phone_that_cannot_be_used_says_why() {
    let (one, name) = (phone("one"), "exec:id");
    let server = server(&[Arc::clone(&one)]).await;
    one.faults().change(|plan| plan.presence = Presence::Offline);
    assert_eq!(ask(&server, &["host:transport:one", name]).await, "FAIL000edevice offline");
    assert_eq!(ask(&server, &["host:devices"]).await, "OKAY000cone\toffline\n");
    one.faults().change(|plan| plan.presence = Presence::Unauthorized);
    assert!(ask(&server, &["host:transport:one", name]).await.contains("device unauthorized.\n"));
    one.faults().change(|plan| plan.presence = Presence::Away);
    assert_eq!(ask(&server, &["host:devices"]).await, "OKAY0000");
    assert_eq!(ask(&server, &["host:transport-any", name]).await, "FAIL001ano devices/emulators found");
}

#[tokio::test]
async fn changes_of_the_list_are_sent_as_they_happen() {
    let one = phone("one");
    let server = server(&[]).await;
    let mut socket = connect(&server, &["host:track-devices"]).await;
    let mut okay = [0; 4];
    socket.read_exact(&mut okay).await.unwrap();
    assert_eq!(&okay, b"OKAY");
    assert_eq!(next_frame(&mut socket).await, "");
    server.add(Arc::clone(&one));
    assert_eq!(next_frame(&mut socket).await, "one\tdevice\n");
    one.faults().change(|plan| plan.presence = Presence::Offline);
    assert_eq!(next_frame(&mut socket).await, "one\toffline\n");
    server.remove("one");
    assert_eq!(next_frame(&mut socket).await, "");
}

#[tokio::test]
async fn a_forward_leads_to_a_socket_on_the_phone() {
    let one = phone("one");
    let server = server(&[Arc::clone(&one)]).await;
    let mut listener = one.listeners().listen("agent");
    let reply = ask(&server, &["host-serial:one:forward:tcp:0;localabstract:agent"]).await;
    let port: u16 = reply.strip_prefix("OKAYOKAY").unwrap()[4..].parse().unwrap();
    assert!(
        ask(&server, &["host:list-forward"])
            .await
            .ends_with(&format!("one tcp:{port} localabstract:agent\n"))
    );
    let mut client = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
    client.write_all(b"ping").await.unwrap();
    let mut agent = listener.accept().await.unwrap();
    let mut ping = [0; 4];
    agent.read_exact(&mut ping).await.unwrap();
    assert_eq!(&ping, b"ping");
    assert_eq!(ask(&server, &[&format!("host:killforward:tcp:{port}")]).await, "OKAYOKAY");
    assert_eq!(ask(&server, &["host:list-forward"]).await, "OKAY0000");
}

#[tokio::test]
async fn a_running_command_is_cut_when_its_phone_goes_away() {
    let one = phone("one");
    let server = server(&[Arc::clone(&one)]).await;
    let mut socket = connect(&server, &["host:transport:one", "exec:sleep 1000"]).await;
    let mut reply = [0; 8];
    socket.read_exact(&mut reply).await.unwrap();
    one.faults().change(|plan| plan.presence = Presence::Away);
    assert_eq!(socket.read(&mut reply).await.unwrap_or(0), 0);
}
