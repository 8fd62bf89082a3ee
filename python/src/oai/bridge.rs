//! Publishes a repository as a Source.

use std::path::Path;

use pyo3::{exceptions::PyInterruptedError, prelude::*};
use resourcesync_client::{
    oai::{
        Config, SystemClock,
        bridge::{BridgeError, BridgeOptions, Bridged, Harvested, Repository, bridge, harvest_and_bridge},
    },
    publish::{Collected, Event, Outcome},
};
use resourcesync_oai::bridge::Form;
use serde::Deserialize;
use serde_json::json;

use super::machine::{plan, proof_text};
use crate::{
    attended::attended,
    cancel::{Cancel, given},
    destination::{Servers, client, within},
    error::{misuse, publish_failed},
    folder::{ListedResource, failed, listed, options, send},
};

/// The options of a bridge.
#[derive(Deserialize)]
struct Wanted {
    #[serde(flatten)]
    listed: ListedResource,
    form: String,
    collections: bool,
    describes: Option<String>,
    publish_incomplete: bool,
    dump: bool,
    hash: Vec<String>,
    /// What is harvested; none for a store.
    config: Option<Config>,
    servers: Servers,
}

/// Publishes a repository or a store; returns the result as JSON.
#[pyfunction]
#[pyo3(signature = (target, wanted, harvest, seed, cancel=None))]
pub(crate) fn oai_bridge(
    py: Python<'_>,
    target: &str,
    wanted: &str,
    harvest: &str,
    seed: u64,
    cancel: Option<&Cancel>,
) -> PyResult<String> {
    let wanted: Wanted = serde_json::from_str(wanted).map_err(|error| misuse(error.to_string()))?;
    let Wanted { listed: own, form, collections, describes, publish_incomplete, dump, hash, mut config, servers } =
        wanted;
    let is_sent = own.notify;
    let credentials = own.credentials()?;
    let mut publication = options(own, Collected::default())?;
    publication.dump = dump;
    publication.lenient_times = true;
    let known = |name: &String| {
        let known = resourcesync::value::Algorithm::KNOWN.into_iter().find(|known| known.as_str() == name);
        known.ok_or_else(|| misuse(format!("hash: `{name}` is not md5, sha-1, sha-256, sha-384 or sha-512")))
    };
    publication.resources.hash = hash.iter().map(known).collect::<PyResult<_>>()?;
    let form = Form::find(&form).ok_or_else(|| misuse(format!("form: `{form}` is not files, dump or pointers")))?;
    let describes = describes.map(|name| name.parse().map_err(|why| misuse(format!("describes: {why}"))));
    let options = BridgeOptions {
        form,
        collections,
        describes: describes.transpose()?,
        publish_incomplete,
        snapshot: None,
        publication,
    };
    if let Some(config) = &mut config {
        config.store = options.storage();
    }
    let cancel = given(cancel);
    let client = match &config {
        Some(_) => {
            let mut limits = resourcesync_client::http::Limits::default();
            limits.http_requests_per_second = 0;
            let ratio = resourcesync::limits::Limits::default().inflate_ratio;
            Some(client(target, servers, limits, true, within(ratio, &cancel))?)
        }
        None => None,
    };
    let plan = config.as_ref().map(|_| plan(target, harvest, seed)).transpose()?;
    let (stop, mut warnings, mut changes) = (cancel.clone(), Vec::new(), Vec::new());
    let done = attended(py, &stop, [None, None], |_| {
        let mut event = |event: Event<'_>| match event {
            Event::Warning(warning) => warnings.push(warning.to_string()),
            Event::Unreadable(words) => warnings.push(words.to_owned()),
            Event::Listed(change) => changes.push(listed(change)),
            _ => {}
        };
        match (&config, &client, plan) {
            (Some(config), Some(client), Some(plan)) => {
                let repository = Repository { config, plan, client, clock: &SystemClock };
                harvest_and_bridge(repository, &options, &cancel, &mut |_| {}, &mut event)
                    .map(|Harvested { proof, bridged, .. }| (Some(proof), bridged))
            }
            _ => bridge(Path::new(target), &options, &cancel, &mut event).map(|bridged| (None, bridged)),
        }
    })?;
    let (proof, bridged) = done.map_err(|error| match error {
        BridgeError::Publish(error) => failed(&error),
        error => publish_failed("harvest_error", &error.to_string()),
    })?;
    let out = &options.publication.out;
    let waiting = match (&options.publication.channels, &bridged) {
        (Some(_), Bridged::Done(_)) => {
            let how = (is_sent, options.publication.wait, credentials);
            py.detach(|| send(out, how, &cancel, &mut warnings))?
        }
        _ => 0,
    };
    let proof = proof.as_deref().map(proof_text).transpose()?;
    let mut result = json!({
        "at": null, "changed": false, "resources": 0, "counts": {}, "changes": changes, "written": [], "kept": [], "withdrawn": [],
        "waiting": waiting, "warnings": warnings, "accepted": resourcesync::build::Accepted::default(), "withheld": null,
        "proof": proof,
    });
    match bridged {
        Bridged::Done(outcome) => match *outcome {
            Outcome::Published(done) => {
                result["at"] = json!(done.at.to_string());
                result["changed"] = json!(true);
                result["resources"] = json!(done.resources);
                result["counts"] = json!(done.changes);
                result["written"] = json!(done.written);
                result["kept"] = json!(done.kept);
                result["withdrawn"] = json!(done.withdrawn);
                result["accepted"] = json!(done.accepted);
            }
            Outcome::Unchanged { since, resources, .. } => {
                result["at"] = json!(since.to_string());
                result["resources"] = json!(resources);
            }
            _ => return Err(PyInterruptedError::new_err("publishing was cancelled; the folder is unchanged")),
        },
        Bridged::Withheld(status) => result["withheld"] = json!(status.map_or("none", |status| status.as_str())),
        _ => {}
    }
    Ok(result.to_string())
}
