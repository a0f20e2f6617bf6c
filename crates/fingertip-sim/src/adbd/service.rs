//! Services of the phone that can be opened over adb, by name.
//!
//! Both sides of the simulator use them: the device side inside its streams, the host side right on the
//! client's socket. Opening and running are two steps, because a refusal has to be said before any byte flows.

use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite, DuplexStream};

use super::{shell_service, sync};
use crate::SimPhone;
use crate::bounds::Share;
use crate::host::REBOOT;

/// What the phone offers, as its banner and `host:features` say it. No compression: push and pull would use it.
pub const FEATURES: &str = "shell_v2,cmd,stat_v2,ls_v2,fixed_push_mkdir,sendrecv_v2";

/// The longest service name taken.
pub const MAX_NAME: usize = crate::shell::MAX_LINE;

/// A byte stream to a client.
pub trait ServiceStream: AsyncRead + AsyncWrite + Unpin + Send + 'static {}

impl<S: AsyncRead + AsyncWrite + Unpin + Send + 'static> ServiceStream for S {}

/// A service that agreed to be used.
#[derive(Debug)]
pub struct Opened {
    phone: Arc<SimPhone>,
    service: Service,
    _share: Share,
}

#[derive(Debug)]
enum Service {
    Shell(shell_service::Request),
    Sync,
    Socket(DuplexStream),
    Reboot,
}

/// Opens a service; `None` when the phone has none of this name, or it is refused.
pub async fn open(name: &str, phone: &Arc<SimPhone>) -> Option<Opened> {
    if name.len() > MAX_NAME {
        return None;
    }
    let share = phone.bounds().service()?;
    let (kind, rest) = name.split_once(':')?;
    let service = match kind {
        "sync" => Service::Sync,
        "reboot" => Service::Reboot,
        "localabstract" => Service::Socket(phone.listeners().connect(rest)?),
        _ => Service::Shell(shell_service::Request::parse(kind, rest)?),
    };
    // Delays of shell commands are the shell's business, which knows where each command of a line starts.
    let delay = phone.faults().plan().delay_of(name).filter(|_| !matches!(service, Service::Shell(_)));
    if let Some(delay) = delay {
        tokio::time::sleep(delay).await;
    }
    Some(Opened { phone: Arc::clone(phone), service, _share: share })
}

impl Opened {
    /// Serves the client until either side is done.
    pub async fn run(self, stream: impl ServiceStream) {
        let Self { phone, service, _share } = self;
        let mut stream = phone.faults().wrap(stream);
        let result = match service {
            Service::Shell(request) => shell_service::serve(request, phone, stream).await,
            Service::Sync => sync::serve(&phone, stream).await,
            Service::Socket(mut socket) => {
                tokio::io::copy_bidirectional(&mut stream, &mut socket).await.map(|_| ())
            }
            Service::Reboot => {
                tokio::spawn(async move { phone.reboot(REBOOT).await });
                Ok(())
            }
        };
        if let Err(error) = result {
            tracing::debug!("adb service ended: {error}");
        }
    }
}
