//! What `getprop` prints for the properties asked for, one a line.

/// Who a phone is.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(crate) struct Facts {
    /// What its maker calls it.
    pub(crate) model: String,
    /// The version of Android, such as `14`.
    pub(crate) release: String,
    /// The level of its interfaces, such as 34; zero when it does not say.
    pub(crate) sdk: u32,
    /// Its maker.
    pub(crate) maker: String,
}

/// The properties asked for, in the order in which [`parse`] reads them.
pub(crate) const PROPERTIES: [&str; 4] =
    ["ro.product.model", "ro.build.version.release", "ro.build.version.sdk", "ro.product.manufacturer"];

/// The longest value that is kept, in characters.
const MAX_VALUE: usize = 100;

/// Reads the values of [`PROPERTIES`], one a line; missing lines are empty values.
pub(crate) fn parse(text: &str) -> Facts {
    let mut values = text.lines().map(|line| {
        line.trim().chars().filter(|letter| !letter.is_control()).take(MAX_VALUE).collect::<String>()
    });
    let mut value = || values.next().unwrap_or_default();
    Facts { model: value(), release: value(), sdk: value().parse().unwrap_or_default(), maker: value() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_values_come_in_order() {
        let facts = parse("Pixel 7\r\n14\r\n34\r\nGoogle\r\n");
        let expected =
            Facts { model: "Pixel 7".into(), release: "14".into(), sdk: 34, maker: "Google".into() };
        assert_eq!(facts, expected);
    }

    #[test]
    fn an_unset_property_leaves_its_line_empty() {
        let facts = parse("\n7.1.2\nbeta\n");
        assert_eq!((facts.model.as_str(), facts.release.as_str(), facts.sdk), ("", "7.1.2", 0));
        assert_eq!(parse(""), Facts::default());
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_survived_and_bounded(text in "(\\PC|\n){0,400}") {
            proptest::prop_assert!(parse(&text).model.chars().count() <= MAX_VALUE);
        }
    }
}
