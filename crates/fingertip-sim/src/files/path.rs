//! Paths as the phone's shell user means them.

/// The absolute form of a path: no `.`, no `..`, no double slashes, the aliases of the shared storage resolved.
///
/// Relative paths start at the root, where a shell over adb starts.
#[must_use]
pub fn normalize(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            _ => parts.push(part),
        }
    }
    let plain = format!("/{}", parts.join("/"));
    for alias in ["/storage/emulated/0", "/storage/self/primary", "/mnt/sdcard"] {
        if let Some(rest) = plain.strip_prefix(alias).filter(|rest| rest.is_empty() || rest.starts_with('/'))
        {
            return format!("/sdcard{rest}");
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::normalize;

    #[test]
    fn paths_lose_what_does_not_matter() {
        assert_eq!(normalize("/data//local/./tmp/x/../y/"), "/data/local/tmp/y");
        assert_eq!(normalize("sdcard/a"), "/sdcard/a");
        assert_eq!(normalize("/../.."), "/");
        assert_eq!(normalize(""), "/");
    }

    #[test]
    fn the_shared_storage_has_several_names() {
        assert_eq!(normalize("/storage/emulated/0/Download"), "/sdcard/Download");
        assert_eq!(normalize("/storage/emulated/0"), "/sdcard");
        assert_eq!(normalize("/storage/emulated/01"), "/storage/emulated/01");
    }
}
