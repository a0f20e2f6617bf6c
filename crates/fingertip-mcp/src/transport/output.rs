//! Whether standard output is still read.
//!
//! A client that dies without ending our input would leave the program running for ever. Writing would show it, but a server
//! with nothing to say does not write; the system knows before.

#[cfg(unix)]
pub(crate) use unix::closed;

#[cfg(not(unix))]
pub(crate) use elsewhere::closed;

#[cfg(unix)]
mod unix {
    use std::{io, thread};

    use rustix::event::{PollFd, PollFlags, poll};
    use tokio::sync::oneshot;

    /// Waits until the other end of standard output is closed; for ever if that is a file or cannot be known.
    pub(crate) async fn closed() {
        let (sender, receiver) = oneshot::channel();
        // A thread, since the wait has no end: the runtime would wait for one of its own when the program ends.
        let watch = move || {
            let output = io::stdout();
            loop {
                // With nothing asked for, only errors and hang-ups are reported.
                let mut watched = [PollFd::new(&output, PollFlags::empty())];
                match poll(&mut watched, None) {
                    Ok(_) if watched[0].revents().is_empty() => {}
                    Ok(_) => break,
                    Err(rustix::io::Errno::INTR) => {}
                    Err(_) => return,
                }
            }
            let _ = sender.send(());
        };
        let started = thread::Builder::new().name("watch-output".to_owned()).spawn(watch);
        if started.is_err() || receiver.await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}

#[cfg(not(unix))]
mod elsewhere {
    /// Not known here; writing will show it.
    pub(crate) async fn closed() {
        std::future::pending::<()>().await;
    }
}
