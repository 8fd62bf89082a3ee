//! The callback addresses that a hub may call: public ones, and those that the operator allowed.

use alloc::{
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};
use core::{fmt, net::IpAddr, str::FromStr};

use resourcesync::{
    named_enum,
    value::{Uri, not_public},
};

/// Maximum bytes of a callback.
const CALLBACK: usize = 2 << 10;

/// Which callbacks are allowed. The same rules apply to the text of a callback and to the addresses of its host.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Callbacks {
    /// Allowed ports.
    pub ports: Vec<u16>,
    /// Allowed addresses that are not public, and other ports.
    pub allow: Vec<Allowed>,
}

impl Default for Callbacks {
    fn default() -> Callbacks {
        Callbacks { ports: vec![80, 443, 8080, 8443], allow: Vec::new() }
    }
}

/// An exception for an intranet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Allowed {
    /// All addresses with a prefix, such as `10.1.0.0/16`.
    Network(IpAddr, u8),
    /// One host and port, such as `receiver.internal:9000`, at any address.
    Host(HostPort),
}

impl FromStr for Allowed {
    type Err = AllowedError;

    fn from_str(text: &str) -> Result<Allowed, AllowedError> {
        let wrong = || AllowedError(text.to_string());
        if let Some((address, length)) = text.split_once('/') {
            let address: IpAddr = address.parse().map_err(|_| wrong())?;
            let length: u8 = length.parse().map_err(|_| wrong())?;
            let most = if address.is_ipv4() { 32 } else { 128 };
            return if length <= most { Ok(Allowed::Network(address, length)) } else { Err(wrong()) };
        }
        let found = HostPort::of(&format!("http://{text}/")).filter(|_| text.contains(':')).ok_or_else(wrong)?;
        Ok(Allowed::Host(found))
    }
}

/// A text that is neither a network nor a host with a port.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AllowedError(String);

impl fmt::Display for AllowedError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is neither a network, such as 10.1.0.0/16, nor a host and port, such as host:9000", self.0)
    }
}

impl core::error::Error for AllowedError {}

/// The host and port of a URI.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct HostPort {
    /// In lower case; an IPv6 address without brackets.
    pub host: String,
    /// The port.
    pub port: u16,
}

impl HostPort {
    /// Those of an http or https URI without user information.
    pub fn of(uri: &str) -> Option<HostPort> {
        let uri: Uri = uri.parse().ok()?;
        let default = match uri.scheme() {
            scheme if scheme.eq_ignore_ascii_case("https") => 443,
            scheme if scheme.eq_ignore_ascii_case("http") => 80,
            _ => return None,
        };
        let authority = uri.authority()?;
        let (host, port) = match authority.strip_prefix('[') {
            Some(rest) => {
                let (host, after) = rest.split_once(']')?;
                (host, after.strip_prefix(':').unwrap_or_default())
            }
            None => authority.split_once(':').unwrap_or((authority, "")),
        };
        let port = if port.is_empty() { default } else { port.parse().ok()? };
        let host = host.trim_end_matches('.').to_ascii_lowercase();
        let is_host = !host.is_empty() && !authority.contains('@');
        is_host.then_some(HostPort { host, port })
    }

    /// The address, if the host is written as one.
    pub fn address(&self) -> Option<IpAddr> {
        self.host.parse().ok()
    }
}

impl FromStr for HostPort {
    type Err = AllowedError;

    /// Reads what `Display` writes.
    fn from_str(text: &str) -> Result<HostPort, AllowedError> {
        let read = || {
            let (host, port) = text.rsplit_once(':')?;
            let host = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
            Some(HostPort { host: host.to_string(), port: port.parse().ok()? })
        };
        read().ok_or_else(|| AllowedError(text.to_string()))
    }
}

impl fmt::Display for HostPort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.host.contains(':') {
            write!(f, "[{}]:{}", self.host, self.port)
        } else {
            write!(f, "{}:{}", self.host, self.port)
        }
    }
}

named_enum! {
    /// Why a callback is not allowed. The text does not depend on any lookup.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum CallbackRefusal {
        /// Not an http or https URI.
        Scheme = "not an http or https URI",
        /// It is too long.
        Length = "longer than 2048 bytes",
        /// It has a fragment.
        Fragment = "it has a fragment",
        /// It has a user name.
        User = "it has a user name",
        /// Its port is not allowed.
        Port = "this port is not allowed",
        /// Its host is an address that is not public.
        Address = "this address is not allowed",
        /// It leads to the hub.
        Hub = "it leads to the hub",
        /// The operator denied its host.
        Denied = "denied by the operator",
    }
}

