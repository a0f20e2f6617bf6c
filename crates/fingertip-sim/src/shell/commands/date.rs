//! `date`: the phone's clock, in its own time zone.

use std::sync::Arc;

use jiff::civil::DateTime;
use jiff::{SignedDuration, Timestamp};

use super::Output;
use crate::SimPhone;

pub(super) fn run(phone: &Arc<SimPhone>, words: &[&str]) -> Output {
    let profile = phone.profile();
    let now = phone.with(|phone| phone.epoch_ms());
    let is_utc = words.contains(&"-u");
    let local = civil(now, if is_utc { 0 } else { profile.utc_offset_minutes });
    let zone = if is_utc || profile.utc_offset_minutes == 0 {
        "UTC".to_owned()
    } else {
        offset(profile.utc_offset_minutes)
    };
    let Some(format) = words.iter().find_map(|word| word.strip_prefix('+')) else {
        return Output::success(format!("{} {zone} {}\n", local.strftime("%a %b %e %H:%M:%S"), local.year()));
    };
    // Jiff knows no zone here, so what depends on one is filled in first.
    let format = format
        .replace("%s", &now.div_euclid(1000).to_string())
        .replace("%3N", &format!("{:03}", now.rem_euclid(1000)))
        .replace("%N", &format!("{:03}000000", now.rem_euclid(1000)))
        .replace("%z", &offset(if is_utc { 0 } else { profile.utc_offset_minutes }))
        .replace("%Z", &zone);
    match jiff::fmt::strtime::format(&format, local) {
        Ok(text) => Output::success(text + "\n"),
        Err(_) => Output::failure(1, format!("date: bad format '{format}'\n")),
    }
}

/// What a clock on the wall shows at a moment.
pub(super) fn civil(epoch_ms: i64, offset_minutes: i32) -> DateTime {
    let shifted = epoch_ms.saturating_add(i64::from(offset_minutes) * 60_000);
    let since = SignedDuration::from_millis(shifted);
    let moment = Timestamp::from_duration(since).unwrap_or(Timestamp::UNIX_EPOCH);
    jiff::tz::Offset::UTC.to_datetime(moment)
}

/// Such as `+0530`.
pub(super) fn offset(minutes: i32) -> String {
    let sign = if minutes < 0 { '-' } else { '+' };
    format!("{sign}{:02}{:02}", minutes.abs() / 60, minutes.abs() % 60)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::phone::Profile;

    #[tokio::test(start_paused = true)]
    async fn the_date_is_the_phones() {
        let phone = SimPhone::start(Profile::default());
        let date = |words: &[&str]| String::from_utf8(run(&phone, words).stdout).unwrap();
        assert_eq!(date(&[]), "Mon Mar  2 09:30:00 UTC 2026\n");
        assert_eq!(date(&["+%s"]), "1772443800\n");
        assert_eq!(date(&["+%s%3N"]), "1772443800000\n");
        assert_eq!(date(&["+%Y-%m-%d %H:%M:%S"]), "2026-03-02 09:30:00\n");
    }

    #[tokio::test(start_paused = true)]
    async fn another_zone_shows_another_hour() {
        let profile = Profile { utc_offset_minutes: 330, ..Profile::default() };
        let phone = SimPhone::start(profile);
        assert_eq!(run(&phone, &["+%H:%M %z"]).stdout, b"15:00 +0530\n");
        assert_eq!(run(&phone, &["-u", "+%H:%M %z"]).stdout, b"09:30 +0000\n");
    }
}
