//! Who may open the page: a link that works once becomes the session of one browser.
//!
//! A link is signed with a key that the server keeps in a private file while it runs, so that `fingertip ui` can make one without
//! asking the server. It says until when it is good, whether it is for control, and a number of its own, under which the server
//! remembers that it was used. The session is a random cookie of which only the hash is kept. Neither is the bearer token, and
//! neither can be made from it: who has the token is a client, not the person who watches clients.

use std::fmt;
use std::sync::Mutex;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use fingertip_core::sync::lock;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio::time::Instant;

/// How long a link can be used.
pub const LINK_LIFE: Duration = Duration::from_secs(10 * 60);
/// How long a session lasts without being used, and at the most.
const IDLE: Duration = Duration::from_secs(4 * 60 * 60);
const LIFE: Duration = Duration::from_secs(24 * 60 * 60);
/// Sessions kept at once; the one used longest ago makes room for a new one.
const MOST_SESSIONS: usize = 16;
/// Used links that are remembered until they would have ended anyway; while there are more, no link opens the page.
const MOST_USED: usize = 256;

const KEY_BYTES: usize = 32;
const NUMBER_BYTES: usize = 16;
const MAC_BYTES: usize = 32;
/// Its number, the second it ends, what it is for, and the signature.
const LINK_BYTES: usize = NUMBER_BYTES + 8 + 1 + MAC_BYTES;

/// What a session may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Look, and hold agents back.
    View,
    /// Act as well, let agents go on, and answer questions.
    Control,
}

/// Signs links.
#[derive(Clone)]
pub struct LinkKey([u8; KEY_BYTES]);

impl fmt::Debug for LinkKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("LinkKey(hidden)")
    }
}

impl LinkKey {
    /// A new key.
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn random() -> Result<Self, getrandom::Error> {
        let mut key = [0; KEY_BYTES];
        getrandom::fill(&mut key)?;
        Ok(Self(key))
    }

    /// The key as its file has it.
    #[must_use]
    pub fn to_text(&self) -> String {
        URL_SAFE_NO_PAD.encode(self.0)
    }

    /// Reads what [`Self::to_text`] wrote.
    #[must_use]
    pub fn from_text(text: &str) -> Option<Self> {
        URL_SAFE_NO_PAD.decode(text.trim()).ok()?.try_into().ok().map(Self)
    }

    /// The path and query of a link that works once, from now on for [`LINK_LIFE`].
    ///
    /// # Errors
    /// When the system gives no random numbers.
    pub fn link(&self, access: Access) -> Result<String, getrandom::Error> {
        let mut bytes = vec![0; NUMBER_BYTES];
        getrandom::fill(&mut bytes)?;
        bytes.extend((seconds(SystemTime::now()) + LINK_LIFE.as_secs()).to_be_bytes());
        bytes.push(u8::from(access == Access::Control));
        let signature = self.signature(&bytes);
        bytes.extend(signature);
        Ok(format!("{}?key={}", super::ENTER_PATH, URL_SAFE_NO_PAD.encode(bytes)))
    }

    fn signature(&self, bytes: &[u8]) -> [u8; MAC_BYTES] {
        // A key of any length will do, and this one has the hash's own.
        let Ok(mut mac) = Hmac::<Sha256>::new_from_slice(&self.0) else { return [0; MAC_BYTES] };
        mac.update(b"fingertip page link\0");
        mac.update(bytes);
        mac.finalize().into_bytes().into()
    }

    /// What a link says, if it is ours and has not ended.
    fn read(&self, text: &str, now: SystemTime) -> Option<Link> {
        let bytes: [u8; LINK_BYTES] = URL_SAFE_NO_PAD.decode(text).ok()?.try_into().ok()?;
        let (said, signature) = bytes.split_at(LINK_BYTES - MAC_BYTES);
        if !bool::from(self.signature(said).ct_eq(signature)) {
            return None;
        }
        let (number, rest) = said.split_first_chunk::<NUMBER_BYTES>()?;
        let (ends, access) = rest.split_first_chunk::<8>()?;
        let ends = u64::from_be_bytes(*ends);
        let access = if access == [1] { Access::Control } else { Access::View };
        (seconds(now) < ends).then_some(Link { number: *number, ends, access })
    }
}

struct Link {
    number: [u8; NUMBER_BYTES],
    ends: u64,
    access: Access,
}

/// The open sessions, and the links that were used.
#[derive(Debug)]
pub(crate) struct Door {
    key: LinkKey,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    used: Vec<([u8; NUMBER_BYTES], u64)>,
    sessions: Vec<Session>,
    opened: u64,
}

#[derive(Debug)]
struct Session {
    hash: [u8; 32],
    number: u64,
    access: Access,
    opened: Instant,
    used: Instant,
}

/// A browser that was let in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Visitor {
    /// Tells its session from others.
    pub(crate) session: u64,
    pub(crate) access: Access,
}

impl Door {
    pub(crate) fn new(key: LinkKey) -> Self {
        Self { key, state: Mutex::default() }
    }