impl Callbacks {
    /// Checks a callback as written, before anything is looked up.
    ///
    /// # Errors
    ///
    /// If it is not allowed.
    pub fn check(&self, callback: &str) -> Result<HostPort, CallbackRefusal> {
        if callback.len() > CALLBACK {
            return Err(CallbackRefusal::Length);
        }
        if callback.contains('#') {
            return Err(CallbackRefusal::Fragment);
        }
        let uri: Uri = callback.parse().map_err(|_| CallbackRefusal::Scheme)?;
        if !uri.is_http() {
            return Err(CallbackRefusal::Scheme);
        }
        if uri.authority().is_some_and(|authority| authority.contains('@')) {
            return Err(CallbackRefusal::User);
        }
        let found = HostPort::of(callback).ok_or(CallbackRefusal::Scheme)?;
        if self.names(&found) {
            return Ok(found);
        }
        if found.address().is_some_and(|address| !self.allows_address(address)) {
            return Err(CallbackRefusal::Address);
        }
        if self.ports.contains(&found.port) { Ok(found) } else { Err(CallbackRefusal::Port) }
    }

    /// Whether a connection to an address of a host is allowed.
    pub fn allows(&self, target: &HostPort, address: IpAddr) -> bool {
        self.names(target) || (self.ports.contains(&target.port) && self.allows_address(address))
    }

    fn names(&self, target: &HostPort) -> bool {
        self.allow.iter().any(|allowed| matches!(allowed, Allowed::Host(host) if host == target))
    }

    fn allows_address(&self, address: IpAddr) -> bool {
        let is_in = |allowed: &Allowed| match allowed {
            Allowed::Network(network, length) => contains(*network, *length, address),
            Allowed::Host(_) => false,
        };
        not_public(address).is_none() || self.allow.iter().any(is_in)
    }
}

fn contains(network: IpAddr, length: u8, address: IpAddr) -> bool {
    match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) => {
            (u32::from(network) ^ u32::from(address)).leading_zeros() >= u32::from(length)
        }
        (IpAddr::V6(network), IpAddr::V6(address)) => {
            (u128::from(network) ^ u128::from(address)).leading_zeros() >= u32::from(length)
        }
        _ => false,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn refusal(callback: &str) -> Option<CallbackRefusal> {
        Callbacks::default().check(callback).err()
    }

    #[test]
    fn callbacks_lead_to_public_addresses_on_usual_ports() {
        for good in
            ["https://me.example/rs?a=1", "http://me.example:8080/", "https://1.1.1.1/", "http://[2606:4700::1]/"]
        {
            assert_eq!(refusal(good), None, "{good}");
        }
        for (callback, why) in [
            ("ftp://me.example/", CallbackRefusal::Scheme),
            ("me.example", CallbackRefusal::Scheme),
            ("https://me.example/#a", CallbackRefusal::Fragment),
            ("https://u:p@me.example/", CallbackRefusal::User),
            ("http://me.example:22/", CallbackRefusal::Port),
        ] {
            assert_eq!(refusal(callback), Some(why), "{callback}");
        }
        assert_eq!(refusal(&format!("https://me.example/{}", "a".repeat(3_000))), Some(CallbackRefusal::Length));
    }

    #[test]
    fn addresses_that_are_not_public_are_refused_in_every_spelling_of_a_literal() {
        for host in [
            "127.0.0.1",
            "10.1.2.3",
            "169.254.169.254",
            "100.64.1.1",
            "[::1]",
            "[::ffff:7f00:1]",
            "[64:ff9b::a00:1]",
            "[2002:7f00:1::]",
            "[2001:0:1::]",
            "[fe80::5efe:a00:1]",
        ] {
            assert_eq!(refusal(&format!("http://{host}/")), Some(CallbackRefusal::Address), "{host}");
        }
    }

    #[test]
    fn the_operator_can_allow_a_network_or_a_host_with_its_port() {
        let allow =
            ["10.1.0.0/16", "receiver.internal:9000", "127.0.0.1:7001"].map(|text| text.parse().unwrap()).to_vec();
        let own = Callbacks { allow, ..Callbacks::default() };
        assert!(own.check("http://10.1.2.3/").is_ok());
        assert_eq!(own.check("http://10.2.2.3/"), Err(CallbackRefusal::Address));
        assert_eq!(own.check("http://10.1.2.3:22/"), Err(CallbackRefusal::Port));
        let named = own.check("http://receiver.internal:9000/x").unwrap();
        assert!(own.allows(&named, "192.168.0.7".parse().unwrap()));
        assert!(own.check("http://127.0.0.1:7001/").is_ok());
        let other = own.check("http://other.example/").unwrap();
        assert!(!own.allows(&other, "192.168.0.7".parse().unwrap()));
        assert!(own.allows(&other, "10.1.0.1".parse().unwrap()));
        for wrong in ["10.0.0.0/33", "host", "a/8", "x y:1"] {
            assert!(wrong.parse::<Allowed>().is_err(), "{wrong}");
        }
    }
}
