//! Which requests are allowed, and their headers.

use std::{
    collections::BTreeSet,
    fmt,
    sync::{Mutex, PoisonError},
};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    value::not_public,
};
use resourcesync_notify::exchange::USER_AGENT;
use ureq::{Proxy, ProxyProtocol};

use super::{
    credentials::Credentials,
    error::{Error, ErrorKind},
    limits::Limits,
    url::{HostPort, Scheme, Url},
};

/// How far a host is trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trust {
    /// The user gave it: it may have any address, in a private network too.
    Named,
    /// Only at public addresses.
    Public,
}

/// Which requests are allowed, and their headers.
///
/// Nothing is allowed by default: [`Policy::start`] allows the host of a URI that the user gave, [`Policy::allow`] others. Every
/// redirect, and every address of a host name, is checked before a connection is made to it.
///
/// ```
/// use resourcesync_client::http::{Client, ClientOptions, Policy, Request};
///
/// let mut policy = Policy::default();
/// policy.start("https://repository.example/")?;
/// let client = Client::new(policy, ClientOptions::default())?;
/// let refused = client.fetch(&Request::get("http://127.0.0.1/")).unwrap_err();
/// assert!(refused.is_refusal());
/// # Ok::<(), resourcesync_client::http::Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Policy {
    /// Bounds on what a server can cost.
    pub limits: Limits,
    /// Headers for one origin each.
    pub credentials: Credentials,
    /// A mail address for the people who run a server (`From`).
    pub from: Option<String>,
    /// `User-Agent`, instead of [`USER_AGENT`].
    pub user_agent: Option<String>,
    /// Honours robots.txt.
    pub robots: bool,
    /// Lets the rate of requests to a host follow how well it responds: it begins at `http_requests_per_second`, grows to 200 at most, and is
    /// halved when the host is busy or slower than before. Local and private addresses that the user gave have no limit.
    pub adapts: bool,
    /// The proxy.
    pub(super) proxy: Option<Proxy>,
    /// Certificates trusted instead of those of the platform, as PEM.
    pub authorities: Option<Vec<u8>>,
    /// Hosts the user gave, at one port or at those of http and https.
    named: Vec<(String, Option<u16>)>,
    /// `*`: every host with a public address.
    any: bool,
    /// Hosts that URIs which the user gave redirected to.
    led: Mutex<BTreeSet<HostPort>>,
}

impl Policy {
    /// Allows the host of a URI that the user gave.
    ///
    /// # Errors
    ///
    /// If the URI cannot be requested.
    pub fn start(&mut self, uri: &str) -> Result<(), Error> {
        let target = Url::read(uri)?;
        let HostPort { host, port } = &target.origin.host_port;
        self.named.push((host.clone(), if is_of_the_web(*port) { None } else { Some(*port) }));
        Ok(())
    }

    /// Allows a host, as `HOST` or `HOST:PORT`, or with `*` every host with a public address.
    ///
    /// # Errors
    ///
    /// If it is none of them.
    pub fn allow(&mut self, text: &str) -> Result<(), HostError> {
        if text == "*" {
            self.any = true;
        } else {
            self.named.push(HostPort::read(text).ok_or_else(|| HostError(text.to_owned()))?);
        }
        Ok(())
    }

    /// The policy for one Source of several: what this one allows, the host of the URI that the user gave, and the hosts to which this is
    /// known to redirect ([`Client::led`](super::Client::led)).
    ///
    /// # Errors
    ///
    /// If the URI cannot be requested, or one of `led` is not a host with its port.
    pub(super) fn for_source(&self, start: &str, led: &[String]) -> Result<Policy, Error> {
        let refuse = |text: &String| Error::new(ErrorKind::Uri, Reason::other(HostError(text.clone()).to_string()));
        let led = led.iter().map(|text| match HostPort::read(text) {
            Some((host, Some(port))) if is_of_the_web(port) => Ok(HostPort { host, port }),
            _ => Err(refuse(text)),
        });
        let mut own = Policy {
            limits: self.limits.clone(),
            credentials: self.credentials.clone(),
            from: self.from.clone(),
            user_agent: self.user_agent.clone(),
            robots: self.robots,
            adapts: self.adapts,
            proxy: self.proxy.clone(),
            authorities: self.authorities.clone(),
            named: self.named.clone(),
            any: self.any,
            led: Mutex::new(led.collect::<Result<_, _>>()?),
        };
        own.start(start)?;
        Ok(own)
    }