    /// Uses a link up; the cookie of the session it opens.
    pub(crate) fn enter(&self, link: &str) -> Option<String> {
        let now = SystemTime::now();
        let Link { number, ends, access } = self.key.read(link, now)?;
        let mut secret = [0; KEY_BYTES];
        getrandom::fill(&mut secret).ok()?;
        let cookie = URL_SAFE_NO_PAD.encode(secret);
        let mut state = lock(&self.state);
        state.used.retain(|(_, ends)| seconds(now) < *ends);
        if state.used.len() >= MOST_USED || state.used.iter().any(|(used, _)| *used == number) {
            return None;
        }
        state.used.push((number, ends));
        state.opened += 1;
        let session = Session {
            hash: Sha256::digest(&cookie).into(),
            number: state.opened,
            access,
            opened: Instant::now(),
            used: Instant::now(),
        };
        state.sessions.retain(Session::is_open);
        if state.sessions.len() >= MOST_SESSIONS {
            let oldest = state.sessions.iter().enumerate().min_by_key(|(_, session)| session.used);
            if let Some(oldest) = oldest.map(|(position, _)| position) {
                state.sessions.remove(oldest);
            }
        }
        state.sessions.push(session);
        Some(cookie)
    }

    /// Whose cookie this is.
    pub(crate) fn visitor(&self, cookie: &str) -> Option<Visitor> {
        let hash = Sha256::digest(cookie);
        let mut state = lock(&self.state);
        state.sessions.retain(Session::is_open);
        let same = |session: &&mut Session| bool::from(hash.as_slice().ct_eq(&session.hash));
        let session = state.sessions.iter_mut().find(same)?;
        session.used = Instant::now();
        Some(Visitor { session: session.number, access: session.access })
    }

    /// Whether that session has not ended meanwhile. A stream that is open uses it.
    pub(crate) fn is_open(&self, visitor: Visitor) -> bool {
        let mut state = lock(&self.state);
        state.sessions.retain(Session::is_open);
        let session = state.sessions.iter_mut().find(|session| session.number == visitor.session);
        session.map(|session| session.used = Instant::now()).is_some()
    }

    /// Ends a session.
    pub(crate) fn leave(&self, visitor: Visitor) {
        lock(&self.state).sessions.retain(|session| session.number != visitor.session);
    }
}

impl Session {
    fn is_open(&self) -> bool {
        self.opened.elapsed() < LIFE && self.used.elapsed() < IDLE
    }
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key_of(link: &str) -> &str {
        link.split_once("key=").unwrap().1
    }

    #[test]
    fn a_link_opens_one_session_once() {
        let key = LinkKey::random().unwrap();
        let door = Door::new(LinkKey::from_text(&key.to_text()).unwrap());
        for access in [Access::View, Access::Control] {
            let link = key.link(access).unwrap();
            let cookie = door.enter(key_of(&link)).unwrap();
            assert_eq!(door.visitor(&cookie).unwrap().access, access);
            assert_eq!(door.enter(key_of(&link)), None, "a second time");
        }
        assert_eq!(door.visitor("no cookie of ours"), None);
    }

    #[test]
    fn a_link_that_was_changed_or_signed_by_another_server_opens_nothing() {
        let (key, other) = (LinkKey::random().unwrap(), LinkKey::random().unwrap());
        let door = Door::new(key.clone());
        assert_eq!(door.enter(key_of(&other.link(Access::View).unwrap())), None);
        let link = key.link(Access::View).unwrap();
        let mut bytes = URL_SAFE_NO_PAD.decode(key_of(&link)).unwrap();
        for position in 0..bytes.len() {
            bytes[position] ^= 1;
            assert_eq!(door.enter(&URL_SAFE_NO_PAD.encode(&bytes)), None, "byte {position}");
            bytes[position] ^= 1;
        }
        for wrong in ["", "AAAA", &format!("{}AAAA", key_of(&link))] {
            assert_eq!(door.enter(wrong), None, "{wrong}");
        }
        assert!(door.enter(key_of(&link)).is_some());
    }

    #[test]
    fn a_link_ends() {
        let key = LinkKey::random().unwrap();
        let link = key.link(Access::View).unwrap();
        let read = |after: Duration| key.read(key_of(&link), SystemTime::now() + after).is_some();
        assert!(read(LINK_LIFE - Duration::from_secs(2)));
        assert!(!read(LINK_LIFE));
    }

    #[tokio::test(start_paused = true)]
    async fn sessions_are_few_and_end() {
        let key = LinkKey::random().unwrap();
        let door = Door::new(key.clone());
        let enter = || door.enter(key_of(&key.link(Access::View).unwrap())).unwrap();
        let first = enter();
        tokio::time::advance(Duration::from_secs(1)).await;
        let second = enter();
        let later: Vec<String> = (2..=MOST_SESSIONS).map(|_| enter()).collect();
        assert_eq!(door.visitor(&first), None, "made room");
        assert!(door.visitor(&second).is_some());
        door.leave(door.visitor(&second).unwrap());
        assert_eq!(door.visitor(&second), None, "left");
        tokio::time::advance(IDLE).await;
        assert_eq!(door.visitor(&later[0]), None, "idle");
    }
}
