//! Files, and sockets of the phone.

use super::bench::{Bench, soon};

#[tokio::test]
async fn a_file_comes_back_as_it_was_sent() {
    let bench = Bench::start().await;
    let device = bench.adb.device("fingertip-demo");
    let content: Vec<u8> = (0..200_000_u32).map(|number| number as u8).collect();
    let path = "/data/local/tmp/some file";
    device.push(path, 0o644, &content, soon()).await.unwrap();
    assert_eq!(bench.phone.files().get(path).unwrap().mode & 0o777, 0o644);
    assert_eq!(device.pull(path, soon()).await.unwrap(), content);
    assert!(device.pull("/data/local/tmp/none", soon()).await.is_err());
    assert!(device.push("/proc/none", 0o644, b"x", soon()).await.is_err());
}

#[tokio::test]
async fn a_socket_without_a_listener_is_refused() {
    let bench = Bench::start().await;
    assert!(bench.adb.device("fingertip-demo").connect("nobody", soon()).await.is_err());
}
