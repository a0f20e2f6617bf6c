//! `wc`: counts lines, words and bytes.

use super::{Call, Closed, Output, lines};

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let words: Vec<String> = call.arguments[1..].to_vec();
    let flags: String = words.iter().filter_map(|word| word.strip_prefix('-')).collect();
    let path = words.iter().find(|word| !word.starts_with('-'));
    let mut source = match lines::open(call, path.map(String::as_str), "wc") {
        Ok(source) => source,
        Err(message) => return call.print(Output::failure(1, message)).await,
    };
    let data = source.read_to_end().await;
    let counts = [
        ('l', data.iter().filter(|byte| **byte == b'\n').count()),
        ('w', data.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).count()),
        ('c', data.len()),
    ];
    let shown: Vec<String> = counts
        .into_iter()
        .filter(|(flag, _)| flags.is_empty() || flags.contains(*flag))
        .map(|(_, count)| count.to_string())
        .collect();
    let name = path.map(|path| format!(" {path}")).unwrap_or_default();
    call.stdout.write(format!("{}{name}\n", shown.join(" "))).await?;
    Ok(0)
}
