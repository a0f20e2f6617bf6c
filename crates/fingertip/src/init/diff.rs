//! What would change in a file, for a person to read before it does.
//!
//! An edit of ours is in one place, so that everything between the first and the last line that differ is the change.

/// Lines around a change.
const CONTEXT: usize = 3;

/// The lines that go, come, and stand around them; empty when nothing changes.
pub(crate) fn lines(before: &str, after: &str) -> String {
    if before == after {
        return String::new();
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (before.lines().collect(), after.lines().collect());
    let same = |(one, other): &(&&str, &&str)| one == other;
    let head = old.iter().zip(&new).take_while(same).count();
    let most = old.len().min(new.len()) - head;
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(same).count().min(most);
    let start = head.saturating_sub(CONTEXT);
    let end = old.len() - tail;
    let rows = old[start..head].iter().map(|line| format!("  {line}"));
    let rows = rows.chain(old[head..end].iter().map(|line| format!("- {line}")));
    let rows = rows.chain(new[head..new.len() - tail].iter().map(|line| format!("+ {line}")));
    let rows = rows.chain(old[end..old.len().min(end + CONTEXT)].iter().map(|line| format!("  {line}")));
    rows.collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_shown_with_what_stands_around_it() {
        assert_eq!(lines("a\n", "a\n"), "");
        assert_eq!(lines("", "a\nb\n"), "+ a\n+ b");
        assert_eq!(lines("1\n2\n3\n4\n5\n6\n", "1\n2\n3\n4\nx\n5\n6\n"), "  2\n  3\n  4\n+ x\n  5\n  6");
        assert_eq!(lines("a\nb\na\n", "a\na\n"), "  a\n- b\n  a");
        assert_eq!(lines("a\n", "a\na\n"), "  a\n+ a");
    }
}
