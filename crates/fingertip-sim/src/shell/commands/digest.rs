//! `md5sum` and `sha256sum`: what tools use to see whether a pushed file is the one they mean.

use sha2::{Digest, Sha256};

use super::{Call, Closed};

pub(super) async fn md5sum(call: &mut Call<'_>) -> Result<u8, Closed> {
    run(call, |data| hexadecimal(&md5::Md5::digest(data))).await
}

pub(super) async fn sha256sum(call: &mut Call<'_>) -> Result<u8, Closed> {
    run(call, |data| hexadecimal(&Sha256::digest(data))).await
}

async fn run(call: &mut Call<'_>, digest: fn(&[u8]) -> String) -> Result<u8, Closed> {
    let brief = call.arguments.iter().any(|word| word == "-b");
    let paths: Vec<String> = call.arguments[1..].iter().filter(|word| *word != "-b").cloned().collect();
    if paths.is_empty() {
        let data = call.stdin.read_to_end().await;
        call.stdout.write(format!("{}  -\n", digest(&data))).await?;
        return Ok(0);
    }
    let mut exit = 0;
    for path in paths {
        let data = call.phone.files().read(&path);
        match data {
            Ok(data) if brief => call.stdout.write(format!("{}\n", digest(&data))).await?,
            Ok(data) => call.stdout.write(format!("{}  {path}\n", digest(&data))).await?,
            Err(error) => {
                exit = 1;
                call.stderr.write(format!("{}: {path}: {error}\n", call.arguments[0])).await?;
            }
        }
    }
    Ok(exit)
}

fn hexadecimal(digest: &[u8]) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}
