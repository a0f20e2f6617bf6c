//! How many files this process may have open, and how many of them connections may be.
//!
//! The usual soft limit of 1,024 is from a time when programs kept sets of files as bits. It is raised as far as the
//! system lets us, within reason. Connections get less than half of it: the audit log, adb, D-Bus and whatever a library
//! opens must find a free one even while every connection there may be is open.

use fingertip_mcp::transport::MAX_CONNECTIONS;

/// More than this is not asked for: some libraries close every possible file, one by one.
const MOST: u64 = 65_536;
/// Kept free beyond the half that connections may have.
const RESERVE: u64 = 64;
/// Connections served however low the limit is.
const LEAST_CONNECTIONS: usize = 16;

/// Raises the limit as far as may be; the one then in force.
pub(crate) fn raise_limit() -> u64 {
    let limit = system::raise(MOST);
    tracing::debug!(limit, "files that may be open");
    limit
}

/// How many connections fit under a limit.
pub(crate) fn connections(limit: u64) -> usize {
    let fitting = usize::try_from((limit / 2).saturating_sub(RESERVE)).unwrap_or(MAX_CONNECTIONS);
    fitting.clamp(LEAST_CONNECTIONS, MAX_CONNECTIONS)
}

#[cfg(unix)]
mod system {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    /// Raises the soft limit up to the hard one, at most to `most`; the limit then in force.
    pub(super) fn raise(most: u64) -> u64 {
        let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
        let Some(current) = current else { return most };
        let wanted = maximum.map_or(most, |maximum| maximum.min(most));
        if wanted <= current {
            return current;
        }
        match setrlimit(Resource::Nofile, Rlimit { current: Some(wanted), maximum }) {
            Ok(()) => wanted,
            Err(error) => {
                tracing::debug!(%error, "the limit on open files cannot be raised");
                current
            }
        }
    }
}

#[cfg(not(unix))]
mod system {
    /// There is no such limit to raise.
    pub(super) fn raise(most: u64) -> u64 {
        most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn connections_leave_more_than_half_of_the_files_to_the_rest() {
        assert_eq!(connections(MOST), MAX_CONNECTIONS);
        assert_eq!(connections(1024), 448);
        assert_eq!(connections(256), 64);
        assert_eq!(connections(20), LEAST_CONNECTIONS);
    }
}
