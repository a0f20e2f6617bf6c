//! `wm`: size, density and rotation of the screen.

use std::sync::Arc;

use super::Output;
use crate::SimPhone;
use crate::phone::Phone;

/// Exit code of a refused request; Android's -1.
const REFUSED: u8 = 255;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let words: Vec<&str> = match words {
        [verb, "-d", "0", rest @ ..] => std::iter::once(*verb).chain(rest.iter().copied()).collect(),
        words => words.to_vec(),
    };
    match words.as_slice() {
        ["size", rest @ ..] => size(phone, rest),
        ["density", rest @ ..] => density(phone, rest),
        ["user-rotation" | "set-user-rotation", rest @ ..] => rotation(phone, rest),
        ["fixed-to-user-rotation"] => Output::success("default\n"),
        ["dismiss-keyguard" | "fixed-to-user-rotation", ..] => Output::default(),
        [unknown, ..] => Output {
            stdout: format!("Unknown command: {unknown}\n").into(),
            exit: REFUSED,
            ..Output::default()
        },
        [] => Output::failure(
            REFUSED,
            "Window manager (window) commands:\n  size [reset|WxH|WdpxHdp] [-d DISPLAY_ID]\n\
                \x20 density [reset|DENSITY] [-d DISPLAY_ID]\n\
                \x20 user-rotation [-d DISPLAY_ID] [free|lock] [rotation]\n",
        ),
    }
}

fn size(phone: &SimPhone, words: &[&str]) -> Output {
    let profile = phone.profile();
    let wanted = match words {
        [] => {
            let mut text = format!("Physical size: {}x{}\n", profile.width, profile.height);
            if let (Some((width, height)), _) = phone.with(|phone| phone.overrides()) {
                text.push_str(&format!("Override size: {width}x{height}\n"));
            }
            return Output::success(text);
        }
        ["reset"] => None,
        [text, ..] => match text.split_once('x').map(|(width, height)| (width.parse(), height.parse())) {
            Some((Ok(width), Ok(height))) => Some((width, height)),
            _ => return Output::failure(REFUSED, format!("Error: bad size {text}\n")),
        },
    };
    if phone.with(|phone| phone.override_size(wanted)) {
        Output::default()
    } else {
        Output::failure(REFUSED, "Error: bad size\n")
    }
}

fn density(phone: &SimPhone, words: &[&str]) -> Output {
    let wanted = match words {
        [] => {
            let mut text = format!("Physical density: {}\n", phone.profile().density);
            if let (_, Some(density)) = phone.with(|phone| phone.overrides()) {
                text.push_str(&format!("Override density: {density}\n"));
            }
            return Output::success(text);
        }
        ["reset"] => None,
        [text, ..] => match text.parse() {
            Ok(density) => Some(density),
            Err(_) => return Output::failure(REFUSED, format!("Error: bad number {text}\n")),
        },
    };
    if phone.with(|phone| phone.override_density(wanted)) {
        Output::default()
    } else {
        Output::failure(REFUSED, "Error: density must be >= 72\n")
    }
}

fn rotation(phone: &SimPhone, words: &[&str]) -> Output {
    match words {
        [] => Output::success(match phone.with(|phone| phone.locked_rotation()) {
            Some(rotation) => format!("lock {rotation}\n"),
            None => "free\n".to_owned(),
        }),
        ["free"] => {
            phone.with(Phone::free_rotation);
            Output::default()
        }
        ["lock"] => {
            phone.with(|phone| {
                let rotation = phone.rotation();
                phone.lock_rotation(rotation);
            });
            Output::default()
        }
        ["lock", text, ..] => match text.parse() {
            Ok(rotation @ 0..=3) => {
                phone.with(|phone| phone.lock_rotation(rotation));
                Output::default()
            }
            _ => Output::failure(REFUSED, "Error: rotation argument must be between 0 and 3\n"),
        },
        [mode, ..] => Output::failure(
            REFUSED,
            format!("Error: argument needs to be either -d, free or lock; not {mode}\n"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[tokio::test]
    async fn size_and_density_are_printed_with_their_overrides() {
        let phone = SimPhone::start(Profile::default());
        assert_eq!(run(&phone, &["size"]).stdout, b"Physical size: 1080x2400\n");
        assert_eq!(run(&phone, &["density"]).stdout, b"Physical density: 420\n");
        assert_eq!(run(&phone, &["size", "720x1600"]).exit, 0);
        assert_eq!(run(&phone, &["size"]).stdout, b"Physical size: 1080x2400\nOverride size: 720x1600\n");
        assert_eq!(run(&phone, &["size", "reset"]).exit, 0);
        assert_eq!(run(&phone, &["size"]).stdout, b"Physical size: 1080x2400\n");
        assert_eq!(run(&phone, &["size", "big"]).exit, REFUSED);
    }

    #[tokio::test]
    async fn the_rotation_is_locked_and_freed() {
        let phone = SimPhone::start(Profile::default());
        assert_eq!(run(&phone, &["user-rotation"]).stdout, b"free\n");
        assert_eq!(run(&phone, &["user-rotation", "lock", "1"]).exit, 0);
        assert_eq!(run(&phone, &["user-rotation"]).stdout, b"lock 1\n");
        assert_eq!(phone.with(|phone| phone.size()), (2400, 1080));
        assert_eq!(run(&phone, &["user-rotation", "lock", "7"]).exit, REFUSED);
        run(&phone, &["user-rotation", "free"]);
        assert_eq!(run(&phone, &["user-rotation"]).stdout, b"free\n");
    }
}
