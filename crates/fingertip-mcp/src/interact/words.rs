//! Which of several labels is meant by a text, as a person would say it.
//!
//! Tried in this order, and the first that fits any decides: to the letter, without what only marks a label (mnemonics, an
//! ellipsis, a shortcut behind a tab), and in another case. Several that fit alike are all given: nothing is guessed.

/// The places of the labels that are meant; each entry may be called by several.
pub(crate) fn meant<'a, L>(wanted: &str, entries: &[L]) -> Vec<usize>
where
    L: AsRef<[&'a str]>,
{
    let ways: [fn(&str) -> String; 3] =
        [|text| text.trim().to_owned(), plain, |text| plain(text).to_lowercase()];
    for way in ways {
        let wanted = way(wanted);
        let fits = |entry: &L| entry.as_ref().iter().any(|label| way(label) == wanted);
        let found: Vec<usize> =
            entries.iter().enumerate().filter(|(_, entry)| fits(entry)).map(|(place, _)| place).collect();
        if !found.is_empty() {
            return found;
        }
    }
    Vec::new()
}

/// A label without what only marks it.
pub(crate) fn plain(label: &str) -> String {
    let label = label.split('\t').next().unwrap_or_default();
    let letters: String = label.chars().filter(|letter| !matches!(letter, '_' | '&')).collect();
    let words: Vec<&str> = letters.split_whitespace().collect();
    let words = words.join(" ");
    let end = words.trim_end_matches(['.', '…']).len();
    // One full stop is part of the words.
    let dots = &words[end..];
    if dots.contains('…') || dots.len() >= 3 { words[..end].trim_end().to_owned() } else { words }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn among(wanted: &str, labels: &[&'static str]) -> Vec<usize> {
        let entries: Vec<[&str; 1]> = labels.iter().map(|label| [*label]).collect();
        meant(wanted, &entries)
    }

    #[test]
    fn marks_do_not_matter() {
        for label in ["Save As…", "Save As...", "Save _As…", "Save &As...", "  Save  As ", "Save As…\tCtrl+S"]
        {
            assert_eq!(among("Save As...", &["Save", label]), [1], "{label}");
            assert_eq!(among("save as", &["Save", label]), [1], "{label}");
        }
        assert_eq!(plain("e.g."), "e.g.");
        assert_eq!(plain("…"), "");
    }

    #[test]
    fn what_fits_better_is_preferred_and_doubles_are_all_listed() {
        assert_eq!(among("open", &["Open", "open", "Open…"]), [1]);
        assert_eq!(among("Open", &["open", "OPEN"]), [0, 1]);
        assert_eq!(among("Same", &["Same", "Other", "Same"]), [0, 2]);
        assert_eq!(among("None", &["Same"]), [0; 0]);
    }
}
