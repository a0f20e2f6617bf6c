//! `grep`: lines that match, from standard input or one file.

use regex_lite::{Regex, RegexBuilder};

use super::lines::{self, Lines};
use super::{Call, Closed, Output};

#[derive(Debug, Default)]
struct Options {
    ignore_case: bool,
    invert: bool,
    count: bool,
    quiet: bool,
    only_match: bool,
    number: bool,
    extended: bool,
    fixed: bool,
    whole_line: bool,
    max: Option<usize>,
    patterns: Vec<String>,
    path: Option<String>,
}

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let options = match parse(&call.words()) {
        Ok(options) => options,
        Err(message) => return call.print(Output::failure(2, message)).await,
    };
    let Ok(pattern) = compile(&options) else {
        return call.print(Output::failure(2, "grep: bad regex\n")).await;
    };
    let mut source = match lines::open(call, options.path.as_deref(), "grep") {
        Ok(source) => source,
        Err(message) => return call.print(Output::failure(2, message)).await,
    };
    let mut reader = Lines::default();
    let (mut found, mut number) = (0, 0);
    while options.max.is_none_or(|max| found < max) {
        let Some(line) = reader.next(&mut source).await else { break };
        number += 1;
        if pattern.is_match(&line) == options.invert {
            continue;
        }
        found += 1;
        if options.quiet {
            return Ok(0);
        }
        if options.count {
            continue;
        }
        let prefix = if options.number { format!("{number}:") } else { String::new() };
        let shown: Vec<&str> = if options.only_match {
            pattern.find_iter(&line).map(|found| found.as_str()).collect()
        } else {
            vec![&line]
        };
        for text in shown {
            call.stdout.write(format!("{prefix}{text}\n")).await?;
        }
    }
    if options.count {
        call.stdout.write(format!("{found}\n")).await?;
    }
    Ok(u8::from(found == 0))
}

fn parse(words: &[&str]) -> Result<Options, String> {
    let mut options = Options::default();
    let mut words = words.iter();
    let mut plain = Vec::new();
    while let Some(word) = words.next() {
        let Some(flags) = word.strip_prefix('-').filter(|flags| !flags.is_empty()) else {
            plain.push((*word).to_owned());
            continue;
        };
        let mut flags = flags.chars();
        while let Some(flag) = flags.next() {
            match flag {
                'i' => options.ignore_case = true,
                'v' => options.invert = true,
                'c' => options.count = true,
                'q' => options.quiet = true,
                'o' => options.only_match = true,
                'n' => options.number = true,
                'E' => options.extended = true,
                'F' => options.fixed = true,
                'x' => options.whole_line = true,
                'a' | 'h' | 's' => {}
                'e' | 'm' => {
                    let attached = flags.as_str();
                    let value = if attached.is_empty() { words.next().copied() } else { Some(attached) };
                    let value = value.ok_or_else(|| format!("grep: Missing argument to -{flag}\n"))?;
                    if flag == 'e' {
                        options.patterns.push(value.to_owned());
                    } else {
                        options.max =
                            Some(value.parse().map_err(|_| format!("grep: not integer: {value}\n"))?);
                    }
                    break;
                }
                _ => return Err(format!("grep: Unknown option '{flag}' (see \"grep --help\")\n")),
            }
        }
    }
    let mut plain = plain.into_iter();
    if options.patterns.is_empty() {
        options.patterns.push(plain.next().ok_or("grep: no REGEX\n")?);
    }
    options.path = plain.next();
    Ok(options)
}

fn compile(options: &Options) -> Result<Regex, regex_lite::Error> {
    let pattern = |pattern: &String| match (options.fixed, options.extended) {
        (true, _) => regex_lite::escape(pattern),
        (false, true) => pattern.clone(),
        (false, false) => from_basic(pattern),
    };
    let patterns: Vec<String> =
        options.patterns.iter().map(|text| format!("(?:{})", pattern(text))).collect();
    let joined = patterns.join("|");
    let whole = if options.whole_line { format!("^(?:{joined})$") } else { joined };
    RegexBuilder::new(&whole).case_insensitive(options.ignore_case).build()
}

/// In a basic expression the operators `|(){}+?` are the escaped ones.
fn from_basic(pattern: &str) -> String {
    let mut extended = String::with_capacity(pattern.len() + 8);
    let mut characters = pattern.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(operator @ ('|' | '(' | ')' | '{' | '}' | '+' | '?')) => extended.push(operator),
                Some(escaped) => extended.extend(['\\', escaped]),
                None => extended.push_str("\\\\"),
            },
            '|' | '(' | ')' | '{' | '}' | '+' | '?' => extended.extend(['\\', character]),
            _ => extended.push(character),
        }
    }
    extended
}

#[cfg(test)]
mod tests {
    use super::*;

    fn matches(words: &[&str], line: &str) -> bool {
        compile(&parse(words).unwrap()).unwrap().is_match(line)
    }

    #[test]
    fn basic_and_extended_expressions_escape_the_other_way_round() {
        assert!(matches(&["a\\|b"], "xb"));
        assert!(!matches(&["a|b"], "xb"));
        assert!(matches(&["a|b"], "a|b"));
        assert!(matches(&["-E", "mCurrentFocus|mFocusedApp"], "  mFocusedApp=null"));
        assert!(matches(&["-F", "a.b("], "xa.b(y"));
        assert!(!matches(&["-F", "a.b"], "axb"));
    }

    #[test]
    fn flags_may_stand_together() {
        let options = parse(&["-inv", "-m1", "-e", "x", "file"]).unwrap();
        assert!(options.ignore_case && options.number && options.invert);
        assert_eq!((options.max, options.path.as_deref()), (Some(1), Some("file")));
        assert!(parse(&["-y", "x"]).is_err());
        assert!(parse(&[]).is_err());
    }
}
