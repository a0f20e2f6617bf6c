//! What is installed, from `cmd package query-activities --brief` and `pm list packages`.

use std::collections::BTreeSet;

/// The most packages or activities that are read.
const MAX_ITEMS: usize = 5000;
/// The longest name that is one.
const MAX_NAME: usize = 255;

/// The activities of a list, by package; of several of one package the first, which is the one its icon opens.
pub(crate) fn activities(text: &str) -> Vec<(String, String)> {
    let mut seen = BTreeSet::new();
    let lines = text.lines().map(str::trim);
    let found = lines.filter_map(|line| {
        let (package, class) = line.split_once('/')?;
        let sound = is_package(package) && is_class(class);
        sound.then(|| (package.to_owned(), line.to_owned()))
    });
    found.filter(|(package, _)| seen.insert(package.clone())).take(MAX_ITEMS).collect()
}

/// The packages of a list.
pub(crate) fn packages(text: &str) -> BTreeSet<String> {
    let lines = text.lines().filter_map(|line| line.trim().strip_prefix("package:"));
    lines.filter(|name| is_package(name)).take(MAX_ITEMS).map(str::to_owned).collect()
}

/// Whether this can be the name of a package: words of letters, digits and underscores between points.
pub(crate) fn is_package(name: &str) -> bool {
    let is_word = |word: &str| {
        word.starts_with(|first: char| first.is_ascii_alphabetic())
            && word.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_')
    };
    name.len() <= MAX_NAME && name.split('.').all(is_word)
}

/// Whether this can be the name of a class, from its package on or whole.
fn is_class(name: &str) -> bool {
    let letters = name.strip_prefix('.').unwrap_or(name);
    let sound = |letter: char| letter.is_alphanumeric() || matches!(letter, '.' | '_' | '$');
    !letters.is_empty() && name.len() <= MAX_NAME && letters.chars().all(sound)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn activities_are_read_from_the_brief_form() {
        let text = "2 activities found:\r\n  Activity #0:\r\n    priority=0 preferredOrder=0 match=0x108000\r\n    \
            org.a/.Main\r\n  Activity #1:\n    priority=0\n    org.a/org.a.Other$Alias\n    org.b/com.c.Main\n";
        let expected = [("org.a", "org.a/.Main"), ("org.b", "org.b/com.c.Main")];
        let expected: Vec<(String, String)> =
            expected.iter().map(|(package, all)| ((*package).to_owned(), (*all).to_owned())).collect();
        assert_eq!(activities(text), expected);
        assert_eq!(activities("No activities found\n"), []);
    }

    #[test]
    fn what_a_shell_would_take_for_more_is_no_package() {
        for wrong in ["", ".", "a..b", "a;reboot", "a b", "$(id)", "-n", "1a", "a/b", "a'b", "ä.b", "a\nb"] {
            assert!(!is_package(wrong), "{wrong:?}");
        }
        for right in ["android", "com.android.calculator2", "org.a_b.C"] {
            assert!(is_package(right), "{right}");
        }
        assert_eq!(packages("package:org.a\npackage:org.b;id\nfoo\n"), BTreeSet::from(["org.a".to_owned()]));
    }
}
