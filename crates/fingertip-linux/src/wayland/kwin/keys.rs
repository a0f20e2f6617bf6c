//! Which keys the keyboard layouts of the session have, from the keymap that KWin gives to whoever has a keyboard.
//!
//! KWin takes the numbers of keys and not characters, so that what is typed is what the user's layout makes of them. Known
//! are the characters of Latin letters, digits and signs with and without Shift; what needs another key is not typed.

use std::collections::HashMap;

use super::super::keymap::Stroke;

/// The most characters of a keymap; usual ones have 60,000.
pub(super) const LARGEST: usize = 1 << 20;
/// The most layouts of a keymap: XKB has room for four.
const MOST_LAYOUTS: usize = 4;
/// The last key of what is usually called the keyboard; later ones are of remote controls and the like.
const LAST_KEY: u32 = 127;
/// What XKB adds to the number of a key.
const OFFSET: u32 = 8;

/// What XKB calls the signs of ASCII, and which these are.
const SIGNS: [(&str, char); 33] = [
    ("space", ' '),
    ("exclam", '!'),
    ("quotedbl", '"'),
    ("numbersign", '#'),
    ("dollar", '$'),
    ("percent", '%'),
    ("ampersand", '&'),
    ("apostrophe", '\''),
    ("parenleft", '('),
    ("parenright", ')'),
    ("asterisk", '*'),
    ("plus", '+'),
    ("comma", ','),
    ("minus", '-'),
    ("period", '.'),
    ("slash", '/'),
    ("colon", ':'),
    ("semicolon", ';'),
    ("less", '<'),
    ("equal", '='),
    ("greater", '>'),
    ("question", '?'),
    ("at", '@'),
    ("bracketleft", '['),
    ("backslash", '\\'),
    ("bracketright", ']'),
    ("asciicircum", '^'),
    ("underscore", '_'),
    ("grave", '`'),
    ("braceleft", '{'),
    ("bar", '|'),
    ("braceright", '}'),
    ("asciitilde", '~'),
];

/// What XKB calls the letters and signs of Latin-1, from U+00A1 on.
const LATIN: &str = "exclamdown cent sterling currency yen brokenbar section diaeresis copyright ordfeminine \
    guillemotleft notsign hyphen registered macron degree plusminus twosuperior threesuperior acute mu paragraph \
    periodcentered cedilla onesuperior masculine guillemotright onequarter onehalf threequarters questiondown Agrave \
    Aacute Acircumflex Atilde Adiaeresis Aring AE Ccedilla Egrave Eacute Ecircumflex Ediaeresis Igrave Iacute \
    Icircumflex Idiaeresis ETH Ntilde Ograve Oacute Ocircumflex Otilde Odiaeresis multiply Oslash Ugrave Uacute \
    Ucircumflex Udiaeresis Yacute THORN ssharp agrave aacute acircumflex atilde adiaeresis aring ae ccedilla egrave \
    eacute ecircumflex ediaeresis igrave iacute icircumflex idiaeresis eth ntilde ograve oacute ocircumflex otilde \
    odiaeresis division oslash ugrave uacute ucircumflex udiaeresis yacute thorn ydiaeresis";

/// The keys of each layout that can be switched to.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Keys {
    layouts: Vec<HashMap<char, Stroke>>,
}

impl Keys {
    /// From a keymap as XKB writes it; what is not understood of it has no keys.
    pub(super) fn read(keymap: &str) -> Self {
        let mut words = Words(keymap);
        let (mut codes, mut keys) = (HashMap::new(), Self::default());
        while let Some(word) = words.next() {
            match word {
                Word::Key(name) if words.clone().next() == Some(Word::Sign('=')) => {
                    words.next();
                    if let Some(Word::Plain(number)) = words.next()
                        && let Some(code) = number.parse::<u32>().ok().and_then(usual)
                    {
                        codes.insert(name, code);
                    }
                }
                Word::Plain("key") => {
                    if let Some(Word::Key(name)) = words.next() {
                        keys.add(codes.get(name).copied(), &mut words);
                    }
                }
                _ => {}
            }
        }
        keys
    }

    /// A keyboard without keys.
    pub(super) const fn none() -> Self {
        Self { layouts: Vec::new() }
    }

    /// How many layouts there are.
    pub(super) fn layouts(&self) -> usize {
        self.layouts.len()
    }

    /// The stroke for a character in this layout.
    pub(super) fn stroke(&self, layout: usize, character: char) -> Option<Stroke> {
        self.layouts.get(layout)?.get(&character).copied()
    }

    /// The stroke for a character in a combination: applications look for it in the other layouts too, where the one that is
    /// used has no Latin letters.
    pub(super) fn shortcut(&self, layout: usize, character: char) -> Option<Stroke> {
        let others = 0..self.layouts.len();
        std::iter::once(layout).chain(others).find_map(|layout| self.stroke(layout, character))
    }

