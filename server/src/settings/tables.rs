//! The tables of the settings that become options of the state machine.

use std::time::Duration;

use resourcesync_notify::{
    hub::{Allowed, AllowedError, Callbacks, Credential, LeaseBounds, Options, Publisher, Retention, Retries},
    payload::Channel,
    rules::{LONGEST_LEASE, SHORTEST_LEASE},
};

use super::{
    section::{Complaint, Section},
    values::{algorithm, bytes, duration, secret},
};

/// The keys of a publisher.
pub(super) const PUBLISHER: &[&str] = &["name", "token_sha256", "hmac"];

/// All options of the state machine.
pub(super) fn options(root: &Section<'_, '_>, public_uri: &str) -> Result<Options, Complaint> {
    let mut options = Options::new(public_uri).map_err(|error| (root.place("public_uri"), error.to_string()))?;
    options.moved_to = root.text("moved_to")?.map(str::to_owned);
    if let Some(algorithm) = root.parsed("signature", algorithm)? {
        options.signature = algorithm;
    }
    for host in root.sections("host", &["name", "signature"])? {
        let name = host.needed_text("name")?.to_owned();
        let algorithm = host.parsed("signature", algorithm)?.ok_or_else(|| host.missing("signature"))?;
        options.host_signatures.push((name, algorithm));
    }
    if let Some(lease) = root.section("lease", &["min", "default", "max"])? {
        options.lease = bounds(&lease, options.lease)?;
    }
    if let Some(retry) = root.section("retry", &["schedule", "give_up"])? {
        options.retries = retries(&retry, &options.retries)?;
    }
    if let Some(retention) = root.section("retention", &["age", "bytes"])? {
        options.retention = Retention {
            age: retention.parsed("age", duration)?.unwrap_or(options.retention.age),
            bytes: retention.parsed("bytes", bytes)?.unwrap_or(options.retention.bytes),
        };
    }
    addresses(root, "callbacks", &mut options.callbacks)?;
    addresses(root, "fetch", &mut options.fetches)?;
    publishers(root, &mut options)?;
    topics(root, &mut options)?;
    Ok(options)
}

/// Where requests may be sent to.
fn addresses(root: &Section<'_, '_>, name: &'static str, own: &mut Callbacks) -> Result<(), Complaint> {
    let Some(section) = root.section(name, &["ports", "allow"])? else { return Ok(()) };
    if let Some(ports) = section.numbers("ports")? {
        let port = |(at, port): (usize, u64)| match u16::try_from(port) {
            Ok(port) if port > 0 => Ok(port),
            _ => Err((at, format!("{port} is not a port"))),
        };
        own.ports = ports.into_iter().map(port).collect::<Result<_, _>>()?;
    }
    for (at, text) in section.texts("allow")?.unwrap_or_default() {
        let allowed = text.parse().map_err(|error: AllowedError| (at, error.to_string()))?;
        if matches!(&allowed, Allowed::Host(host) if host.port == 0) {
            return Err((at, "0 is not a port".to_owned()));
        }
        own.allow.push(allowed);
    }
    Ok(())
}

fn bounds(lease: &Section<'_, '_>, own: LeaseBounds) -> Result<LeaseBounds, Complaint> {
    let bounds = LeaseBounds {
        min: lease.parsed("min", duration)?.unwrap_or(own.min),
        default: lease.parsed("default", duration)?.unwrap_or(own.default),
        max: lease.parsed("max", duration)?.unwrap_or(own.max),
    };
    if bounds.min < SHORTEST_LEASE || bounds.max > LONGEST_LEASE {
        return Err((lease.at, "leases are between 300s and 31d".to_owned()));
    }
    if bounds.min > bounds.default || bounds.default > bounds.max {
        return Err((lease.at, "`default` must be between `min` and `max`".to_owned()));
    }
    Ok(bounds)
}

fn retries(retry: &Section<'_, '_>, own: &Retries) -> Result<Retries, Complaint> {
    let schedule = match retry.texts("schedule")? {
        Some(steps) => {
            let step = |(at, text): (usize, &str)| duration(text).map_err(|problem| (at, problem));
            steps.into_iter().map(step).collect::<Result<Vec<_>, _>>()?
        }
        None => own.schedule.clone(),
    };
    if schedule.is_empty() || schedule.iter().any(Duration::is_zero) {
        return Err((retry.at, "`schedule` needs waits of at least one second".to_owned()));
    }
    Ok(Retries { schedule, give_up: retry.parsed("give_up", duration)?.unwrap_or(own.give_up) })
}

fn publishers(root: &Section<'_, '_>, options: &mut Options) -> Result<(), Complaint> {
    for publisher in root.sections("publisher", PUBLISHER)? {
        let name = publisher.needed_text("name")?.to_owned();
        let credential = match (publisher.text("token_sha256")?, publisher.parsed("hmac", secret)?) {
            (Some(digest), None) if digest.len() == 64 && digest.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
                Credential::TokenSha256(digest.to_ascii_lowercase())
            }
            (Some(_), None) => {
                let problem = "`token_sha256` has 64 hexadecimal digits; `resourcesync hub token` prints it";
                return Err((publisher.place("token_sha256"), problem.to_owned()));
            }
            (None, Some(secret)) => Credential::Hmac(secret),
            _ => return Err((publisher.at, "a publisher has either `token_sha256` or `hmac`".to_owned())),
        };
        if options.publishers.iter().any(|own| own.name == name) {
            return Err((publisher.place("name"), format!("there are two publishers `{name}`")));
        }
        options.publishers.push(Publisher { name, credential });
    }
    Ok(())
}

fn topics(root: &Section<'_, '_>, options: &mut Options) -> Result<(), Complaint> {
    for topic in root.sections("topic", &["uri", "kind", "publishers", "serve", "accept_invalid", "thin", "proof"])? {
        let kind = topic.parsed("kind", |text| {
            Channel::find(text)
                .ok_or_else(|| format!("`{text}` is neither change-notification nor framework-notification"))
        })?;
        let mut names = Vec::new();
        for (at, name) in topic.texts("publishers")?.unwrap_or_default() {
            if options.publishers.iter().all(|publisher| publisher.name != name) {
                return Err((at, format!("there is no publisher `{name}`")));
            }
            names.push(name.to_owned());
        }
        let (thin, proof) = (topic.truth("thin")?.unwrap_or(false), topic.truth("proof")?.unwrap_or(false));
        if names.is_empty() && !thin {
            return Err((topic.at, "a topic needs `publishers`, who may send its payloads".to_owned()));
        }
        let (serve, accept_invalid) = (topic.truth("serve")?, topic.truth("accept_invalid")?);
        if serve == Some(true) && (thin || proof) {
            return Err((topic.at, "a topic with `thin` or `proof` is served by its Source".to_owned()));
        }
        let uri = topic.needed_text("uri")?;
        options
            .add_topic(
                uri,
                kind.ok_or_else(|| topic.missing("kind"))?,
                names,
                serve.unwrap_or(false),
                accept_invalid.unwrap_or(false),
            )
            .map_err(|error| (topic.place("uri"), error.to_string()))?;
        if let Some(own) = options.topic_mut(uri) {
            (own.thin, own.proof) = (thin, proof);
        }
    }
    Ok(())
}
