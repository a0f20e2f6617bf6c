//! `cat`: files or standard input, one after another.

use super::{Call, Closed};

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let paths: Vec<String> = call.arguments[1..].to_vec();
    if paths.is_empty() || paths == ["-"] {
        while let Some(data) = call.stdin.read().await {
            call.stdout.write(data).await?;
        }
        return Ok(0);
    }
    let mut exit = 0;
    for path in paths {
        let data = call.phone.files().read(&path);
        match data {
            Ok(data) => call.stdout.write(data).await?,
            Err(_) if path == "/dev/null" => {}
            Err(error) => {
                exit = 1;
                call.stderr.write(format!("cat: {path}: {error}\n")).await?;
            }
        }
    }
    Ok(exit)
}