    /// Reads what a key makes: `{ [ q, Q ] };` or `{ type= "ALPHABETIC", symbols[Group1]= [ q, Q ], ... };`
    fn add(&mut self, code: Option<u32>, words: &mut Words<'_>) {
        if words.next() != Some(Word::Sign('{')) {
            return;
        }
        let (mut depth, mut last, mut layout) = (1, "symbols", 0);
        while let Some(word) = words.next() {
            match word {
                Word::Sign('{') => depth += 1,
                Word::Sign('}') => depth -= 1,
                // An index: `symbols[Group1]`.
                Word::Plain(name) => {
                    last = name;
                    if let Some(number) =
                        name.strip_prefix("Group").and_then(|number| number.parse::<usize>().ok())
                    {
                        layout = number.saturating_sub(1);
                    }
                }
                Word::Sign('[') if !is_index(words) => {
                    let symbols = list(words);
                    if last != "actions"
                        && let Some(code) = code
                    {
                        self.learn(layout, code, &symbols);
                    }
                    layout = layout.saturating_add(1);
                }
                Word::Sign('[') => {
                    let what = last;
                    if let Some(Word::Plain(name)) = words.next() {
                        let number = name.trim_start_matches("Group").parse::<usize>().unwrap_or(1);
                        layout = number.saturating_sub(1);
                    }
                    words.next();
                    last = what;
                }
                _ => {}
            }
            if depth == 0 {
                return;
            }
        }
    }

    fn learn(&mut self, layout: usize, code: u32, symbols: &[Option<&str>]) {
        if layout >= MOST_LAYOUTS {
            return;
        }
        while self.layouts.len() <= layout {
            self.layouts.push(HashMap::new());
        }
        for (symbol, shift) in symbols.iter().take(2).zip([false, true]) {
            if let Some(character) = symbol.and_then(character) {
                // The first key is the usual one, without Shift before one with it.
                let stroke = Stroke { code, shift };
                let known = self.layouts[layout].entry(character).or_insert(stroke);
                if known.shift && !shift {
                    *known = stroke;
                }
            }
        }
    }
}

/// The number of a key as devices count, from XKB's, where it is one to type with.
fn usual(code: u32) -> Option<u32> {
    code.checked_sub(OFFSET).filter(|code| *code <= LAST_KEY)
}

/// Whether what a bracket opens is an index: one word, and something to be set after it.
fn is_index(words: &Words<'_>) -> bool {
    let mut ahead = words.clone();
    ahead.next();
    ahead.next() == Some(Word::Sign(']')) && ahead.next() == Some(Word::Sign('='))
}

/// What stands in a list up to its bracket; one place may hold several symbols, of which nothing is made.
fn list<'a>(words: &mut Words<'a>) -> Vec<Option<&'a str>> {
    let mut symbols = vec![None];
    let mut depth = 0;
    for word in words.by_ref() {
        match word {
            Word::Sign(']') => return symbols,
            Word::Sign('{' | '(') => depth += 1,
            Word::Sign('}' | ')') => depth -= 1,
            Word::Sign(',') if depth == 0 => symbols.push(None),
            Word::Plain(symbol) if depth == 0 => {
                if let Some(last) = symbols.last_mut() {
                    *last = Some(symbol);
                }
            }
            _ => {}
        }
    }
    symbols
}

/// The character of a symbol.
fn character(symbol: &str) -> Option<char> {
    let mut letters = symbol.chars();
    if let (Some(only), None) = (letters.next(), letters.next()) {
        return only.is_ascii_alphanumeric().then_some(only);
    }
    if let Some((_, sign)) = SIGNS.iter().find(|(name, _)| *name == symbol) {
        return Some(*sign);
    }
    if let Some(place) = LATIN.split_whitespace().position(|name| name == symbol) {
        return char::from_u32(0xA1 + u32::try_from(place).ok()?);
    }
    if symbol == "EuroSign" {
        return Some('€');
    }
    let number = symbol.strip_prefix('U').filter(|number| (4..=6).contains(&number.len()))?;
    let number = u32::from_str_radix(number, 16).ok()?;
    char::from_u32(number).filter(|character| !character.is_control())
}

/// A word of a keymap.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Word<'a> {
    /// The name of a key, as in `<AD01>`.
    Key(&'a str),
    Plain(&'a str),
    Sign(char),
}

/// The words of a keymap, texts and comments left out.
#[derive(Debug, Clone)]
struct Words<'a>(&'a str);

impl<'a> Iterator for Words<'a> {
    type Item = Word<'a>;

    fn next(&mut self) -> Option<Word<'a>> {
        loop {
            self.0 = self.0.trim_start();
            let first = self.0.chars().next()?;
            let cut = |end: usize| self.0.split_at(end.min(self.0.len()));
            match first {
                '/' if self.0.starts_with("//") => {
                    self.0 = self.0.split_once('\n').map_or("", |(_, rest)| rest);
                }
                '"' => self.0 = self.0[1..].split_once('"').map_or("", |(_, rest)| rest),
                '<' => match self.0.find('>') {
                    Some(end) => {
                        let (name, rest) = cut(end + 1);
                        self.0 = rest;
                        return Some(Word::Key(&name[1..name.len() - 1]));
                    }
                    None => self.0 = "",
                },
                letter if is_plain(letter) => {
                    let (word, rest) = cut(self.0.find(|letter| !is_plain(letter)).unwrap_or(self.0.len()));
                    self.0 = rest;
                    return Some(Word::Plain(word));
                }
                sign => {
                    self.0 = &self.0[sign.len_utf8()..];
                    return Some(Word::Sign(sign));
                }
            }
        }
    }
}

