//! A value to look for, prepared once and compared with many texts.

use crate::compact::text::shown;

/// A value to look for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Needle {
    shown: String,
    folded: String,
}

impl Needle {
    pub(crate) fn new(value: &str) -> Self {
        let shown: String = shown(value).collect();
        let folded = folded(&shown);
        Self { shown, folded }
    }

    /// Whether the text shows exactly the value.
    pub(crate) fn equals(&self, text: &str) -> bool {
        !self.shown.is_empty() && (text == self.shown || shown(text).eq(self.shown.chars()))
    }

    /// Whether the text shows the value somewhere, in any case.
    pub(crate) fn is_within(&self, text: &str) -> bool {
        if self.folded.is_empty() {
            return false;
        }
        if text.is_ascii() {
            return self.is_within_ascii(text);
        }
        folded(text).contains(&self.folded)
    }

    /// Nearly all texts are ASCII and short, so comparing at each place beats preparing a copy.
    fn is_within_ascii(&self, text: &str) -> bool {
        let needle = self.folded.as_bytes();
        let same = |place: &[u8]| place.iter().zip(needle).all(|(byte, wanted)| fold_ascii(*byte) == *wanted);
        needle.is_ascii() && text.as_bytes().windows(needle.len()).any(same)
    }

    /// The value as it is compared.
    pub(crate) fn as_str(&self) -> &str {
        &self.shown
    }
}

/// The text as it is shown, without case.
fn folded(text: &str) -> String {
    let mut folded = String::with_capacity(text.len());
    for character in shown(text) {
        if character.is_ascii() {
            folded.push(character.to_ascii_lowercase());
        } else {
            folded.extend(fold(character));
        }
    }
    folded
}

/// The character without its case, one by one: the lower-casing of a whole string treats a final sigma by
/// its neighbours, so a part of a text would no longer be found in it.
///
/// On the way through the upper case `ß` meets `SS`, and all three sigmas meet. `İ` is an `i` to
/// those who type it.
fn fold(character: char) -> impl Iterator<Item = char> {
    let character = if character == 'İ' { 'i' } else { character };
    character.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase)
}

/// What [`shown`] and [`fold`] make of an ASCII character.
const fn fold_ascii(byte: u8) -> u8 {
    if byte.is_ascii_control() { b' ' } else { byte.to_ascii_lowercase() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn case_does_not_matter_in_any_script() {
        for (needle, text) in [
            ("straße", "Hauptstrasse"),
            ("STRASSE", "die Straße"),
            ("straße", "STRAẞE"),
            ("ΟΔΟΣ", "μια οδος εδω"),
            ("οδοσ", "ΟΔΟΣ"),
            ("ΣΑΣ", "ΣΑΣΑ"),
            ("привет", "ПРИВЕТ, мир"),
            ("istanbul", "İstanbul"),
            ("İSTANBUL", "istanbul"),
            ("éa", "ÉA"),
        ] {
            assert!(Needle::new(needle).is_within(text), "{needle} in {text}");
        }
    }

    #[test]
    fn no_character_differs_from_its_own_upper_or_lower_case() {
        // Further up there is no case. The lower case of `İ` keeps the dot as a mark of its own.
        for character in ('\0'..='\u{1ffff}').filter(|character| *character != 'İ') {
            assert!(character.to_lowercase().flat_map(fold).eq(fold(character)), "{character:?}");
            assert!(character.to_uppercase().flat_map(fold).eq(fold(character)), "{character:?}");
        }
    }

    #[test]
    fn ascii_and_other_texts_follow_the_same_rules() {
        for needle in ["K", "a b", "Zz", "-"] {
            for text in ["a\tb", "k", "xzZ", "a-b", "", "ab"] {
                let other = format!("é{text}");
                let needle = Needle::new(needle);
                assert_eq!(needle.is_within(text), needle.is_within(&other), "{needle:?} in {text}");
            }
        }
    }

    #[test]
    fn a_longer_value_is_not_within_a_shorter_text() {
        assert!(!Needle::new("abc").is_within("ab"));
        assert!(!Needle::new("abc").is_within(""));
    }
}
