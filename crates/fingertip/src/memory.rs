//! Giving memory back.
//!
//! A picture of a screen passes through buffers of 10 MB and more. By default glibc learns from the first one that such
//! buffers are usual, takes the next from its heap and keeps up to 64 MB of it for good. A server that waits most of the
//! day should not: large buffers are mapped, and so given back when they are freed.

/// A buffer from this size on is given back to the system when it is freed, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const LARGE: i32 = 1 << 20;
/// How much free memory at the end of the heap is kept, in bytes.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
const KEPT: i32 = 4 << 20;

/// Tells the allocator so, which costs a raw picture of 10 MB about 5 ms. Other systems' do it by themselves.
pub(crate) fn give_back_large_buffers() {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    #[expect(unsafe_code, reason = "glibc is told only by a call")]
    // SAFETY: mallopt takes two numbers, touches no memory of ours, and may be called at any time.
    unsafe {
        libc::mallopt(libc::M_MMAP_THRESHOLD, LARGE);
        libc::mallopt(libc::M_TRIM_THRESHOLD, KEPT);
    }
}
