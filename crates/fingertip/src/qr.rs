//! QR codes: of blocks for a terminal, and as rows for code that draws them.

use qrcodegen::{QrCode, QrCodeEcc};

/// The margin that readers need, in modules.
const MARGIN: i32 = 2;

/// The code of a text; `None` when it is too long for one. Light modules are drawn, since most terminals are dark; readers
/// take the other way round too.
pub(crate) fn drawn(text: &str) -> Option<String> {
    let code = QrCode::encode_text(text, QrCodeEcc::Low).ok()?;
    let end = code.size() + MARGIN;
    let is_light = |x, y| y < end && !code.get_module(x, y);
    let mut lines = String::new();
    for y in (-MARGIN..end).step_by(2) {
        for x in -MARGIN..end {
            lines.push(match (is_light(x, y), is_light(x, y + 1)) {
                (true, true) => '█',
                (true, false) => '▀',
                (false, true) => '▄',
                (false, false) => ' ',
            });
        }
        lines.push('\n');
    }
    Some(lines)
}

/// The code of a text as rows of `1` for dark and `0` for light, with its margin; none when it is too long for one.
pub(crate) fn rows(text: &str) -> Vec<String> {
    let Ok(code) = QrCode::encode_text(text, QrCodeEcc::Low) else { return Vec::new() };
    let all = -MARGIN..code.size() + MARGIN;
    let row = |y| all.clone().map(|x| if code.get_module(x, y) { '1' } else { '0' }).collect();
    all.clone().map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_square_and_has_a_margin() {
        let drawn = drawn("https://192.168.0.7:8080/mcp").unwrap();
        let lines: Vec<&str> = drawn.lines().collect();
        let width = lines[0].chars().count();
        assert_eq!(width, 25 + 4, "version 2 of the code, and its margin");
        assert_eq!(lines.len(), width.div_ceil(2));
        assert!(lines.iter().all(|line| line.chars().count() == width && line.starts_with("██")
            || line.starts_with("▀▀")), "{drawn}");
        assert_eq!(lines[0], "█".repeat(width));
    }

    #[test]
    fn a_text_too_long_for_a_code_has_none() {
        assert_eq!(super::drawn(&"x".repeat(5000)), None);
    }

    #[test]
    fn rows_say_what_is_drawn() {
        let text = "https://192.168.0.7:8080/mcp";
        let (rows, drawn) = (rows(text), drawn(text).unwrap());
        assert!(rows.iter().all(|row| row.len() == rows.len()));
        for (pair, line) in rows.chunks(2).zip(drawn.lines()) {
            for (column, block) in line.chars().enumerate() {
                let light = |row: Option<&String>| row.is_some_and(|row| row.as_bytes()[column] == b'0');
                let expected = match (light(pair.first()), light(pair.get(1))) {
                    (true, true) => '█',
                    (true, false) => '▀',
                    (false, true) => '▄',
                    (false, false) => ' ',
                };
                assert_eq!(block, expected);
            }
        }
    }
}
