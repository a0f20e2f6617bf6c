//! Attribute values: references resolved, length bounded.

use std::borrow::Cow;

use super::MAX_TEXT;

/// The longest reference, such as `&#1114111;`.
const MAX_REFERENCE: usize = 12;

/// A value with its references resolved, and whether it was cut.
///
/// Lenient where phones are: an invalid reference stays as it is, and an emoji written as two references to
/// halves of a surrogate pair (as old releases do) is put together.
pub(super) fn decoded(raw: &str) -> (Cow<'_, str>, bool) {
    let kept = bounded(raw);
    let cut = kept.len() < raw.len();
    if !kept.contains('&') {
        return (Cow::Borrowed(kept), cut);
    }
    let mut text = String::with_capacity(kept.len());
    let mut rest = kept;
    while let Some(at) = rest.find('&') {
        text.push_str(&rest[..at]);
        rest = &rest[at..];
        let (character, length) = reference(rest).unwrap_or(('&', 1));
        text.push(character);
        rest = &rest[length..];
    }
    text.push_str(rest);
    (Cow::Owned(text), cut)
}

/// At most [`MAX_TEXT`] bytes, without half a character or half a reference at the end.
fn bounded(raw: &str) -> &str {
    if raw.len() <= MAX_TEXT {
        return raw;
    }
    let kept = &raw[..raw.floor_char_boundary(MAX_TEXT)];
    let tail = kept.floor_char_boundary(kept.len() - MAX_REFERENCE);
    match kept[tail..].rfind('&') {
        Some(at) if !kept[tail + at..].contains(';') => &kept[..tail + at],
        _ => kept,
    }
}

/// The character that the reference at the start of `text` means, and the length of the reference.
fn reference(text: &str) -> Option<(char, usize)> {
    let (code, length) = code(text)?;
    if !(0xd800..0xdc00).contains(&code) {
        return Some((char::from_u32(code)?, length));
    }
    let (low, low_length) = self::code(&text[length..])?;
    let pair = char::decode_utf16([u16::try_from(code).ok()?, u16::try_from(low).ok()?]).next()?.ok()?;
    Some((pair, length + low_length))
}

fn code(text: &str) -> Option<(u32, usize)> {
    let head = &text.as_bytes()[..text.len().min(MAX_REFERENCE)];
    let end = head.iter().position(|byte| *byte == b';')?;
    let name = text.get(1..end).filter(|_| head.first() == Some(&b'&'))?;
    let code = match name {
        "amp" => u32::from('&'),
        "lt" => u32::from('<'),
        "gt" => u32::from('>'),
        "quot" => u32::from('"'),
        "apos" => u32::from('\''),
        _ => {
            let digits = name.strip_prefix('#')?;
            match digits.strip_prefix(['x', 'X']) {
                Some(digits) => u32::from_str_radix(digits, 16).ok()?,
                None => digits.parse().ok()?,
            }
        }
    };
    Some((code, end + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(raw: &str) -> String {
        decoded(raw).0.into_owned()
    }

    #[test]
    fn references_become_characters() {
        assert_eq!(text("a &amp; b &lt;c&gt; &quot;d&quot; &apos;e&apos;"), "a & b <c> \"d\" 'e'");
        assert_eq!(text("line&#10;line&#xA0;end"), "line\nline\u{a0}end");
        assert_eq!(text("&#128512;"), "😀");
        assert_eq!(text("&#55357;&#56832;!"), "😀!");
    }

    #[test]
    fn what_is_no_reference_stays() {
        for raw in
            ["&", "a & b", "&nope;", "&#;", "&#xzz;", "&#55357;", "&#1114112;", "&#99999999999999;", "&é;"]
        {
            assert_eq!(text(raw), raw);
        }
    }

    #[test]
    fn a_long_value_is_cut_at_a_character() {
        let long = format!("{}é", "x".repeat(MAX_TEXT - 1));
        assert_eq!(decoded(&long).0.len(), MAX_TEXT - 1);
        let inside = format!("{}&amp;tail", "x".repeat(MAX_TEXT - 2));
        let (value, cut) = decoded(&inside);
        assert!(cut);
        assert_eq!(value.len(), MAX_TEXT - 2);
        assert!(!decoded(&"x".repeat(MAX_TEXT)).1);
    }

    proptest::proptest! {
        #[test]
        fn a_value_is_never_longer_than_written(raw in "[&#;x0-9a-fé]{0,80}") {
            proptest::prop_assert!(decoded(&raw).0.len() <= raw.len());
        }
    }
}
