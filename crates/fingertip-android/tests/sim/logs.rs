//! The log.

use fingertip_core::prelude::*;
use fingertip_core::target::{LogLevel, LogQuery, LogTime};
use fingertip_sim::phone::Profile;

use super::bench::{Bench, CALCULATOR, soon};

fn query() -> LogQuery {
    LogQuery { limit: 200, since: None, until: None, tag: None, level: LogLevel::Verbose, package: None }
}

#[tokio::test]
async fn lines_are_chosen_by_package_level_tag_and_time() {
    let bench = Bench::of(Profile { utc_offset_minutes: 330, ..Profile::default() }).await;
    bench.open(CALCULATOR);
    bench.press("digit_7").await;
    let all = bench.target.read_logs(&query(), soon()).await.unwrap();
    assert!(!all.lines.is_empty() && !all.truncated);
    assert!(all.lines[0].starts_with("2026-03-02 15:0"), "{}", all.lines[0]);

    let package = |name: &str| LogQuery { package: Some(name.to_owned()), ..query() };
    let own = bench.target.read_logs(&package("com.android.calculator2"), soon()).await.unwrap();
    assert!(!own.lines.is_empty() && own.lines.len() < all.lines.len());
    let gone = bench.target.read_logs(&package("com.none"), soon()).await.unwrap();
    assert!(gone.lines.is_empty() && gone.note.is_some());

    let newest = bench.target.read_logs(&LogQuery { limit: 2, ..query() }, soon()).await.unwrap();
    assert_eq!((newest.lines.len(), newest.truncated), (2, true));

    let now = bench.phone.with(|phone| phone.epoch_ms());
    let local = now + 330 * 60_000;
    for (since, some) in [
        (LogTime::Absolute(now - 60_000), true),
        (LogTime::WallClock(local - 60_000), true),
        (LogTime::Absolute(now + 60_000), false),
        (LogTime::WallClock(local + 60_000), false),
    ] {
        let page = bench.target.read_logs(&LogQuery { since: Some(since), ..query() }, soon()).await.unwrap();
        assert_eq!(!page.lines.is_empty(), some, "{since:?}");
    }
    let before = LogQuery { until: Some(LogTime::Absolute(now - 600_000)), ..query() };
    assert!(bench.target.read_logs(&before, soon()).await.unwrap().lines.is_empty());
    let grave = LogQuery { level: LogLevel::Fatal, ..query() };
    assert!(bench.target.read_logs(&grave, soon()).await.unwrap().lines.len() < all.lines.len());
}
