//! Resolves host names: each name once, and its addresses are checked before a connection is made.

use std::{
    collections::HashMap,
    fmt, io,
    net::{IpAddr, SocketAddr, ToSocketAddrs},
    sync::{Arc, Mutex, PoisonError, mpsc},
    thread,
    time::{Duration, Instant},
};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    value::not_public,
};
use ureq::{
    config::Config,
    http::Uri,
    unversioned::{
        resolver::{ResolvedSocketAddrs, Resolver},
        transport::NextTimeout,
    },
};

use super::{
    error::{Error, ErrorKind},
    policy::{Policy, Trust},
    url::{HostPort, Url},
};
use crate::cancel::{Cancel, TICK};

/// Maximum addresses tried per name.
const ADDRESSES: usize = 8;

/// Resolves a name: with the system resolver, except in tests.
pub(super) type Lookup = Arc<dyn Fn(&str) -> io::Result<Vec<IpAddr>> + Send + Sync>;

/// The resolved names.
#[derive(Clone)]
pub(super) struct Dns {
    policy: Arc<Policy>,
    cancel: Cancel,
    lookup: Lookup,
    /// INVARIANT: the first result is used for the whole run, so the addresses of a name cannot change after they were
    /// checked (DNS rebinding).
    known: Arc<Mutex<HashMap<String, Vec<IpAddr>>>>,
}

impl Dns {
    pub(super) fn new(policy: Arc<Policy>, cancel: Cancel, lookup: Option<Lookup>) -> Dns {
        Dns { policy, cancel, lookup: lookup.unwrap_or_else(|| Arc::new(by_the_system)), known: Arc::default() }
    }

    /// The same names, with another policy.
    pub(super) fn with_policy(&self, policy: Arc<Policy>) -> Dns {
        Dns { policy, ..self.clone() }
    }

    /// The addresses of a host to which connections are allowed.
    fn addresses(&self, host_port: &HostPort, trust: Trust, patience: Duration) -> Result<Vec<SocketAddr>, Error> {
        let all = match host_port.address() {
            Some(address) => vec![address],
            None => self.known(&host_port.host, patience)?,
        };
        let fits = |address: &IpAddr| trust == Trust::Named || not_public(*address).is_none();
        let own: Vec<SocketAddr> = all
            .iter()
            .filter(|address| fits(address))
            .map(|address| SocketAddr::new(*address, host_port.port))
            .collect();
        match all.iter().find_map(|address| Some((address, not_public(*address)?))) {
            Some((address, what)) if own.is_empty() => Err(Error::new(
                ErrorKind::Address,
                Reason::other(format!(
                    "non-public address {address} of `{}` ({what}); --allow-host {} allows it",
                    host_port.host, host_port.host
                )),
            )),
            _ if own.is_empty() => Err(nameless(&host_port.host)),
            _ => Ok(own),
        }
    }

    fn known(&self, host: &str, patience: Duration) -> Result<Vec<IpAddr>, Error> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(addresses) = known().get(host) {
            return Ok(addresses.clone());
        }
        // The system resolver may block for long; its thread is then abandoned.
        let (give, found) = mpsc::channel();
        let (lookup, name) = (self.lookup.clone(), host.to_owned());
        let thread = thread::Builder::new().spawn(move || give.send(lookup(&name)));
        thread.map_err(|error| Error::new(ErrorKind::Name, crate::system::reason(&error)))?;
        let begun = Instant::now();
        let addresses = loop {
            match found.recv_timeout(TICK) {
                Ok(Ok(addresses)) => break addresses,
                Ok(Err(_)) | Err(mpsc::RecvTimeoutError::Disconnected) => return Err(nameless(host)),
                Err(mpsc::RecvTimeoutError::Timeout) if self.cancel.is_cancelled() => {
                    return Err(Error::interrupted());
                }
                Err(mpsc::RecvTimeoutError::Timeout) if begun.elapsed() > patience => {
                    let reason = Reason::new(ReasonCode::DnsTimeout).arg("host", host);
                    return Err(Error::new(ErrorKind::Time, reason.arg("limit", "http_connect_seconds")));
                }
                Err(mpsc::RecvTimeoutError::Timeout) => {}
            }
        };
        // If two threads resolved it concurrently, the first result wins.
        Ok(known().entry(host.to_owned()).or_insert(addresses).clone())
    }
}

