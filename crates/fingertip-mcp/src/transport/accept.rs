//! Accept and Content-Type, tolerated in all the ways real clients send them.
//!
//! The SDK insists on both `application/json` and `text/event-stream` in Accept, letter by letter. A client that
//! leaves the header out, accepts anything, or wants JSON only is understood here and rewritten for the SDK. A client
//! that wants something else entirely is left to the SDK's refusal.

use http::{HeaderMap, HeaderName, HeaderValue, header};

const JSON: &str = "application/json";
const EVENT_STREAM: &str = "text/event-stream";
const BOTH: HeaderValue = HeaderValue::from_static("application/json, text/event-stream");

/// What a client can read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Accepts {
    /// Names event streams: a full protocol client.
    Streams,
    /// JSON, or anything at all: better given plain JSON.
    Json,
    /// Neither.
    Nothing,
}

pub(crate) fn read(headers: &HeaderMap) -> Accepts {
    let mut ranges = headers.get_all(header::ACCEPT).iter().peekable();
    if ranges.peek().is_none() {
        return Accepts::Json;
    }
    let mut accepts = Accepts::Nothing;
    for range in
        ranges.filter_map(|value| value.to_str().ok()).flat_map(|value| value.split(',')).map(essence)
    {
        if range.eq_ignore_ascii_case(EVENT_STREAM) {
            return Accepts::Streams;
        }
        if ["*/*", "application/*", JSON].iter().any(|known| range.eq_ignore_ascii_case(known))
            || range.is_empty()
        {
            accepts = Accepts::Json;
        }
    }
    accepts
}

/// Whether the body claims to be JSON.
pub(crate) fn sends_json(headers: &HeaderMap) -> bool {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok());
    value.is_some_and(|value| essence(value).eq_ignore_ascii_case(JSON))
}

/// Writes the headers of a POST the way the SDK wants to see them.
pub(crate) fn normalise(headers: &mut HeaderMap, accepts: Accepts) {
    if accepts != Accepts::Nothing {
        replace(headers, header::ACCEPT, BOTH);
    }
    replace(headers, header::CONTENT_TYPE, HeaderValue::from_static(JSON));
}

/// As [`normalise`], for the event stream of a GET: `*/*` and no header at all mean a stream too.
pub(crate) fn normalise_for_stream(headers: &mut HeaderMap) {
    let wanted = headers.get(header::ACCEPT).and_then(|value| value.to_str().ok());
    let streams = wanted.is_none_or(|value| value.contains("*/*")) || read(headers) == Accepts::Streams;
    if streams {
        replace(headers, header::ACCEPT, BOTH);
    }
}

fn replace(headers: &mut HeaderMap, name: HeaderName, value: HeaderValue) {
    if headers.get(&name) != Some(&value) {
        headers.insert(name, value);
    }
}

fn essence(range: &str) -> &str {
    range.split(';').next().unwrap_or_default().trim()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accept(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (header::ACCEPT, value.parse().unwrap())).collect()
    }

    #[test]
    fn plain_clients_are_given_json() {
        for values in [
            &[][..],
            &["*/*"],
            &["application/json"],
            &["text/html, */*;q=0.1"],
            &["Application/JSON; q=1"],
            &[""],
        ] {
            assert_eq!(read(&accept(values)), Accepts::Json, "{values:?}");
        }
    }

    #[test]
    fn clients_that_name_streams_are_recognised_in_any_spelling() {
        for values in
            [&["application/json, text/event-stream"][..], &["application/json", "Text/Event-Stream;q=0.5"]]
        {
            assert_eq!(read(&accept(values)), Accepts::Streams, "{values:?}");
        }
    }

    #[test]
    fn other_wishes_are_left_as_they_are() {
        let mut headers = accept(&["text/html"]);
        let accepts = read(&headers);
        normalise(&mut headers, accepts);
        assert_eq!((accepts, headers[header::ACCEPT].to_str().unwrap()), (Accepts::Nothing, "text/html"));
    }

    #[test]
    fn several_accept_headers_become_the_one_the_sdk_reads() {
        let mut headers = accept(&["application/json", "text/event-stream"]);
        let accepts = read(&headers);
        normalise(&mut headers, accepts);
        assert_eq!(headers.get_all(header::ACCEPT).iter().collect::<Vec<_>>(), [BOTH]);
    }

    #[test]
    fn a_stream_request_may_leave_accept_out() {
        for (values, rewritten) in [(&[][..], true), (&["*/*"], true), (&["application/json"], false)] {
            let mut headers = accept(values);
            normalise_for_stream(&mut headers);
            assert_eq!(headers.get(header::ACCEPT) == Some(&BOTH), rewritten, "{values:?}");
        }
    }

    #[test]
    fn json_bodies_are_recognised_with_parameters() {
        let sends =
            |value: &str| sends_json(&HeaderMap::from_iter([(header::CONTENT_TYPE, value.parse().unwrap())]));
        assert!(sends("application/json") && sends("Application/Json; charset=utf-8"));
        assert!(!sends("application/x-www-form-urlencoded") && !sends("application/jsonp"));
    }
}
