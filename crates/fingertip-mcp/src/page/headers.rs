//! What the headers of a request must say before the page answers, and what every answer says.
//!
//! Cookies are sent by whatever page makes the browser ask, also by one of another port of this machine, which `SameSite` does
//! not tell from ours. So a request must come from our own origin: `Sec-Fetch-Site`, which pages cannot forge, says so where the
//! browser sends it, and what changes something needs an `Origin` that is the host it was sent to. Which hosts are ours was
//! checked before.

use axum::body::Body;
use http::{HeaderMap, HeaderValue, Method, Response, Uri, header};

/// Scripts, styles and pictures come from us; nothing runs that is written in the markup; nobody frames the page.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:; connect-src 'self'; \
    base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

/// What every answer says beside what it is about.
const ALWAYS: [(&str, &str); 7] = [
    ("content-security-policy", POLICY),
    ("x-content-type-options", "nosniff"),
    ("x-frame-options", "DENY"),
    ("referrer-policy", "no-referrer"),
    ("cross-origin-opener-policy", "same-origin"),
    ("cross-origin-resource-policy", "same-origin"),
    ("cache-control", "no-store"),
];

/// Adds what every answer says.
pub(super) fn harden(mut response: Response<Body>) -> Response<Body> {
    for (name, value) in ALWAYS {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// Whether a request was made by our own page, or by a person who typed or pasted its address.
pub(super) fn is_ours(method: &Method, uri: &Uri, headers: &HeaderMap) -> bool {
    let mut sites = headers.get_all("sec-fetch-site").iter();
    let from = match (sites.next(), sites.next()) {
        (None, _) => true,
        (Some(site), None) => site == "same-origin" || (site == "none" && method == Method::GET),
        (Some(_), Some(_)) => false,
    };
    let mut origins = headers.get_all(header::ORIGIN).iter();
    let origin = match (origins.next(), origins.next()) {
        (None, _) => method == Method::GET,
        (Some(origin), None) => is_host(origin, uri, headers),
        (Some(_), Some(_)) => false,
    };
    from && origin
}

fn is_host(origin: &HeaderValue, uri: &Uri, headers: &HeaderMap) -> bool {
    let host = uri.authority().map(http::uri::Authority::as_str);
    let host = host.or_else(|| headers.get(header::HOST)?.to_str().ok());
    let origin = origin
        .to_str()
        .ok()
        .and_then(|origin| origin.strip_prefix("http://").or_else(|| origin.strip_prefix("https://")));
    matches!((origin, host), (Some(origin), Some(host)) if origin.eq_ignore_ascii_case(host))
}

/// The value of a cookie; none where it is there twice.
pub(super) fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut named = all.flat_map(|value| value.split(';')).filter_map(|pair| {
        let (known, value) = pair.trim().split_once('=')?;
        (known == name).then_some(value)
    });
    named.next().filter(|_| named.next().is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(all: &[(&'static str, &str)]) -> HeaderMap {
        all.iter()
            .map(|(name, value)| (http::HeaderName::from_static(name), value.parse().unwrap()))
            .collect()
    }

    fn ours(method: &Method, all: &[(&'static str, &str)]) -> bool {
        let mut headers = headers(all);
        headers.insert(header::HOST, "localhost:8080".parse().unwrap());
        is_ours(method, &Uri::from_static("/ui/"), &headers)
    }

    #[test]
    fn only_our_own_origin_may_ask() {
        assert!(ours(&Method::GET, &[]));
        assert!(ours(&Method::GET, &[("sec-fetch-site", "none")]));
        assert!(ours(&Method::GET, &[("sec-fetch-site", "same-origin")]));
        for site in ["same-site", "cross-site", "", "same-origin, none"] {
            assert!(!ours(&Method::GET, &[("sec-fetch-site", site)]), "{site}");
        }
    }

    #[test]
    fn what_changes_something_needs_the_very_origin() {
        assert!(ours(&Method::POST, &[("origin", "http://localhost:8080")]));
        assert!(!ours(&Method::POST, &[]));
        assert!(!ours(&Method::POST, &[("origin", "http://localhost:8080"), ("sec-fetch-site", "none")]));
        for origin in
            ["null", "http://localhost:3000", "http://localhost", "http://127.0.0.1:8080", "localhost:8080"]
        {
            assert!(!ours(&Method::POST, &[("origin", origin)]), "{origin}");
            assert!(!ours(&Method::GET, &[("origin", origin)]), "{origin}");
        }
    }

    #[test]
    fn a_cookie_is_read_by_its_whole_name_and_only_once() {
        let named = |text: &str| cookie(&headers(&[("cookie", text)]), "page").map(str::to_owned);
        assert_eq!(named("a=b; page=x"), Some("x".to_owned()));
        assert_eq!(named("apage=x; page2=y"), None);
        assert_eq!(named("page=x; page=y"), None);
        assert_eq!(named("page"), None);
    }
}
