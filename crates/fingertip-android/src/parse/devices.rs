//! The list of phones, as `devices-l` and `track-devices` print it.

/// What the server says of a phone.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Listed {
    /// Its serial.
    pub serial: String,
    /// How it is.
    pub state: State,
    /// Its model, where the list has it.
    pub model: Option<String>,
    /// The number of its transport, where the list has it.
    pub transport: Option<u64>,
}

/// How a phone is, as the adb server sees it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum State {
    /// Ready.
    Online,
    /// Known, but does not answer.
    Offline,
    /// Its user has not allowed this computer.
    Unauthorized,
    /// This computer may not open it.
    NoPermissions,
    /// It was there and is gone.
    Absent,
    /// Any other, such as `recovery`.
    Other(String),
}

impl State {
    fn parse(word: &str) -> Self {
        match word {
            "device" => Self::Online,
            "offline" | "connecting" => Self::Offline,
            "unauthorized" | "authorizing" => Self::Unauthorized,
            "no" => Self::NoPermissions,
            other => Self::Other(other.to_owned()),
        }
    }

    /// Its word in lists.
    #[must_use]
    pub fn name(&self) -> &str {
        match self {
            Self::Online => "ready",
            Self::Offline => "offline",
            Self::Unauthorized => "unauthorized",
            Self::NoPermissions => "no permissions",
            Self::Absent => "disconnected",
            Self::Other(word) => word,
        }
    }
}

/// Reads a list; lines of another form are left out.
pub(crate) fn parse(list: &str) -> Vec<Listed> {
    list.lines().filter_map(line).collect()
}

fn line(line: &str) -> Option<Listed> {
    let (serial, rest) = line.split_once([' ', '\t'])?;
    let state = State::parse(rest.split_whitespace().next()?);
    let detail = |name: &str| rest.split_whitespace().find_map(|word| word.strip_prefix(name));
    (!serial.is_empty()).then(|| Listed {
        serial: serial.to_owned(),
        state,
        model: detail("model:").map(|model| model.replace('_', " ")),
        transport: detail("transport_id:").and_then(|number| number.parse().ok()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let long = "0A041FDD4003BT         device usb:1-2 product:panther model:Pixel_7 device:panther transport_id:4\r\n\
            192.168.1.20:5555      offline transport_id:12\n";
        let phones = parse(long);
        assert_eq!(phones[0].serial, "0A041FDD4003BT");
        assert_eq!(phones[0].state, State::Online);
        assert_eq!(phones[0].model.as_deref(), Some("Pixel 7"));
        assert_eq!(phones[0].transport, Some(4));
        assert_eq!(phones[1].state, State::Offline);
        let short = parse("emulator-5554\tdevice\nX\tunauthorized\n");
        assert_eq!(
            short.iter().map(|phone| phone.state.name()).collect::<Vec<_>>(),
            ["ready", "unauthorized"]
        );
    }

    #[test]
    fn a_state_of_several_words_is_understood() {
        let phones =
            parse("????????????\tno permissions (user in plugdev group; are your udev rules wrong?)\n");
        assert_eq!(phones[0].state, State::NoPermissions);
        assert_eq!(parse("X\trecovery")[0].state.name(), "recovery");
    }

    #[test]
    fn rubbish_is_no_phone() {
        assert_eq!(parse(""), []);
        assert_eq!(parse("\n\r\nserialonly\n\t\n"), []);
        assert_eq!(parse("X \n"), []);
    }

    proptest::proptest! {
        #[test]
        fn any_text_is_survived(list in "\\PC*") {
            let _ = parse(&list);
        }
    }
}
