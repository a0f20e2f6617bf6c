//! Size, density and rotation of the screen, from `wm` and `dumpsys`.
//!
//! `wm` speaks of the natural position of the phone and lets an override win; `dumpsys window displays` also
//! says how large the screen is as it is turned now (`cur=`). Portrait is never concluded from a rotation.

/// What is known of the screen.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Display {
    /// Width and height in the natural position.
    pub(crate) natural: Option<(u32, u32)>,
    /// Width and height as turned now.
    pub(crate) current: Option<(u32, u32)>,
    /// Dots per inch.
    pub(crate) density: Option<u32>,
    /// Quarters it is turned by, 0 to 3.
    pub(crate) rotation: Option<u8>,
}

/// The longest side believed, in pixels.
const MAX_SIDE: u32 = 32_768;
/// The greatest density believed, in dots per inch.
const MAX_DENSITY: u32 = 10_000;
/// What comes before a rotation, most exact first.
const ROTATIONS: [&str; 4] = ["mRotation=", "mCurrentRotation=", "orientation=", "rotation="];

/// Reads the lines of `wm size`, `wm density`, `dumpsys window displays` and `dumpsys input`, in any mixture.
/// Of several displays the phone's own, display 0, is read.
pub(crate) fn parse(text: &str) -> Display {
    let mut display = Display::default();
    let mut override_size = None;
    let mut override_density = None;
    let mut base = None;
    let mut rotations = [None; ROTATIONS.len()];
    let mut own = true;
    for line in text.lines().map(str::trim) {
        if let Some((_, id)) = line.split_once("isplayId=") {
            own = id.split(|letter: char| !letter.is_ascii_digit()).next() == Some("0");
        }
        let after = |label: &str| line.strip_prefix(label).map(str::trim);
        if let Some(words) = after("Physical size:") {
            display.natural = size(words);
            own = true;
        } else if let Some(words) = after("Override size:") {
            override_size = size(words);
        } else if let Some(words) = after("Physical density:") {
            display.density = density(words);
            own = true;
        } else if let Some(words) = after("Override density:") {
            override_density = density(words);
        } else if own {
            let word_after = |label| value(line, label);
            base = base.or_else(|| word_after("base=").or_else(|| word_after("init=")).and_then(size));
            display.current = display.current.or_else(|| word_after("cur=").and_then(size));
            if word_after("cur=").is_some() {
                display.density = display.density.or_else(|| dots(line));
            }
            for (found, label) in rotations.iter_mut().zip(ROTATIONS) {
                *found = found.or_else(|| word_after(label).and_then(rotation));
            }
        }
    }
    display.natural = override_size.or(display.natural).or(base);
    display.density = override_density.or(display.density);
    display.rotation = rotations.into_iter().flatten().next();
    display
}

/// The word after a label that starts a word itself.
fn value<'a>(line: &'a str, label: &str) -> Option<&'a str> {
    line.split([' ', ',', '{', '(']).find_map(|word| word.strip_prefix(label))
}

fn size(text: &str) -> Option<(u32, u32)> {
    let (width, height) = text.split_whitespace().next()?.split_once('x')?;
    let side = |text: &str| text.parse().ok().filter(|side| (1..=MAX_SIDE).contains(side));
    Some((side(width)?, side(height)?))
}

fn density(text: &str) -> Option<u32> {
    text.parse().ok().filter(|density| (1..=MAX_DENSITY).contains(density))
}

/// The last `420dpi` of a line: the one in force.
fn dots(line: &str) -> Option<u32> {
    line.split_whitespace().filter_map(|word| word.strip_suffix("dpi")).filter_map(density).next_back()
}

/// Reads `1`, `ROTATION_90`, `ROTATION_90(1)` or `Rotation90`.
fn rotation(text: &str) -> Option<u8> {
    let digits: String = text
        .trim_start_matches(|letter: char| letter.is_ascii_alphabetic() || letter == '_')
        .chars()
        .take_while(char::is_ascii_digit)
        .collect();
    match digits.parse::<u32>().ok()? {
        quarters @ 0..=3 => u8::try_from(quarters).ok(),
        degrees @ (90 | 180 | 270) => u8::try_from(degrees / 90).ok(),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_override_wins() {
        let text = "Physical size: 1080x2400\r\nOverride size: 720x1600\r\nPhysical density: 420\r\nOverride density: 320\r\n";
        let display = parse(text);
        assert_eq!(display.natural, Some((720, 1600)));
        assert_eq!(display.density, Some(320));
        let plain = parse("Physical size: 1080x2400\nPhysical density: 420\n");
        assert_eq!((plain.natural, plain.density), (Some((1080, 2400)), Some(420)));
    }

    #[test]
    fn dumpsys_reports_the_size_as_turned_now() {
        let text = "Display: mDisplayId=0\n  init=1080x2400 420dpi base=720x1600 280dpi cur=1600x720 app=1500x720 rng=720x660-1600x1500\n\
            mCurrentAppOrientation=SCREEN_ORIENTATION_UNSPECIFIED\n mRotation=1 mDeferredRotationPauseCount=0\n\
            Display: mDisplayId=2\n  init=100x200 160dpi cur=100x200\n mRotation=2\n";
        let display = parse(text);
        assert_eq!(display.current, Some((1600, 720)));
        assert_eq!(display.natural, Some((720, 1600)));
        assert_eq!(display.density, Some(280));
        assert_eq!(display.rotation, Some(1));
    }

    #[test]
    fn every_spelling_of_a_rotation_is_read() {
        for (text, quarters) in [
            ("mRotation=3", 3),
            ("mCurrentRotation=ROTATION_90", 1),
            ("  mRotation=ROTATION_270(3) x", 3),
            (
                "Viewport INTERNAL: displayId=0, uniqueId=local:0, port=0, orientation=2, logicalFrame=[0, 0, 1080, 2400]",
                2,
            ),
            ("Viewport INTERNAL: displayId=0, orientation=Rotation90", 1),
        ] {
            assert_eq!(parse(text).rotation, Some(quarters), "{text}");
        }
    }

    #[test]
    fn impossible_values_are_not_believed() {
        for text in [
            "Physical size: 0x100",
            "Physical size: 99999999x1",
            "Physical size: x",
            "Physical density: -3",
            "cur=axb",
            "mRotation=7",
            "mRotation=",
            "",
        ] {
            assert_eq!(parse(text), Display::default(), "{text}");
        }
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_survived(text in "(Physical size: |Override density: |cur=|mRotation=|[0-9x]{1,12}|\n| |\\PC){0,40}") {
            let _ = parse(&text);
        }
    }
}