    /// The hosts to which URIs that the user gave redirected, each with its port.
    pub(super) fn led(&self) -> Vec<String> {
        self.led.lock().unwrap_or_else(PoisonError::into_inner).iter().map(ToString::to_string).collect()
    }

    /// Sets a proxy, by its URL `http://HOST:PORT`.
    ///
    /// # Errors
    ///
    /// If it is not the URL of an http or https proxy.
    pub fn proxy(&mut self, url: &str) -> Result<(), ProxyError> {
        self.proxy = Some(supported(Proxy::new(url).map_err(|_| ProxyError::Form)?)?);
        Ok(())
    }

    /// Sets the proxy of the environment, if there is one: `ALL_PROXY`, `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`.
    ///
    /// # Errors
    ///
    /// If it is not an http or https proxy.
    pub fn proxy_of_environment(&mut self) -> Result<(), ProxyError> {
        self.proxy = Proxy::try_from_env().map(supported).transpose()?;
        Ok(())
    }

    /// Checks whether a URL is allowed, before its host is looked up.
    pub(super) fn check(&self, target: &Url) -> Result<Trust, Error> {
        let host_port = &target.origin.host_port;
        if self.is_named(host_port) {
            return Ok(Trust::Named);
        }
        let reason = |code, hint: &str| Reason::new(code).arg("host", hint).arg("uri", &target.uri);
        let hint = if is_of_the_web(host_port.port) { host_port.host.clone() } else { host_port.to_string() };
        if let Some(what) = host_port.address().and_then(not_public) {
            let reason = reason(ReasonCode::PrivateAddress, &hint).arg("what", what);
            return Err(Error::new(ErrorKind::Address, reason));
        }
        let was_led = || self.led.lock().unwrap_or_else(PoisonError::into_inner).contains(host_port);
        if (self.any && is_of_the_web(host_port.port)) || was_led() {
            return Ok(Trust::Public);
        }
        let other_port = self.named.iter().any(|(host, _)| *host == host_port.host);
        let code = if other_port { ReasonCode::OtherPort } else { ReasonCode::OtherHost };
        Err(Error::new(ErrorKind::Host, reason(code, &hint)))
    }

    /// Checks whether a redirect may be followed. One of a URI that the user gave may lead to another public host, which is then allowed.
    pub(super) fn redirected(&self, is_start: bool, from: &Url, to: &Url) -> Result<(), Error> {
        if from.origin.scheme == Scheme::Https && to.origin.scheme == Scheme::Http {
            let reason = Reason::new(ReasonCode::Downgrade).arg("uri", &to.uri);
            return Err(Error::new(ErrorKind::Downgrade, reason));
        }
        let host_port = &to.origin.host_port;
        if is_start && is_of_the_web(host_port.port) && !self.is_named(host_port) {
            self.led.lock().unwrap_or_else(PoisonError::into_inner).insert(host_port.clone());
        }
        Ok(())
    }

    /// True for a local or private address that the user gave.
    pub(super) fn is_own(&self, host_port: &HostPort) -> bool {
        let is_local = host_port.host == "localhost" || host_port.address().and_then(not_public).is_some();
        is_local && self.is_named(host_port)
    }

    fn is_named(&self, host_port: &HostPort) -> bool {
        let fits =
            |port: Option<u16>| port.map_or_else(|| is_of_the_web(host_port.port), |port| port == host_port.port);
        self.named.iter().any(|(host, port)| *host == host_port.host && fits(*port))
    }

    /// The value of `User-Agent`.
    pub(super) fn agent(&self) -> &str {
        self.user_agent.as_deref().unwrap_or(USER_AGENT)
    }
}

