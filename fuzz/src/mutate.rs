//! Makes new inputs of known ones.

/// Bytes and words that mean something to one parser or another.
const WORDS: &[&[u8]] = &[
    b"\0",
    b"\xff\xff\xff\xff",
    b"\x7f\xff\xff\xff",
    b"\0\0\0\x80",
    b"-1",
    b"0",
    b"2147483647",
    b"-2147483648",
    b"4294967295",
    b"9223372036854775807",
    b"18446744073709551616",
    b"1e999",
    b"NaN",
    b"\"",
    b"'",
    b"\\",
    b"{",
    b"}",
    b"[",
    b"]",
    b"(",
    b")",
    b"<",
    b">",
    b"</node>",
    b"<node ",
    b"&#x0;",
    b"&amp;",
    b"&lt;",
    b"\n",
    b"\r\n",
    b" ",
    b"\t",
    b"=",
    b",",
    b":",
    b"/",
    b"#",
    b"@@@@",
    b"OKAY",
    b"FAIL",
    b"DATA",
    b"DONE",
    b"ffff",
    b"0000",
    b"null",
    b"true",
    b"\xe2\x80\xae",
    b"\xed\xa0\x80",
    b"\xf0\x9f\x91\x8b",
    b"e\xcc\x81",
    b"u0 ",
    b"\"id\":1,",
    b"\"method\":",
    b"\\u0000",
    b"\\ud800",
];
/// The most changes made at once.
const MAX_CHANGES: u64 = 6;
/// How often a piece may be repeated, to find what grows faster than its input.
const MAX_REPEATS: u64 = 200;
/// The longest piece that is moved or repeated.
const MAX_PIECE: usize = 256;

/// A source of inputs; the same seed gives the same ones.
#[derive(Debug)]
pub(crate) struct Mutator {
    state: u64,
    words: Vec<Vec<u8>>,
}

impl Mutator {
    /// With the words of the corpus beside the common ones.
    pub(crate) fn new(seed: u64, corpus: &[Vec<u8>]) -> Self {
        let mut words: Vec<Vec<u8>> = WORDS.iter().map(|word| word.to_vec()).collect();
        for input in corpus {
            let pieces = input
                .split(|byte| b" \n=\"<>{},;:".contains(byte))
                .filter(|piece| (2..40).contains(&piece.len()));
            words.extend(pieces.take(200).map(<[u8]>::to_vec));
        }
        words.sort();
        words.dedup();
        Self { state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1, words }
    }

    /// A new input made of one or two known ones.
    pub(crate) fn mutate(&mut self, known: &[Vec<u8>]) -> Vec<u8> {
        let mut input = self.choose(known).clone();
        for _ in 0..=self.below(MAX_CHANGES) {
            self.change(&mut input, known);
        }
        input
    }

    fn change(&mut self, input: &mut Vec<u8>, known: &[Vec<u8>]) {
        let at = self.below(input.len() as u64 + 1) as usize;
        let end = (at + self.below(MAX_PIECE as u64) as usize).min(input.len());
        match self.below(9) {
            0 if at < input.len() => input[at] ^= 1 << self.below(8),
            1 if at < input.len() => input[at] = self.next() as u8,
            2 => drop(input.drain(at..end)),
            3 => {
                let word = self.choose_word();
                input.splice(at..at, word);
            }
            4 => {
                let word = self.choose_word();
                input.splice(at..end.min(at + word.len()), word);
            }
            5 => {
                let piece = input[at..end].to_vec();
                let times = self.below(MAX_REPEATS) as usize;
                input.splice(at..at, piece.repeat(times));
            }
            6 => input.truncate(at),
            7 => {
                let other = self.choose(known).clone();
                let from = self.below(other.len() as u64 + 1) as usize;
                input.truncate(at);
                input.extend_from_slice(&other[from..]);
            }
            _ => {
                let other = self.choose(known);
                let piece: Vec<u8> =
                    other.iter().copied().skip(at % (other.len() + 1)).take(MAX_PIECE).collect();
                input.splice(at..at, piece);
            }
        }
    }

    fn choose_word(&mut self) -> Vec<u8> {
        let index = self.below(self.words.len() as u64) as usize;
        self.words[index].clone()
    }

    fn choose<'a>(&mut self, known: &'a [Vec<u8>]) -> &'a Vec<u8> {
        &known[self.below(known.len() as u64) as usize]
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit.max(1)
    }

    /// Xorshift: nothing here needs better.
    fn next(&mut self) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state
    }
}
