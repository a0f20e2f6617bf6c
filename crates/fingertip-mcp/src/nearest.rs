//! Which of the known names a wrong one may have meant.

/// The known names most like `wanted`, best first: those that contain it or are part of it, then those that
/// differ in the fewest letters.
#[must_use]
pub fn nearest<'a>(wanted: &str, known: impl IntoIterator<Item = &'a str>, most: usize) -> Vec<&'a str> {
    let wanted = wanted.to_lowercase();
    let mut ranked: Vec<_> =
        known.into_iter().map(|name| (rank(&wanted, &name.to_lowercase()), name)).collect();
    ranked.sort();
    ranked.dedup_by(|one, other| one.1 == other.1);
    ranked.into_iter().take(most).map(|(_, name)| name).collect()
}

fn rank(wanted: &str, name: &str) -> (bool, usize) {
    let within = !name.is_empty() && (name.contains(wanted) || wanted.contains(name));
    (!within, distance(wanted, name))
}

/// How many letters must be put in, taken out or replaced to make one of the other.
#[must_use]
pub fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (line, letter) in one.chars().enumerate() {
        let mut corner = std::mem::replace(&mut row[0], line + 1);
        for (column, candidate) in other.iter().enumerate() {
            let replaced = corner + usize::from(letter != *candidate);
            corner = row[column + 1];
            row[column + 1] = replaced.min(corner + 1).min(row[column] + 1);
        }
    }
    row[other.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_count_letters() {
        assert_eq!(distance("", "abc"), 3);
        assert_eq!(distance("kitten", "sitting"), 3);
        assert_eq!(distance("same", "same"), 0);
        assert_eq!(distance("ab", "ba"), 2);
    }

    #[test]
    fn what_contains_the_name_comes_first() {
        let known = ["mousepad", "gnome-calculator", "calcs"];
        assert_eq!(nearest("Calculator", known, 2), ["gnome-calculator", "calcs"]);
        assert_eq!(nearest("mosepad", known, 1), ["mousepad"]);
    }
}