/// What is not a host that could be allowed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostError(String);

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}` is not a host, such as example.com, 127.0.0.1:8080, [::1] or *", self.0)
    }
}

impl std::error::Error for HostError {}

/// What is wrong with a proxy. Its URL is not repeated: there may be a password in it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProxyError {
    /// It is not a URL.
    Form,
    /// It is of another kind, such as SOCKS.
    Kind,
}

impl fmt::Display for ProxyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ProxyError::Form => "a proxy is written as http://HOST:PORT",
            ProxyError::Kind => "the proxy is not an http or https one; no other is supported",
        })
    }
}

impl std::error::Error for ProxyError {}

fn supported(proxy: Proxy) -> Result<Proxy, ProxyError> {
    if matches!(proxy.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) {
        Ok(proxy)
    } else {
        Err(ProxyError::Kind)
    }
}

/// True for the ports of http and https.
fn is_of_the_web(port: u16) -> bool {
    port == 80 || port == 443
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn policy(start: &str) -> Policy {
        let mut policy = Policy::default();
        policy.start(start).unwrap();
        policy
    }

    fn ask(policy: &Policy, uri: &str) -> Result<Trust, ErrorKind> {
        policy.check(&Url::read(uri).unwrap()).map_err(|problem| problem.kind)
    }

    #[test]
    fn only_what_was_named_is_asked() {
        let own = policy("https://example.com/a");
        assert_eq!(ask(&own, "https://example.com/b"), Ok(Trust::Named));
        assert_eq!(ask(&own, "http://EXAMPLE.com."), Ok(Trust::Named));
        assert_eq!(ask(&own, "https://example.com:8443/"), Err(ErrorKind::Host));
        assert_eq!(ask(&own, "https://www.example.com/"), Err(ErrorKind::Host));
        assert_eq!(ask(&own, "https://10.0.0.1/"), Err(ErrorKind::Address));
        let own = policy("http://127.0.0.1:8080/");
        assert_eq!(ask(&own, "http://127.0.0.1:8080/x"), Ok(Trust::Named));
        assert_eq!(ask(&own, "http://127.0.0.1:8081/x"), Err(ErrorKind::Address));
        assert_eq!(ask(&own, "http://127.0.0.1/x"), Err(ErrorKind::Address));
    }

    #[test]
    fn allowing_every_host_allows_no_private_one() {
        let mut own = policy("https://example.com/");
        own.allow("*").unwrap();
        assert_eq!(ask(&own, "https://other.example/"), Ok(Trust::Public));
        assert_eq!(ask(&own, "https://other.example:22/"), Err(ErrorKind::Host));
        assert_eq!(ask(&own, "http://169.254.169.254/latest"), Err(ErrorKind::Address));
        assert_eq!(ask(&own, "http://[::ffff:127.0.0.1]/"), Err(ErrorKind::Address));
        own.allow("10.0.0.1:8080").unwrap();
        assert_eq!(ask(&own, "http://10.0.0.1:8080/"), Ok(Trust::Named));
        assert_eq!(ask(&own, "http://10.0.0.1/"), Err(ErrorKind::Address));
        assert!(own.allow("http://a").is_err());
    }

    #[test]
    fn a_redirect_of_the_start_names_another_host_and_one_of_a_link_does_not() {
        let own = policy("https://example.com/a");
        let target = |uri| Url::read(uri).unwrap();
        let (link, start, other) =
            (target("https://example.com/b"), target("https://example.com/a"), target("https://www.example.com/a"));
        own.redirected(false, &link, &other).unwrap();
        assert_eq!(ask(&own, "https://www.example.com/a"), Err(ErrorKind::Host));
        own.redirected(true, &start, &other).unwrap();
        assert_eq!(ask(&own, "https://www.example.com/b"), Ok(Trust::Public));
        own.redirected(true, &start, &target("https://127.0.0.1/")).unwrap();
        assert_eq!(ask(&own, "https://127.0.0.1/"), Err(ErrorKind::Address));
        let down = own.redirected(true, &start, &target("http://example.com/a"));
        assert_eq!(down.unwrap_err().kind, ErrorKind::Downgrade);
    }

    #[test]
    fn the_policy_of_a_source_allows_its_host_and_those_to_which_it_led() {
        let mut all = Policy::default();
        all.allow("files.example").unwrap();
        let own = all.for_source("https://a.example/", &["www.a.example:443".to_owned()]).unwrap();
        for (uri, expected) in [
            ("https://a.example/x", Ok(Trust::Named)),
            ("https://www.a.example/x", Ok(Trust::Public)),
            ("http://www.a.example/x", Err(ErrorKind::Host)),
            ("https://files.example/x", Ok(Trust::Named)),
            ("https://b.example/x", Err(ErrorKind::Host)),
        ] {
            assert_eq!(ask(&own, uri), expected, "{uri}");
        }
        assert_eq!(own.led(), ["www.a.example:443"]);
        // A plan cannot make a private address, or another port, public.
        let own = all.for_source("https://a.example/", &["10.0.0.1:80".to_owned()]).unwrap();
        assert_eq!(ask(&own, "http://10.0.0.1/"), Err(ErrorKind::Address));
        assert!(all.for_source("https://a.example/", &["www.a.example:22".to_owned()]).is_err());
    }
}
