//! Combines the HTTP options of the command line and the configuration.

use std::{fs, sync::Arc};

use resourcesync_client::{
    Cancel,
    http::{Client, ClientOptions, Notice, Policy, Recordings},
    reason,
};

use resourcesync::{limits::Limits, report::Lang};

use super::credentials;
use crate::{
    arguments::{Http, Servers},
    error::{CliError, warn},
};

/// Maximum bytes of a file with certificates.
const CERTIFICATES: u64 = 16 << 20;

/// Creates a client for these URLs, and validates all HTTP options.
pub(crate) fn client(
    arguments: &Http,
    http: &super::Http,
    inflate_ratio: Option<u32>,
    urls: &[String],
    cancel: &Cancel,
) -> Result<Arc<Client>, CliError> {
    let ratio = inflate_ratio.unwrap_or(Limits::default().inflate_ratio);
    with(&arguments.servers, recordings(arguments, http.lang)?, http, ratio, urls, cancel)
}

/// Creates a client with open recordings and these limits.
pub(crate) fn with(
    arguments: &Servers,
    recordings: Recordings,
    settings: &super::Http,
    inflate_ratio: u32,
    urls: &[String],
    cancel: &Cancel,
) -> Result<Arc<Client>, CliError> {
    let mut policy = Policy::default();
    policy.limits = settings.limits.clone();
    for url in urls {
        policy.start(url).map_err(|error| CliError::new(error.to_string()))?;
    }
    for host in &arguments.allow_host {
        policy.allow(host).map_err(|why| format!("--allow-host: {why}"))?;
    }
    arguments.header.iter().try_for_each(|text| credentials::header(&mut policy.credentials, text))?;
    arguments.token.iter().try_for_each(|text| credentials::token(&mut policy.credentials, text))?;
    policy.from = header("--from", arguments.from.as_ref())?;
    policy.user_agent = header("--user-agent", arguments.user_agent.as_ref())?;
    policy.robots = arguments.robots;
    policy.adapts = settings.adapts;
    match arguments.proxy.as_deref() {
        Some("none") => {}
        Some(url) => policy.proxy(url).map_err(|error| format!("--proxy: {error}"))?,
        None => policy.proxy_of_environment().map_err(|error| error.to_string())?,
    }
    if let Some(path) = &arguments.ca_file {
        let shown = path.display();
        let failed = |error: &std::io::Error| format!("--ca-file: {shown} could not be read: {}", reason(error));
        if fs::metadata(path).map_err(|error| failed(&error))?.len() > CERTIFICATES {
            return Err(format!("--ca-file: {shown} is too long for a file with certificates").into());
        }
        policy.authorities = Some(fs::read(path).map_err(|error| failed(&error))?);
    }
    let options = ClientOptions {
        recordings,
        inflate_ratio,
        cancel: cancel.clone(),
        on_notice: {
            let lang = settings.lang;
            Arc::new(move |about| notice(about, lang))
        },
        ..ClientOptions::default()
    };
    // Creating it fails only for invalid certificates of --ca-file.
    let client = Client::new(policy, options).map_err(|problem| format!("--ca-file: {problem}"))?;
    Ok(Arc::new(client))
}

/// Options without effect for want of a URL are rejected rather than ignored.
pub(crate) fn without_urls(arguments: &Http) -> Result<(), CliError> {
    let Http { record, replay, resume, revalidate, .. } = arguments;
    let named = [("--record", record), ("--replay", replay), ("--resume", resume), ("--revalidate", revalidate)];
    match named.iter().find(|(_, path)| path.is_some()) {
        Some((option, _)) => Err(format!("{option} requires a URL").into()),
        None => Ok(()),
    }
}

fn recordings(arguments: &Http, lang: Lang) -> Result<Recordings, CliError> {
    let mut recordings = Recordings::default();
    let Http { record, replay, resume, revalidate, .. } = arguments;
    // Recordings to read are opened first, so that a file named twice is rejected before it is overwritten.
    if let Some(path) = revalidate {
        if record.as_ref() == Some(path) || resume.as_ref() == Some(path) {
            return Err("--revalidate and --record need different files".into());
        }
        recordings.revalidate(path).map_err(|error| format!("--revalidate: {error}"))?;
    }
    if let Some(path) = replay {
        recordings.replay(path).map_err(|error| format!("--replay: {error}"))?;
    }
    if let Some(path) = record {
        recordings.record(path).map_err(|error| format!("--record: {error}"))?;
    }
    if let Some(path) = resume
        && recordings.resume(path).map_err(|error| format!("--resume: {error}"))?
    {
        let path = path.display();
        let words = match lang {
            Lang::En => format!("the end of {path} is missing; what is complete before it is used"),
            Lang::Ja => format!("{path} は途中で切れているため、完全に残っている部分だけを使用します"),
        };
        warn(&words, lang);
    }
    Ok(recordings)
}

/// Prints the notices of the client.
fn notice(notice: &Notice, lang: Lang) {
    if let Notice::Moved { from, to } = notice {
        let words = match lang {
            Lang::En => format!("`{from}` has moved permanently to `{to}`"),
            Lang::Ja => format!("`{from}` は `{to}` に恒久的に移転しています"),
        };
        warn(&words, lang);
    }
}

/// Rejects text that is not valid in a header.
fn header(option: &str, text: Option<&String>) -> Result<Option<String>, CliError> {
    match text {
        Some(text) if text.is_empty() || !text.bytes().all(|byte| matches!(byte, 0x20..=0x7e)) => {
            Err(format!("{option}: `{text}` is not valid in a header").into())
        }
        text => Ok(text.cloned()),
    }
}
