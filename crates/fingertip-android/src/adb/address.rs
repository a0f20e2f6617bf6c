//! Where the adb server listens, by the same environment variables that the `adb` program reads.

use fingertip_core::{Error, Result};

/// The port of an adb server without another one configured.
const DEFAULT_PORT: u16 = 5037;
const DEFAULT_HOST: &str = "127.0.0.1";
const SOCKET_VARIABLE: &str = "ADB_SERVER_SOCKET";
const HOST_VARIABLE: &str = "ANDROID_ADB_SERVER_ADDRESS";
const PORT_VARIABLE: &str = "ANDROID_ADB_SERVER_PORT";

/// The host and port of an adb server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerAddress {
    /// A host name or address.
    pub host: String,
    /// A TCP port.
    pub port: u16,
}

impl ServerAddress {
    /// The address that the environment names, else the usual one.
    ///
    /// # Errors
    /// When a variable is set to something that is no address.
    pub(super) fn from_environment() -> Result<Self> {
        Self::from_variables(|name| std::env::var(name).ok())
    }

    fn from_variables(variable: impl Fn(&str) -> Option<String>) -> Result<Self> {
        let set = |name| variable(name).filter(|value| !value.is_empty());
        if let Some(socket) = set(SOCKET_VARIABLE) {
            return parse_socket(&socket).ok_or_else(|| unreadable(SOCKET_VARIABLE, "tcp:HOST:PORT"));
        }
        let port = match set(PORT_VARIABLE) {
            Some(port) => parse_port(&port).ok_or_else(|| unreadable(PORT_VARIABLE, "a port number"))?,
            None => DEFAULT_PORT,
        };
        Ok(Self { host: set(HOST_VARIABLE).unwrap_or_else(|| DEFAULT_HOST.to_owned()), port })
    }

    /// Whether the server would run on this machine, and so may be started here.
    pub(super) fn is_local(&self) -> bool {
        self.host == "localhost"
            || self.host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
    }
}

impl Default for ServerAddress {
    fn default() -> Self {
        Self { host: DEFAULT_HOST.to_owned(), port: DEFAULT_PORT }
    }
}

impl std::fmt::Display for ServerAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

fn parse_socket(socket: &str) -> Option<ServerAddress> {
    let address = socket.strip_prefix("tcp:")?;
    let Some((host, port)) = address.rsplit_once(':') else {
        return Some(ServerAddress { port: parse_port(address)?, ..ServerAddress::default() });
    };
    let host = host.trim_start_matches('[').trim_end_matches(']');
    (!host.is_empty()).then_some(())?;
    Some(ServerAddress { host: host.to_owned(), port: parse_port(port)? })
}

fn parse_port(text: &str) -> Option<u16> {
    text.parse().ok().filter(|port| *port != 0)
}

fn unreadable(variable: &str, wanted: &str) -> Error {
    Error::invalid(format!("The environment variable {variable} must be {wanted}."))
        .with_guidance("Correct it, or unset it to use the usual adb server.")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn address(variables: &[(&str, &str)]) -> Result<String> {
        let find = |name: &str| {
            variables.iter().find(|(known, _)| *known == name).map(|(_, value)| (*value).to_owned())
        };
        ServerAddress::from_variables(find).map(|address| address.to_string())
    }

    #[test]
    fn the_variables_of_adb_are_understood() {
        for (variables, expected) in [
            (&[][..], "127.0.0.1:5037"),
            (&[(PORT_VARIABLE, "6000")], "127.0.0.1:6000"),
            (&[(PORT_VARIABLE, "6000"), (HOST_VARIABLE, "build.example")], "build.example:6000"),
            (&[(SOCKET_VARIABLE, "tcp:6001"), (PORT_VARIABLE, "6000")], "127.0.0.1:6001"),
            (&[(SOCKET_VARIABLE, "tcp:host:6001")], "host:6001"),
            (&[(SOCKET_VARIABLE, "tcp:[::1]:6001")], "[::1]:6001"),
            (&[(PORT_VARIABLE, "")], "127.0.0.1:5037"),
        ] {
            assert_eq!(address(variables).as_deref(), Ok(expected), "{variables:?}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused_by_name() {
        for (name, value) in [
            (PORT_VARIABLE, "0"),
            (PORT_VARIABLE, "70000"),
            (PORT_VARIABLE, "adb"),
            (SOCKET_VARIABLE, "localfilesystem:/tmp/adb"),
            (SOCKET_VARIABLE, "tcp::6000"),
        ] {
            let error = address(&[(name, value)]).unwrap_err();
            assert!(error.message().contains(name), "{error}");
        }
    }

    #[test]
    fn only_a_server_of_this_machine_may_be_started() {
        let at = |host: &str| ServerAddress { host: host.to_owned(), port: 1 };
        assert!(at("localhost").is_local() && at("127.0.0.1").is_local() && at("::1").is_local());
        assert!(!at("10.0.0.7").is_local() && !at("build.example").is_local());
    }
}
