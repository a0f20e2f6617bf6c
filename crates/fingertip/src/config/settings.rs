//! Every setting once: its field, its type, its name in the file, its variable, its default and what it may be.

use std::path::Path;
use std::time::Duration;

use fingertip_mcp::policy::audit;
use fingertip_mcp::policy::rate_limit::{DEFAULT_WRITES_PER_SECOND, MAX_WRITES_PER_SECOND};
use fingertip_mcp::view::{Format, See, Waits};

use super::setting::{Layered, Setting};
use crate::cli::DEFAULT_LISTEN;
use crate::drive::GnomeAccess;

/// Makes the struct and its lists of one table, so that no list can lack a setting.
macro_rules! settings {
    (|$audit:ident| $($field:ident: $type:ty = $setting:expr;)*) => {
        /// All settings, in the order they are shown.
        #[derive(Debug)]
        pub(crate) struct Settings {
            $(pub(crate) $field: Setting<$type>,)*
        }

        impl Settings {
            /// What is in force when nothing is set; the audit log is kept in this file then.
            pub(super) fn defaults($audit: &Path) -> Self {
                Self { $($field: $setting,)* }
            }

            pub(super) fn all(&self) -> Vec<&dyn Layered> {
                vec![$(&self.$field,)*]
            }

            pub(super) fn all_mut(&mut self) -> Vec<&mut dyn Layered> {
                vec![$(&mut self.$field,)*]
            }
        }
    };
}

settings! { |audit_file|
    targets: Vec<String> = Setting::new("server.targets", "FINGERTIP_TARGETS", vec![]);
    driver: String = Setting::new("server.driver", "FINGERTIP_DRIVER", String::new());
    gnome_access: String =
        Setting::new("server.gnome_access", "FINGERTIP_GNOME_ACCESS", GnomeAccess::default().to_string());
    listen: String = Setting::new("server.listen", "FINGERTIP_LISTEN", DEFAULT_LISTEN.to_owned()).of_transport();
    tls: bool = Setting::new("server.tls", "FINGERTIP_TLS", false).of_transport();
    tls_cert: String = Setting::new("server.tls_cert", "FINGERTIP_TLS_CERT", String::new()).of_transport();
    tls_key: String = Setting::new("server.tls_key", "FINGERTIP_TLS_KEY", String::new()).of_transport();
    allow_hosts: Vec<String> = Setting::new("server.allow_hosts", "FINGERTIP_ALLOW_HOSTS", vec![]).of_transport();
    mdns: bool = Setting::new("server.mdns", "FINGERTIP_MDNS", false).of_transport();
    timeouts: Vec<String> = Setting::new("server.timeouts", "FINGERTIP_TIMEOUTS", vec![]);
    format: String = Setting::new("server.format", "FINGERTIP_FORMAT", Format::default().name().to_owned());
    see: String = Setting::new("server.see", "FINGERTIP_SEE", See::default().name().to_owned());
    secrets: String = Setting::new("server.secrets", "FINGERTIP_SECRETS", String::new());
    v1: bool = Setting::new("server.v1", "FINGERTIP_V1", false).of_transport();
    ui: bool = Setting::new("page.enabled", "FINGERTIP_UI", true).of_transport();
    history: bool = Setting::new("page.history", "FINGERTIP_HISTORY", true).of_transport();
    see_quiet_ms: u64 = Setting::new("see.quiet_ms", "FINGERTIP_SEE_QUIET_MS", ms(Waits::DEFAULT.quiet))
        .within(Waits::QUIET_MS);
    see_in_place_ms: u64 =
        Setting::new("see.in_place_ms", "FINGERTIP_SEE_IN_PLACE_MS", ms(Waits::DEFAULT.in_place))
            .within(Waits::IN_PLACE_MS);
    see_navigated_ms: u64 =
        Setting::new("see.navigated_ms", "FINGERTIP_SEE_NAVIGATED_MS", ms(Waits::DEFAULT.navigated))
            .within(Waits::NAVIGATED_MS);
    read_only: bool = Setting::new("policy.read_only", "FINGERTIP_READ_ONLY", false);
    tools: Vec<String> =
        Setting::new("policy.tools", "FINGERTIP_TOOLS", vec![]).unset_means("all that fit the device");
    no_tools: Vec<String> = Setting::new("policy.no_tools", "FINGERTIP_NO_TOOLS", vec![]).restricting();
    confirm: Vec<String> = Setting::new("policy.confirm", "FINGERTIP_CONFIRM", vec![]).restricting();
    writes_per_second: u64 = Setting::new(
        "policy.writes_per_second",
        "FINGERTIP_WRITES_PER_SECOND",
        DEFAULT_WRITES_PER_SECOND.into(),
    )
    .within(1..=MAX_WRITES_PER_SECOND.into());
    default_blocklist: bool =
        Setting::new("policy.default_blocklist", "FINGERTIP_DEFAULT_BLOCKLIST", true);
    block_apps: Vec<String> = Setting::new("policy.block_apps", "FINGERTIP_BLOCK_APPS", vec![]).restricting();
    allow_apps: Vec<String> = Setting::new("policy.allow_apps", "FINGERTIP_ALLOW_APPS", vec![]);
    allow_commands: bool = Setting::new("policy.allow_commands", "FINGERTIP_ALLOW_COMMANDS", false);
    audit: bool = Setting::new("audit.enabled", "FINGERTIP_AUDIT", true);
    audit_file: String =
        Setting::new("audit.file", "FINGERTIP_AUDIT_FILE", audit_file.display().to_string());
    audit_max_bytes: u64 = Setting::new("audit.max_bytes", "FINGERTIP_AUDIT_MAX_BYTES", audit::MAX_BYTES)
        .within(64 * 1024..=1024 * 1024 * 1024);
    audit_kept: u64 =
        Setting::new("audit.kept", "FINGERTIP_AUDIT_KEPT", audit::KEPT.into()).within(0..=100);
}

/// In whole milliseconds, as files and variables have it.
fn ms(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
