//! How servers are asked: what the command line and the configuration say, put together.

use std::{fs, sync::Arc};

use resourcesync_client::Cancel;
use ureq::{Proxy, ProxyProtocol};

use super::Settings;
use crate::{
    arguments::Http,
    http::{Client, Policy, Recordings},
    trouble::{Trouble, reason},
};

/// Bytes of a file with certificates that are read.
const CERTIFICATES: u64 = 16 << 20;

/// A client for these URLs. Everything that can be refused is refused here.
pub(crate) fn client(
    arguments: &Http,
    settings: &Settings,
    urls: &[String],
    cancel: &Cancel,
) -> Result<Arc<Client>, Trouble> {
    let mut policy = Policy::default();
    policy.limits = settings.http.limits.clone();
    for url in urls {
        policy.start(url).map_err(|problem| Trouble::new(problem.words))?;
    }
    for host in &arguments.allow_host {
        policy.allow(host).map_err(|why| format!("--allow-host: {why}"))?;
    }
    arguments.header.iter().try_for_each(|text| policy.secrets.header(text))?;
    arguments.token.iter().try_for_each(|text| policy.secrets.token(text))?;
    policy.from = said("--from", arguments.from.as_ref().or(settings.http.from.as_ref()))?;
    policy.user_agent = said("--user-agent", arguments.user_agent.as_ref())?;
    policy.robots = arguments.robots || settings.http.robots;
    policy.proxy = proxy(arguments.proxy.as_deref())?;
    if let Some(path) = &arguments.ca_file {
        let shown = path.display();
        let failed = |error: &std::io::Error| format!("--ca-file: {shown} could not be read: {}", reason(error));
        if fs::metadata(path).map_err(|error| failed(&error))?.len() > CERTIFICATES {
            return Err(format!("--ca-file: {shown} is too long for a file with certificates").into());
        }
        policy.authorities = Some(fs::read(path).map_err(|error| failed(&error))?);
    }
    let client = Client::new(policy, recordings(arguments)?, settings.options.limits.inflate_ratio, cancel.clone());
    client.map(Arc::new).map_err(|problem| Trouble::new(problem.words))
}

/// What has no meaning without a URL is refused rather than passed over.
pub(crate) fn without_urls(arguments: &Http) -> Result<(), Trouble> {
    let Http { record, replay, resume, revalidate, .. } = arguments;
    let named = [("--record", record), ("--replay", replay), ("--resume", resume), ("--revalidate", revalidate)];
    match named.iter().find(|(_, path)| path.is_some()) {
        Some((option, _)) => Err(format!("{option} is about URLs, and none was named").into()),
        None => Ok(()),
    }
}

fn recordings(arguments: &Http) -> Result<Recordings, Trouble> {
    let mut recordings = Recordings::default();
    let Http { record, replay, resume, revalidate, .. } = arguments;
    // What is only read comes first: a file named twice is refused before it is written.
    if let Some(path) = revalidate {
        if record.as_ref() == Some(path) || resume.as_ref() == Some(path) {
            return Err("--revalidate reads its recording while the new one is written; name two files".into());
        }
        recordings.revalidate(path)?;
    }
    replay.as_deref().map_or(Ok(()), |path| recordings.replay(path))?;
    record.as_deref().map_or(Ok(()), |path| recordings.record(path))?;
    resume.as_deref().map_or(Ok(()), |path| recordings.resume(path))?;
    Ok(recordings)
}

/// What is said in a header has to fit into one.
fn said(option: &str, text: Option<&String>) -> Result<Option<String>, Trouble> {
    match text {
        Some(text) if text.is_empty() || !text.bytes().all(|byte| matches!(byte, 0x20..=0x7e)) => {
            Err(format!("{option}: `{text}` does not fit into a header").into())
        }
        text => Ok(text.cloned()),
    }
}

/// The proxy. What is wrong with it is said without repeating it: there may be a password in it.
fn proxy(url: Option<&str>) -> Result<Option<Proxy>, Trouble> {
    let proxy = match url {
        Some("none") => None,
        Some(url) => Some(Proxy::new(url).map_err(|_| "--proxy is written as http://HOST:PORT, or `none`")?),
        None => Proxy::try_from_env(),
    };
    match &proxy {
        Some(own) if !matches!(own.protocol(), ProxyProtocol::Http | ProxyProtocol::Https) => {
            Err("the proxy (--proxy, or the environment) is not an http or https one; no other is supported".into())
        }
        _ => Ok(proxy),
    }
}
