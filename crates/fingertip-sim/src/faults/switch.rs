//! Faults that tests and a shell command switch.

use std::pin::Pin;
use std::task::{Context, Poll};

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::watch;

use super::FaultPlan;

/// The handle on a phone's faults.
#[derive(Debug, Default)]
pub struct Faults {
    plan: watch::Sender<FaultPlan>,
}

impl Faults {
    /// Which faults are on now.
    #[must_use]
    pub fn plan(&self) -> FaultPlan {
        self.plan.borrow().clone()
    }

    /// Switches faults on or off.
    pub fn change(&self, change: impl FnOnce(&mut FaultPlan)) {
        self.plan.send_modify(change);
    }

    /// Switches everything off.
    pub fn clear(&self) {
        self.change(|plan| *plan = FaultPlan::default());
    }

    /// Waits until the plan is as asked.
    pub async fn until(&self, mut reached: impl FnMut(&FaultPlan) -> bool) {
        // The sender lives in `self`, so the wait cannot end for lack of one.
        let _ = self.plan.subscribe().wait_for(|plan| reached(plan)).await;
    }

    /// A stream that suffers from the faults that are on now.
    pub(crate) fn wrap<S>(&self, stream: S) -> FaultyStream<S> {
        let plan = self.plan.borrow();
        let noise = plan.garbage.then_some(FIRST_NOISE);
        FaultyStream { stream, left: plan.cut_after, noise }
    }
}

/// Start of the noise; always the same, so that a failure can be repeated.
const FIRST_NOISE: u64 = 0x9e37_79b9_7f4a_7c15;

/// A stream whose writes may break off or turn to noise.
#[derive(Debug)]
pub(crate) struct FaultyStream<S> {
    stream: S,
    left: Option<u64>,
    noise: Option<u64>,
}

impl<S: AsyncRead + Unpin> AsyncRead for FaultyStream<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        into: &mut ReadBuf<'_>,
    ) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, into)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for FaultyStream<S> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        data: &[u8],
    ) -> Poll<std::io::Result<usize>> {
        let allowed =
            self.left.map_or(data.len(), |left| usize::try_from(left).unwrap_or(usize::MAX).min(data.len()));
        if allowed == 0 && !data.is_empty() {
            return Poll::Ready(Err(std::io::ErrorKind::ConnectionReset.into()));
        }
        let result = match self.noise {
            None => Pin::new(&mut self.stream).poll_write(cx, &data[..allowed]),
            Some(state) => {
                let noise = noise(state, allowed);
                Pin::new(&mut self.stream).poll_write(cx, &noise)
            }
        };
        if let Poll::Ready(Ok(written)) = &result {
            self.left = self.left.map(|left| left - *written as u64);
            self.noise = self.noise.map(|state| state.wrapping_add(*written as u64));
        }
        result
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<std::io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}

/// `length` bytes of noise that follow from `state` alone.
fn noise(mut state: u64, length: usize) -> Vec<u8> {
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..length).map(|_| next()).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tokio::io::{AsyncReadExt, AsyncWriteExt};

    use super::super::Latency;
    use super::*;

    async fn sent(faults: &Faults, data: &[u8]) -> (Vec<u8>, bool) {
        let (near, mut far) = tokio::io::duplex(64);
        let mut stream = faults.wrap(near);
        let written = stream.write_all(data).await.is_ok();
        drop(stream);
        let mut read = Vec::new();
        far.read_to_end(&mut read).await.unwrap();
        (read, written)
    }

    #[tokio::test]
    async fn nothing_is_wrong_by_default() {
        assert_eq!(sent(&Faults::default(), b"hello").await, (b"hello".to_vec(), true));
        assert_eq!(Faults::default().plan().delay_of("input tap 1 2"), None);
    }

    #[tokio::test]
    async fn a_cut_stream_carries_so_many_bytes_and_then_fails() {
        let faults = Faults::default();
        faults.change(|plan| plan.cut_after = Some(3));
        assert_eq!(sent(&faults, b"hello").await, (b"hel".to_vec(), false));
        assert_eq!(sent(&faults, b"hel").await, (b"hel".to_vec(), true));
    }

    #[tokio::test]
    async fn garbage_has_the_same_length_and_other_bytes() {
        let faults = Faults::default();
        faults.change(|plan| plan.garbage = true);
        let (read, _) = sent(&faults, b"hello hello").await;
        assert_eq!(read.len(), 11);
        assert_ne!(read, b"hello hello");
        assert_eq!(sent(&faults, b"hello hello").await.0, read, "noise must be repeatable");
    }

    #[test]
    fn a_delay_is_found_by_the_start_of_the_command() {
        let faults = Faults::default();
        let delay = Duration::from_millis(5);
        faults.change(|plan| plan.latency.push(Latency { prefix: "input tap".into(), delay }));
        assert_eq!(faults.plan().delay_of("input tap 1 2"), Some(delay));
        assert_eq!(faults.plan().delay_of("input text a"), None);
        faults.clear();
        assert_eq!(faults.plan(), FaultPlan::default());
    }
}
