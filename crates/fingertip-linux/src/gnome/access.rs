//! Getting a session of remote control, keeping it, and what became of it.
//!
//! Asking goes on by itself: a call waits for it no longer than a moment and then says that the person at the screen must
//! agree; the next call uses what came of it. Who refused or stopped it is not asked again for a while. A session that ended
//! because the screen was locked is taken back with the token once the screen is open; one that the person stopped is not:
//! the token is given up.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fingertip_core::{Deadline, Error, Reason, Result};
use futures_util::StreamExt;
use tokio::sync::watch;
use zbus::connection::Builder;
use zbus::message::Type;
use zbus::{Connection, MatchRule, MessageStream};

use super::mutter;
use super::portal;
use super::session::{PORTAL_PATH, Session, Way, call};
use super::token::TokenFile;
use crate::display::error::{Failure, Outcome};
use crate::environment::{Environment, GnomeAccess};

/// How long a call waits for a session that needs no dialog.
const GIVEN_WITHIN: Duration = Duration::from_millis(2_500);
/// How long who refused or stopped it is left alone.
const LEFT_ALONE: Duration = Duration::from_secs(60);
/// How long the lock of the screen may take to say that it is there.
const LOCKED_WITHIN: Duration = Duration::from_secs(1);
/// How often that is looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The session, or what stands in its way.
#[derive(Debug, Clone)]
enum State {
    /// Nobody asked yet, or it ended with the lock of the screen.
    Closed,
    /// It is being asked for.
    Asking,
    Open(Arc<Session>),
    /// The person said no, or stopped it.
    Denied {
        why: &'static str,
        since: Instant,
    },
    /// It could not be asked for.
    Failed(Error),
}

/// The way to the session.
#[derive(Debug)]
pub(super) struct Access {
    bus_address: Option<String>,
    pub(super) way: Way,
    pub(super) tokens: TokenFile,
    state: watch::Sender<State>,
}

impl Access {
    pub(super) fn new(environment: &Environment) -> Arc<Self> {
        let way = match environment.gnome {
            GnomeAccess::Portal => Way::Portal,
            GnomeAccess::Mutter => Way::Mutter,
        };
        Arc::new(Self {
            bus_address: environment.session_bus.clone(),
            way,
            tokens: TokenFile::within(environment.keeps_in.as_deref()),
            state: watch::Sender::new(State::Closed),
        })
    }

    /// The open session. Where there is none it is asked for, which may take longer than this call.
    pub(super) async fn session(self: &Arc<Self>, deadline: Deadline) -> Result<Arc<Session>> {
        let mut state = self.state.subscribe();
        let begins = self.state.send_if_modified(|state| {
            let may_ask = match state {
                State::Closed | State::Failed(_) => true,
                State::Asking => false,
                State::Open(session) => session.is_closed(),
                State::Denied { since, .. } => since.elapsed() >= LEFT_ALONE,
            };
            if may_ask {
                *state = State::Asking;
            }
            may_ask
        });
        if begins {
            tokio::spawn(Arc::clone(self).ask());
        }
        let soon = deadline.slice(GIVEN_WITHIN).instant();
        loop {
            match &*state.borrow_and_update() {
                State::Open(session) => return Ok(Arc::clone(session)),
                State::Denied { why, .. } => return Err(denied(why)),
                State::Failed(error) => return Err(error.clone()),
                State::Closed | State::Asking => {}
            }
            match tokio::time::timeout_at(soon.into(), state.changed()).await {
                Ok(Ok(())) => {}
                _ => return Err(asking()),
            }
        }
    }

    /// The bus of the session.
    pub(super) async fn bus(&self) -> Outcome<Connection> {
        let builder = match &self.bus_address {
            Some(address) => Builder::address(address.as_str()),
            None => Builder::session(),
        };
        let connecting = async { builder?.build().await };
        connecting.await.map_err(|error: zbus::Error| Failure::Lost(error.to_string()))
    }

