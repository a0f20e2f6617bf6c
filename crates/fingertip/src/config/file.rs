//! The configuration file: TOML, each value with the line it stands in.

use std::ops::Range;
use std::path::Path;

use anyhow::Context;
use fingertip_mcp::nearest::nearest;
use fingertip_mcp::transport::private_file::{self, Guard};
use toml::de::{DeTable, DeValue};

use super::Settings;
use super::setting::Source;
use super::value::Written;

/// The largest file that is read, in bytes.
const MAX_BYTES: u64 = 1024 * 1024;

/// Takes what the file sets, and says whether there is one; it must be when it was named.
pub(super) fn read(path: &Path, named: bool, settings: &mut Settings) -> anyhow::Result<bool> {
    let shown = path.display();
    // To change it is to switch any protection off.
    let content = match private_file::read(path, Guard::Settings, MAX_BYTES) {
        Err(missing) if missing.is_missing() && !named => return Ok(false),
        content => content.context("the configuration cannot be used")?,
    };
    let text =
        String::from_utf8(content).with_context(|| format!("the configuration {shown} is not a text"))?;
    apply(&text, path, settings).map_err(|Wrong { line, why }| anyhow::anyhow!("{shown}:{line}: {why}"))?;
    Ok(true)
}

/// Something wrong at a line.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    line: usize,
    why: String,
}

/// Takes what a file of this text sets.
pub(super) fn apply(text: &str, path: &Path, settings: &mut Settings) -> Result<(), Wrong> {
    let at = |span: Range<usize>, why: String| Wrong { line: line_of(text, span.start), why };
    let document = DeTable::parse(text)
        .map_err(|error| at(error.span().unwrap_or_default(), error.message().to_owned()))?;
    let mut known = settings.all_mut();
    for (section, content) in document.get_ref() {
        let name: &str = section.get_ref();
        if !known.iter().any(|setting| setting.key().parts().0 == name) {
            let why = unknown("section", name, known.iter().map(|setting| setting.key().parts().0));
            return Err(at(section.span(), why));
        }
        let DeValue::Table(table) = content.get_ref() else {
            return Err(at(content.span(), format!("'{name}' must be a section: [{name}]")));
        };
        for (key, value) in table {
            let full = format!("{name}.{}", key.get_ref());
            let Some(place) = known.iter().position(|setting| setting.key().name == full) else {
                let why = unknown("setting", &full, known.iter().map(|setting| setting.key().name));
                return Err(at(key.span(), why));
            };
            let source = Source::File { path: path.to_owned(), line: line_of(text, key.span().start) };
            known[place]
                .take(Written::File(value.get_ref()), source)
                .map_err(|why| at(value.span(), format!("{full} {why}")))?;
        }
    }
    Ok(())
}

fn unknown<'a>(what: &str, name: &str, known: impl Iterator<Item = &'a str>) -> String {
    let nearest = nearest(name, known, 1).first().copied().unwrap_or_default();
    format!("there is no {what} '{name}'; did you mean '{nearest}'?")
}

/// Lines count from one.
fn line_of(text: &str, position: usize) -> usize {
    text.bytes().take(position).filter(|byte| *byte == b'\n').count() + 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(text: &str) -> (usize, String) {
        let mut settings = Settings::defaults(Path::new(""));
        let Wrong { line, why } = apply(text, Path::new(""), &mut settings).expect_err("wrong");
        (line, why)
    }

    #[test]
    fn every_kind_of_value_is_read_with_its_line() {
        let text = "[policy]\nread_only = true\ntools = [\"tap\", \"device\"]\n\n[audit]\nkept = 5\nfile = \"log\"\n";
        let mut settings = Settings::defaults(Path::new(""));
        apply(text, Path::new("file"), &mut settings).unwrap();
        assert!(settings.read_only.value);
        assert_eq!(settings.tools.value, ["tap", "device"]);
        assert_eq!((settings.audit_kept.value, &*settings.audit_file.value), (5, "log"));
        let set: Vec<_> =
            settings.all().into_iter().filter(|known| *known.source() != Source::Default).collect();
        let set: Vec<_> =
            set.iter().map(|known| format!("{} {}", known.key().name, known.source())).collect();
        let expected =
            ["policy.read_only file:2", "policy.tools file:3", "audit.file file:7", "audit.kept file:6"];
        assert_eq!(set, expected);
    }

    #[test]
    fn an_unknown_key_is_an_error_with_its_line_and_the_nearest() {
        let (line, why) = wrong("# safety\n[policy]\nread_onyl = true\n");
        assert_eq!(line, 3);
        assert!(why.contains("'policy.read_onyl'") && why.contains("'policy.read_only'"), "{why}");
        let (line, why) = wrong("\n[polcy]\n");
        assert_eq!(line, 2);
        assert!(why.contains("'policy'"), "{why}");
        assert_eq!(wrong("read_only = true\n").0, 1);
    }

    #[test]
    fn a_bad_value_is_an_error_with_its_line_and_what_it_must_be() {
        for value in ["0", "-1", "1001", "1.5", "\"10\"", "true", "[10]", "1979-05-27", "{}"] {
            let (line, why) = wrong(&format!("[policy]\n\nwrites_per_second = {value}\n"));
            assert_eq!(line, 3, "{value}");
            assert!(why.contains("must be a whole number from 1 to 1000"), "{value}: {why}");
        }
        assert!(wrong("[policy]\ntools = [\"tap\", 5]").1.contains("must be a list of texts"));
        assert!(wrong("[policy]\nread_only = \"yes\"").1.contains("must be true or false"));
    }

    #[test]
    fn how_long_an_effect_is_waited_for_is_set_within_bounds() {
        let mut settings = Settings::defaults(Path::new(""));
        let waits = |settings: &Settings| {
            [&settings.see_quiet_ms, &settings.see_in_place_ms, &settings.see_navigated_ms]
                .map(|wait| wait.value)
        };
        assert_eq!(waits(&settings), [150, 500, 1_500]);
        apply("[see]\nquiet_ms = 50\nnavigated_ms = 3000\n", Path::new(""), &mut settings).unwrap();
        assert_eq!(waits(&settings), [50, 500, 3_000]);
        assert!(wrong("[see]\nquiet_ms = 5\n").1.contains("must be a whole number from 10 to 5000"));
        assert!(wrong("[see]\nin_place_ms = 20001\n").1.contains("from 50 to 20000"));
    }

    #[test]
    fn what_is_no_toml_is_an_error_with_its_line() {
        assert_eq!(wrong("[policy]\nread_only = \n").0, 2);
        assert_eq!(wrong("[policy]\nread_only = true\nread_only = false\n").0, 3);
    }
}
