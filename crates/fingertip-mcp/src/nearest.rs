//! Which of the known names a wrong one may have meant.

pub use fingertip_core::select::distance;

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_contains_the_name_comes_first() {
        let known = ["mousepad", "gnome-calculator", "calcs"];
        assert_eq!(nearest("Calculator", known, 2), ["gnome-calculator", "calcs"]);
        assert_eq!(nearest("mosepad", known, 1), ["mousepad"]);
    }
}
