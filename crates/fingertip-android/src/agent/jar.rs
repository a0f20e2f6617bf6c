//! The agent itself: built from `agent/` of this repository, carried inside this program.

use std::sync::LazyLock;

use sha2::{Digest, Sha256};

/// The program that runs on the phone.
pub(crate) const BYTES: &[u8] = include_bytes!("../../../../agent/dist/fingertip-agent.jar");
/// How many hex digits of its hash name it.
const DIGITS: usize = 16;

/// The start of its hash: an agent with the same is the same agent.
pub(crate) static BUILD: LazyLock<String> = LazyLock::new(|| {
    let digest = Sha256::digest(BYTES);
    digest.iter().flat_map(|byte| [byte >> 4, byte & 15]).take(DIGITS).map(hex_digit).collect()
});

fn hex_digit(value: u8) -> char {
    char::from_digit(value.into(), 16).unwrap_or('0')
}

/// Where it is put on the phone. The agent removes it as soon as it runs.
pub(crate) fn path() -> String {
    format!("/data/local/tmp/fingertip-{}.jar", *BUILD)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agent_is_named_by_its_content() {
        assert_eq!(BUILD.len(), DIGITS);
        assert!(BUILD.bytes().all(|digit| digit.is_ascii_hexdigit()));
        assert_eq!(path(), format!("/data/local/tmp/fingertip-{}.jar", *BUILD));
        assert!(!BYTES.is_empty());
    }
}
