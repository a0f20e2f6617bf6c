//! `sleep`: ends early when its reader is gone.

use std::time::Duration;

use super::{Call, Closed, Output};

/// The longest sleep.
const LONGEST: Duration = Duration::from_secs(24 * 60 * 60);

pub(super) async fn run(call: &mut Call<'_>) -> Result<u8, Closed> {
    let words = call.words();
    let Some(text) = words.first() else {
        return call.print(Output::failure(1, "sleep: Needs 1 argument\n")).await;
    };
    let (number, unit) = match text.strip_suffix(['s', 'm', 'h']) {
        Some(number) if text.ends_with('m') => (number, 60.0),
        Some(number) if text.ends_with('h') => (number, 3600.0),
        Some(number) => (number, 1.0),
        None => (*text, 1.0),
    };
    let Some(pause) =
        number.parse::<f64>().ok().and_then(|value| Duration::try_from_secs_f64(value * unit).ok())
    else {
        return call.print(Output::failure(1, format!("sleep: not a number '{text}'\n"))).await;
    };
    tokio::select! {
        () = tokio::time::sleep(pause.min(LONGEST)) => Ok(0),
        () = call.stdout.closed() => Err(Closed),
    }
}