fn is_plain(letter: char) -> bool {
    letter.is_alphanumeric() || letter == '_'
}

/// What is made of a keymap, for the fuzzer.
#[cfg(feature = "fuzzing")]
pub(crate) fn keys_of_bytes(bytes: &[u8]) -> String {
    let keys = Keys::read(&String::from_utf8_lossy(bytes));
    let known: Vec<usize> = keys.layouts.iter().map(HashMap::len).collect();
    format!("{known:?} {:?} {:?}", keys.stroke(0, 'a'), keys.shortcut(1, 'v'))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// As libxkbcommon writes a German layout and, beside it, a Russian one.
    const KEYMAP: &str = r#"xkb_keymap {
xkb_keycodes "(unnamed)" {
	minimum = 8;
	maximum = 708;
	<AE01>               = 10;
	<AD01>               = 24;
	<AD06>               = 29;
	<AC10>               = 47;
	<AB04>               = 55;
	<LFSH>               = 50;
	<KPEQ>               = 125;
	indicator 1 = "Caps Lock";
	alias <AC12>         = <BKSL>;
};
xkb_types "(unnamed)" { virtual_modifiers NumLock; type "TWO_LEVEL" { modifiers= Shift; map[Shift]= Level2; level_name[Level1]= "Base"; }; };
xkb_symbols "(unnamed)" {
	name[Group1]="German";
	name[Group2]="Russian";
	key <AE01> {	[ 1, exclam ] };
	key <AD01> {
		type= "FOUR_LEVEL_SEMIALPHABETIC",
		symbols[Group1]= [ q, Q, at, Greek_OMEGA ],
		symbols[Group2]= [ Cyrillic_shorti, Cyrillic_SHORTI ]
	};
	key <AD06> { symbols[1]= [ z, Z ], symbols[2]= [ U043D, U041D ] };
	key <AC10> { [ odiaeresis, Odiaeresis ], [ { a, b }, U0416 ] };
	key <AB04> { symbols[Group1]= [ v, V ] };
	key <LFSH> { symbols[Group1]= [ Shift_L ], actions[Group1]= [ SetMods(modifiers=Shift), NoAction() ] };
	key <KPEQ> { [ equal ] };
	key <NONE> { [ w ] };
	modifier_map Shift { <LFSH> };
};
};"#;

    #[test]
    fn each_layout_has_the_characters_of_its_keys() {
        let keys = Keys::read(KEYMAP);
        let stroke =
            |layout, character| keys.stroke(layout, character).map(|stroke| (stroke.code, stroke.shift));
        assert_eq!(keys.layouts(), 2);
        assert_eq!(stroke(0, '1'), Some((2, false)));
        assert_eq!(stroke(0, '!'), Some((2, true)));
        assert_eq!(stroke(0, 'Q'), Some((16, true)));
        assert_eq!(stroke(0, 'z'), Some((21, false)));
        assert_eq!(stroke(0, 'Ö'), Some((39, true)));
        assert_eq!(stroke(1, 'н'), Some((21, false)));
        assert_eq!(stroke(1, 'Ж'), Some((39, true)));
        for (layout, character) in [(0, '@'), (0, 'н'), (1, 'a'), (1, 'z'), (0, 'w'), (2, 'z')] {
            assert_eq!(stroke(layout, character), None, "{layout} {character}");
        }
    }

    #[test]
    fn a_combination_uses_the_layout_that_has_the_letter() {
        let keys = Keys::read(KEYMAP);
        assert_eq!(keys.shortcut(1, 'v').map(|stroke| stroke.code), Some(47));
        assert_eq!(keys.shortcut(1, '世'), None);
    }

    #[test]
    fn what_is_no_keymap_has_no_keys() {
        for text in [
            "",
            "key",
            "key <A",
            "key <A> { [",
            "key <A> { symbols[",
            "<A> = 9 key <A> { [ a, ",
            "\"",
            "<A> = 3;",
        ] {
            assert!(Keys::read(text).layouts.iter().all(HashMap::is_empty) || text.contains("= 9"), "{text}");
        }
    }

    #[test]
    fn names_of_symbols_are_those_of_xkb() {
        for (name, expected) in [
            ("ydiaeresis", Some('ÿ')),
            ("exclamdown", Some('¡')),
            ("ssharp", Some('ß')),
            ("EuroSign", Some('€')),
            ("U1F389", Some('🎉')),
            ("dead_acute", None),
            ("F1", None),
            ("Return", None),
            ("U0007", None),
        ] {
            assert_eq!(character(name), expected, "{name}");
        }
    }
}
