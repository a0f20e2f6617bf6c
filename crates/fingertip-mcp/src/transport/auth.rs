//! The token every request but the health check must carry.
//!
//! A server without a token cannot be built: [`Token`] has no empty value and the gate has no "open" mode. Both sides
//! are hashed before the comparison, so neither the length nor a common prefix of the secret shows in the time it
//! takes.

use std::{fmt, sync::Arc};

use http::{HeaderMap, header::AUTHORIZATION};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

use super::{
    activity::Activity,
    throttle::{Throttle, ThrottleLimits, Verdict},
};

/// Shortest token accepted, in characters: shorter ones can be guessed.
pub const MIN_TOKEN_CHARS: usize = 16;
/// Longest token accepted, in characters; longer headers are refused unread.
pub const MAX_TOKEN_CHARS: usize = 512;

const SCHEME: &str = "Bearer";

/// The secret clients present as `Authorization: Bearer …`. Never empty, never printed by `Debug`.
#[derive(Clone, PartialEq, Eq)]
pub struct Token(String);

/// Why a text cannot be a token.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TokenError {
    /// Fewer than [`MIN_TOKEN_CHARS`] characters, which includes none at all.
    #[error("the token has {0} characters; it needs at least {MIN_TOKEN_CHARS}")]
    TooShort(usize),
    /// More than [`MAX_TOKEN_CHARS`] characters.
    #[error("the token has {0} characters; {MAX_TOKEN_CHARS} are the most")]
    TooLong(usize),
    /// Blanks, control characters or letters a header cannot carry.
    #[error("the token may hold only visible ASCII characters without blanks")]
    Unprintable,
}

impl Token {
    /// Accepts 16 to 512 visible ASCII characters; surrounding white space (a file's last line end) is not part of it.
    pub fn new(text: &str) -> Result<Self, TokenError> {
        let text = text.trim();
        let count = text.chars().count();
        if count < MIN_TOKEN_CHARS {
            return Err(TokenError::TooShort(count));
        }
        if count > MAX_TOKEN_CHARS {
            return Err(TokenError::TooLong(count));
        }
        if !text.bytes().all(|byte| byte.is_ascii_graphic()) {
            return Err(TokenError::Unprintable);
        }
        Ok(Self(text.to_owned()))
    }

    /// The secret itself, for the file it is kept in and for `fingertip token`.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Token {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Token(hidden)")
    }
}

/// Decides who may talk to the server.
#[derive(Debug)]
pub(crate) struct Gate {
    digest: [u8; 32],
    throttle: Throttle,
}

/// Why a request was not let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Denied {
    /// No token, or a wrong one.
    Unauthorized,
    /// As above, and too many such requests wait already.
    Overloaded,
}

impl Gate {
    pub(crate) fn new(token: &Token, limits: ThrottleLimits) -> Self {
        Self { digest: Sha256::digest(token.expose()).into(), throttle: Throttle::new(limits) }
    }

    /// Lets a right token through: at once on a connection that has shown it before, else when its address may be
    /// checked. A wrong one waits longer with each failure from its address.
    pub(crate) async fn admit(&self, headers: &HeaderMap, activity: &Arc<Activity>) -> Result<(), Denied> {
        // A request without a token is no guess: many clients ask once like that, to see what is wanted.
        if !headers.contains_key(AUTHORIZATION) {
            return Err(Denied::Unauthorized);
        }
        let peer = activity.peer.ip();
        let mut checking = None;
        if !activity.is_authenticated() {
            checking = Some(activity.checking.lock().await);
        }
        // Another request of this connection may have shown the token meanwhile.
        let is_known = activity.is_authenticated();
        // Held until the verdict: a client must not be evicted between its turn and its success.
        let queued = (!is_known).then(|| activity.queue());
        if queued.is_some() {
            self.throttle.turn(peer).await;
        }
        if self.is_right(headers) {
            if !is_known {
                self.throttle.succeed(peer);
                activity.authenticate();
            }
            return Ok(());
        }
        drop((queued, checking));
        match self.throttle.fail(peer).await {
            Verdict::Waited => Err(Denied::Unauthorized),
            Verdict::Full => Err(Denied::Overloaded),
        }
    }

    fn is_right(&self, headers: &HeaderMap) -> bool {
        presented(headers).is_some_and(|token| Sha256::digest(token).as_slice().ct_eq(&self.digest).into())
    }
}

/// The token of a request that carries exactly one well-formed bearer header.
fn presented(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next()?;
    if values.next().is_some() || value.len() > SCHEME.len() + 1 + MAX_TOKEN_CHARS {
        return None;
    }
    let (scheme, token) = value.to_str().ok()?.split_once(' ')?;
    scheme.eq_ignore_ascii_case(SCHEME).then(|| token.trim())
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECRET: &str = "0123456789abcdef0123456789abcdef";

    fn headers(values: &[&str]) -> HeaderMap {
        values.iter().map(|value| (AUTHORIZATION, value.parse().unwrap())).collect()
    }

    #[test]
    fn a_token_cannot_be_empty_short_long_or_unprintable() {
        assert_eq!(Token::new(""), Err(TokenError::TooShort(0)));
        assert_eq!(Token::new(" \n\t                   "), Err(TokenError::TooShort(0)));
        assert_eq!(Token::new("fifteen-letters"), Err(TokenError::TooShort(15)));
        assert_eq!(Token::new(&"x".repeat(513)), Err(TokenError::TooLong(513)));
        assert_eq!(Token::new("a token with blanks"), Err(TokenError::Unprintable));
        assert_eq!(Token::new("sixteen-lettersé"), Err(TokenError::Unprintable));
        assert!(Token::new("sixteen-letters!").is_ok());
    }

    #[test]
    fn a_line_end_in_the_file_is_not_part_of_the_token() {
        assert_eq!(Token::new("0123456789abcdef\n").unwrap().expose(), "0123456789abcdef");
    }

    #[test]
    fn debug_output_hides_the_secret() {
        let token = Token::new(SECRET).unwrap();
        assert!(!format!("{token:?}").contains(&SECRET[..4]));
        let gate = Gate::new(&token, ThrottleLimits::default());
        assert!(!format!("{gate:?}").contains(&SECRET[..4]));
    }

    #[test]
    fn only_one_exact_bearer_header_is_right() {
        let gate = Gate::new(&Token::new(SECRET).unwrap(), ThrottleLimits::default());
        let bearer = format!("Bearer {SECRET}");
        assert!(gate.is_right(&headers(&[&bearer])));
        assert!(gate.is_right(&headers(&[&format!("bearer  {SECRET}")])));
        for wrong in ["", "Bearer", "Bearer ", &format!("Basic {SECRET}"), SECRET, &format!("{bearer}0")] {
            assert!(!gate.is_right(&headers(&[wrong])), "{wrong}");
        }
        assert!(!gate.is_right(&headers(&[])));
        assert!(!gate.is_right(&headers(&[&bearer, &bearer])));
        assert!(!gate.is_right(&headers(&[&format!("Bearer {}{SECRET}", " ".repeat(600))])));
    }
}
