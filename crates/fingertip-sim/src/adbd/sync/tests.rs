use super::*;
use crate::phone::Profile;

const MODIFIED: u32 = 0x6543_2100;

async fn talk(phone: &SimPhone, request: &[u8]) -> Vec<u8> {
    let (mut near, far) = tokio::io::duplex(4 * 1024 * 1024);
    near.write_all(request).await.unwrap();
    near.shutdown().await.unwrap();
    let _ = serve(phone, far).await;
    let mut answer = Vec::new();
    near.read_to_end(&mut answer).await.unwrap();
    answer
}

fn request(id: &[u8; 4], path: &str) -> Vec<u8> {
    [&wire::header(*id, path.len())[..], path.as_bytes()].concat()
}

fn push(path: &str, data: &[u8]) -> Vec<u8> {
    let mut bytes = request(b"SEND", &format!("{path},33188"));
    for chunk in data.chunks(MAX_DATA) {
        bytes.extend(wire::header(*b"DATA", chunk.len()));
        bytes.extend(chunk);
    }
    bytes.extend(wire::header(*b"DONE", MODIFIED as usize));
    bytes
}

#[tokio::test]
async fn a_pushed_file_is_pulled_back_the_same_in_both_versions() {
    let phone = SimPhone::start(Profile::default());
    let data: Vec<u8> = (0..200_000_u32).flat_map(u32::to_le_bytes).collect();
    assert_eq!(talk(&phone, &push("/data/local/tmp/new/file", &data)).await, b"OKAY\0\0\0\0");
    let mut pulled = Vec::new();
    let mut answer = talk(&phone, &request(b"RECV", "/data/local/tmp/new/file")).await;
    while answer.starts_with(b"DATA") {
        let length = u32::from_le_bytes(answer[4..8].try_into().unwrap()) as usize;
        assert!(length <= MAX_DATA);
        pulled.extend_from_slice(&answer[8..8 + length]);
        answer.drain(..8 + length);
    }
    assert_eq!(answer, b"DONE\0\0\0\0");
    assert_eq!(pulled, data);
    let second = [request(b"RCV2", "/data/local/tmp/new/file"), b"RCV2\0\0\0\0".to_vec()].concat();
    assert!(talk(&phone, &second).await.starts_with(b"DATA\0\0\x01\0\0\0\0\0\x01\0\0\0"));
}

#[tokio::test]
async fn the_first_stat_is_sixteen_bytes() {
    let phone = SimPhone::start(Profile::default());
    talk(&phone, &push("/sdcard/a", b"hello")).await;
    assert_eq!(
        talk(&phone, &request(b"STAT", "/sdcard/a")).await,
        b"STAT\xa4\x81\0\0\x05\0\0\0\0\x21\x43\x65"
    );
    assert_eq!(talk(&phone, &request(b"STAT", "/nowhere")).await, b"STAT\0\0\0\0\0\0\0\0\0\0\0\0");
}

#[tokio::test]
async fn the_second_stat_is_seventy_two_bytes_and_says_errors() {
    let phone = SimPhone::start(Profile::default());
    talk(&phone, &push("/sdcard/a", b"hello")).await;
    let answer = talk(&phone, &request(b"STA2", "/sdcard/a")).await;
    assert_eq!(answer.len(), 72);
    assert_eq!(&answer[..8], b"STA2\0\0\0\0");
    assert_eq!(&answer[24..28], b"\xa4\x81\0\0");
    assert_eq!(&answer[40..48], b"\x05\0\0\0\0\0\0\0");
    let missing = talk(&phone, &request(b"LST2", "/nowhere")).await;
    assert_eq!(&missing[..8], b"LST2\x02\0\0\0");
    assert_eq!(missing.len(), 72);
}

#[tokio::test]
async fn folders_are_listed_in_both_versions() {
    let phone = SimPhone::start(Profile::default());
    talk(&phone, &push("/data/local/tmp/ab", b"hello")).await;
    let first = talk(&phone, &request(b"LIST", "/data/local/tmp")).await;
    assert_eq!(first[..22], *b"DENT\xa4\x81\0\0\x05\0\0\0\0\x21\x43\x65\x02\0\0\0ab");
    assert_eq!(first[22..], *b"DONE\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0");
    let second = talk(&phone, &request(b"LIS2", "/data/local/tmp")).await;
    assert_eq!(second[..8], *b"DNT2\0\0\0\0");
    assert_eq!(second.len(), 76 + 2 + 76);
}

#[tokio::test]
async fn refusals_carry_a_reason_and_the_stream_goes_on() {
    let phone = SimPhone::start(Profile::default());
    let two = [push("/system/x", b"no"), request(b"RECV", "/nowhere"), b"QUIT\0\0\0\0".to_vec()].concat();
    let expected: &[u8] = b"FAIL\x27\0\0\0couldn't create file: Permission denied\
        FAIL\x26\0\0\0open failed: No such file or directory";
    assert_eq!(talk(&phone, &two).await, expected);
}

#[tokio::test]
async fn rubbish_is_refused() {
    let phone = SimPhone::start(Profile::default());
    assert!(talk(&phone, b"WHAT\x01\0\0\0x").await.starts_with(b"FAIL"));
    assert!(talk(&phone, b"STAT\xff\xff\xff\xff").await.starts_with(b"FAIL"));
    let compressed = [request(b"SND2", "/sdcard/x"), b"SND2\xa4\x81\0\0\x02\0\0\0".to_vec()].concat();
    assert!(talk(&phone, &compressed).await.starts_with(b"FAIL"));
}

#[tokio::test]
async fn unfinished_pushes_hold_one_file_together_and_the_rest_fail_for_lack_of_room() {
    let phone = SimPhone::start(Profile::default());
    let held =
        phone.bounds().unfinished(crate::bounds::MAX_UNFINISHED - MAX_DATA).expect("nothing else is there");
    let path = "/data/local/tmp/file";
    let refused = talk(&phone, &push(path, &vec![7; 3 * MAX_DATA])).await;
    assert!(String::from_utf8_lossy(&refused).contains("No space left"), "{refused:?}");
    assert!(phone.files().get(path).is_err());
    drop(held);
    // What a push held is free again once it is over, stored, refused or cut off.
    let mut cut = push(path, &vec![7; 3 * MAX_DATA]);
    cut.truncate(2 * MAX_DATA);
    talk(&phone, &cut).await;
    assert!(phone.bounds().unfinished(crate::bounds::MAX_UNFINISHED).is_some());
    assert_eq!(talk(&phone, &push(path, &vec![7; 3 * MAX_DATA])).await, b"OKAY\0\0\0\0");
}