    async fn ask(self: Arc<Self>) {
        let state = match self.asked().await {
            Ok(portal::Answer::Agreed(session)) => {
                if let Err(error) = session.make_devices().await {
                    tracing::debug!(?error, "the devices of the session were not made early");
                }
                let session = Arc::new(session);
                tokio::spawn(Arc::clone(&self).follow(Arc::clone(&session)));
                State::Open(session)
            }
            Ok(portal::Answer::Refused(why)) => State::Denied { why, since: Instant::now() },
            Err(failure) => State::Failed(failed(failure)),
        };
        self.state.send_replace(state);
    }

    async fn asked(&self) -> Outcome<portal::Answer> {
        let bus = self.bus().await?;
        if is_locked(&bus).await {
            return Err(Failure::Reported(locked()));
        }
        match self.way {
            Way::Portal => portal::open(bus, &self.tokens).await,
            Way::Mutter => mutter::open(bus).await.map(portal::Answer::Agreed),
        }
    }

    /// Waits for the end of a session, and notes why it ended.
    async fn follow(self: Arc<Self>, session: Arc<Session>) {
        let interface = match session.way {
            Way::Portal => "org.freedesktop.portal.Session",
            Way::Mutter => "org.gnome.Mutter.RemoteDesktop.Session",
        };
        let rule = MatchRule::builder()
            .msg_type(Type::Signal)
            .interface(interface)
            .and_then(|rule| rule.member("Closed"))
            .and_then(|rule| rule.path(session.path.as_str()));
        if let Ok(rule) = rule
            && let Ok(mut ends) = MessageStream::for_match_rule(rule.build(), &session.bus, Some(1)).await
        {
            ends.next().await;
        }
        session.is_closed.store(true, Ordering::Relaxed);
        let limit = Deadline::after(LOCKED_WITHIN);
        let mut is_locked = self::is_locked(&session.bus).await;
        while !is_locked && !limit.passed() {
            tokio::time::sleep(LOOK_EVERY).await;
            is_locked = self::is_locked(&session.bus).await;
        }
        let next = if is_locked {
            State::Closed
        } else {
            self.tokens.forget();
            State::Denied { why: "the sharing of the screen was stopped", since: Instant::now() }
        };
        self.state.send_if_modified(|state| {
            let is_its = matches!(state, State::Open(open) if Arc::ptr_eq(open, &session));
            if is_its {
                *state = next;
            }
            is_its
        });
    }
}

/// Whether the screen is locked, as its lock says.
async fn is_locked(bus: &Connection) -> bool {
    let lock = "org.gnome.ScreenSaver";
    let asked = call(bus, lock, "/org/gnome/ScreenSaver", lock, "GetActive", &()).await;
    asked.ok().and_then(|reply| reply.body().deserialize::<bool>().ok()).unwrap_or_default()
}

fn asking() -> Error {
    Error::new(
        Reason::PermissionDenied,
        "GNOME asks the person at the screen whether this program may see it and use pointer and keyboard; nothing was \
         done.",
    )
    .with_guidance(
        "Tell the person to agree in the dialog 'Remote desktop': choose the screen, switch on 'Allow remote interaction', \
         then Share. Call again afterwards. This program does not answer that dialog.",
    )
}

fn denied(why: &str) -> Error {
    let message = format!(
        "GNOME lets this program neither see the screen nor use pointer and keyboard: {why}. Nothing was done."
    );
    Error::new(Reason::PermissionDenied, message).with_guidance(format!(
        "Ask the person whether it is wanted; {} seconds after it ended, a call shows the dialog again. Reading elements \
         and their own actions work without it.",
        LEFT_ALONE.as_secs()
    ))
}

fn locked() -> Error {
    Error::new(Reason::PermissionDenied, "The screen is locked; nothing was done.")
        .with_guidance("The person must unlock it; the session of remote control is taken back then.")
}

fn failed(failure: Failure) -> Error {
    let why = match failure {
        Failure::Reported(error) => return error,
        Failure::Lost(why) | Failure::Refused(why) => why,
        Failure::Over => "it did not answer".to_owned(),
    };
    let message = format!("GNOME gives no session of remote control ({why}); nothing was done.");
    Error::new(Reason::PermissionDenied, message).with_guidance(format!(
        "It needs xdg-desktop-portal, xdg-desktop-portal-gnome and PipeWire in this session ({PORTAL_PATH}); \
         `fingertip doctor --target desktop` tells which is missing."
    ))
}