fn nameless(host: &str) -> Error {
    Error::new(ErrorKind::Name, Reason::new(ReasonCode::UnknownHost).arg("host", host))
}

fn by_the_system(host: &str) -> io::Result<Vec<IpAddr>> {
    // The port is irrelevant.
    let mut addresses: Vec<IpAddr> = (host, 0).to_socket_addrs()?.map(|address| address.ip()).collect();
    addresses.dedup();
    addresses.truncate(ADDRESSES);
    Ok(addresses)
}

impl fmt::Debug for Dns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Dns").finish_non_exhaustive()
    }
}

impl Resolver for Dns {
    fn resolve(&self, uri: &Uri, _: &Config, timeout: NextTimeout) -> Result<ResolvedSocketAddrs, ureq::Error> {
        let target = self.read(uri);
        let found = target.and_then(|(host_port, trust)| self.addresses(&host_port, trust, *timeout.after));
        let mut addresses = self.empty();
        found
            .map_err(|problem| ureq::Error::Other(Box::new(problem)))?
            .into_iter()
            .for_each(|address| addresses.push(address));
        Ok(addresses)
    }
}

impl Dns {
    /// Every request is checked again here, at the last point before a connection.
    fn read(&self, uri: &Uri) -> Result<(HostPort, Trust), Error> {
        let proxy = self.policy.proxy.as_ref().filter(|proxy| proxy.uri().authority() == uri.authority());
        if let Some(proxy) = proxy {
            // The user specified it.
            let host = proxy.host().trim_matches(['[', ']']).to_owned();
            return Ok((HostPort { host, port: proxy.port() }, Trust::Named));
        }
        let target = Url::read(&uri.to_string())?;
        let trust = self.policy.check(&target)?;
        Ok((target.origin.host_port, trust))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const PATIENCE: Duration = Duration::from_secs(10);

    fn host_port(host: &str) -> HostPort {
        HostPort { host: host.to_owned(), port: 80 }
    }

    #[test]
    fn a_name_that_leads_to_private_addresses_is_refused_unless_it_was_named() {
        let lookup: Lookup = Arc::new(|_| Ok(vec!["10.0.0.7".parse().unwrap(), "fd00::1".parse().unwrap()]));
        let names = Dns::new(Arc::default(), Cancel::default(), Some(lookup));
        let refused = names.addresses(&host_port("evil.example"), Trust::Public, PATIENCE).unwrap_err();
        assert_eq!(refused.kind, ErrorKind::Address);
        assert_eq!(names.addresses(&host_port("evil.example"), Trust::Named, PATIENCE).unwrap().len(), 2);
    }

    #[test]
    fn private_addresses_among_public_ones_are_skipped() {
        let lookup: Lookup = Arc::new(|_| Ok(vec!["127.0.0.1".parse().unwrap(), "8.8.8.8".parse().unwrap()]));
        let names = Dns::new(Arc::default(), Cancel::default(), Some(lookup));
        let own = names.addresses(&host_port("evil.example"), Trust::Public, PATIENCE).unwrap();
        assert_eq!(own, ["8.8.8.8:80".parse().unwrap()]);
    }

    #[test]
    fn a_name_keeps_the_addresses_of_its_first_lookup() {
        let calls = Arc::new(AtomicUsize::new(0));
        let counted = calls.clone();
        let lookup: Lookup = Arc::new(move |_| {
            let address = if counted.fetch_add(1, Ordering::SeqCst) == 0 { "8.8.8.8" } else { "127.0.0.1" };
            Ok(vec![address.parse().unwrap()])
        });
        let names = Dns::new(Arc::default(), Cancel::default(), Some(lookup));
        for _ in 0..3 {
            assert_eq!(
                names.addresses(&host_port("rebind.example"), Trust::Public, PATIENCE).unwrap(),
                ["8.8.8.8:80".parse().unwrap()]
            );
        }
        assert_eq!(calls.load(Ordering::SeqCst), 1);
    }

    #[test]
    fn numbers_in_disguise_are_looked_at_like_any_name() {
        let names = Dns::new(Arc::default(), Cancel::default(), None);
        for host in ["2130706433", "127.1", "0x7f.0.0.1"] {
            let refused = names.addresses(&host_port(host), Trust::Public, PATIENCE).unwrap_err();
            // Not every system parses these as numeric addresses; all must be rejected.
            assert!(matches!(refused.kind, ErrorKind::Address | ErrorKind::Name), "{host}: {refused:?}");
        }
    }
}
