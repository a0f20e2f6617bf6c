//! Foreign text in messages, and arguments in shell commands.

/// How much of a foreign message is repeated, in characters.
const QUOTED_CHARACTERS: usize = 200;

/// A foreign message in one line of bounded length.
pub(crate) fn quoted(message: &str) -> String {
    let mut kept = String::new();
    for word in message.split_whitespace() {
        if kept.len() > QUOTED_CHARACTERS {
            break;
        }
        let printable = |character: &char| !character.is_control();
        kept.extend((!kept.is_empty()).then_some(' '));
        kept.extend(word.chars().filter(printable).take(QUOTED_CHARACTERS + 1));
    }
    if let Some((end, _)) = kept.char_indices().nth(QUOTED_CHARACTERS) {
        kept.truncate(end);
        kept.push_str("...");
        return kept;
    }
    kept.trim_end_matches('.').to_owned()
}

/// An argument that a shell passes on as it is.
pub(crate) fn shell_quoted(argument: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:,@%+=".contains(&byte);
    if !argument.is_empty() && argument.bytes().all(plain) {
        return argument.to_owned();
    }
    format!("'{}'", argument.replace('\'', r"'\''"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_foreign_message_is_one_bounded_line() {
        assert_eq!(quoted("a\r\n b\u{7}."), "a b");
        assert!(quoted(&"x".repeat(5000)).len() <= QUOTED_CHARACTERS + 3);
    }

    #[test]
    fn a_shell_sees_the_argument_as_it_is() {
        assert_eq!(shell_quoted("com.example.app"), "com.example.app");
        assert_eq!(shell_quoted(""), "''");
        assert_eq!(shell_quoted("a b"), "'a b'");
        assert_eq!(
            shell_quoted("it's $(reboot) `x` \"q\" & | ; \\"),
            r#"'it'\''s $(reboot) `x` "q" & | ; \'"#
        );
    }
}
