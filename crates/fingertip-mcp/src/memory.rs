//! Giving memory back after pictures.
//!
//! A raw picture of a screen passes through buffers of 10 MB. glibc learns from the first that such buffers are usual, takes
//! the next from its heap and keeps tens of megabytes of it permanently. A server that waits most of the day should not: some
//! seconds after a picture the allocator is asked to give back what is free. The call itself does not wait for that.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// How long after a picture it is done; pictures that come meanwhile are done with together.
const AFTER: Duration = Duration::from_secs(5);

/// Whether it is about to be done.
static PENDING: AtomicBool = AtomicBool::new(false);

/// Gives free memory back a few seconds later.
pub(crate) fn give_back_soon() {
    if PENDING.swap(true, Ordering::Relaxed) {
        return;
    }
    tokio::spawn(async {
        tokio::time::sleep(AFTER).await;
        PENDING.store(false, Ordering::Relaxed);
        // Beside the calls: it goes through all that is free.
        let _ = tokio::task::spawn_blocking(give_back).await;
    });
}

/// Asks the allocator to give back what is free. Those of other systems do so by themselves.
fn give_back() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "glibc gives memory back only on request")]
    // SAFETY: malloc_trim takes a number, touches nothing that is in use, and may be called on any thread at any time.
    unsafe {
        libc::malloc_trim(0);
    }
}

#[cfg(all(test, target_os = "linux", target_env = "gnu"))]
mod tests {
    use super::*;

    /// As large as a picture of a tall phone.
    const PICTURE: usize = 24 << 20;

    fn resident() -> usize {
        let pages = std::fs::read_to_string("/proc/self/statm").expect("this process");
        pages.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number of pages")
            * 4096
    }

    #[test]
    fn what_pictures_took_is_given_back() {
        // The first teaches the allocator to keep the next ones.
        drop(vec![1_u8; PICTURE]);
        let pictures: Vec<Vec<u8>> = (0..6).map(|_| vec![1_u8; PICTURE]).collect();
        // Above them on the heap, so that they cannot be given back from its end.
        let above = vec![1_u8; 1 << 16];
        drop(pictures);
        let kept = resident();
        give_back();
        assert!(resident() + 3 * PICTURE < kept, "{kept} bytes before, {} after", resident());
        drop(above);
    }
}
