//! A bridge of one repository, or of a store.

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use resourcesync_client::oai::{
    Config,
    bridge::{BridgeOptions, harvest_folder, is_unpublished},
};
use resourcesync_oai::harvest::Moment;

use super::publishing::{Publishing, failed, harvest_of, is_quiet, lang};
use crate::{
    arguments::{OaiBridge, Plain},
    error::CliError,
    oai::{
        one::{self, Target, into_store},
        progress::Progress,
        session, summary,
    },
    status,
};

/// The runs of a bridge.
pub(super) struct Bridging<'a> {
    publishing: &'a Publishing<'a>,
    options: BridgeOptions,
    /// The store.
    store: PathBuf,
    /// The repository; `None` for a store that is not harvested.
    target: Option<Target>,
}

impl<'a> Bridging<'a> {
    pub(super) fn new(publishing: &'a Publishing<'a>) -> Result<Bridging<'a>, CliError> {
        let arguments = publishing.arguments;
        let options = arguments.options();
        options.check().map_err(failed)?;
        let Some(named) = &arguments.target else { return Err("expected a URL, a folder or --repositories".into()) };
        let (store, target) = match session::is_url(named) {
            true => {
                let store = harvest_folder(&arguments.out)?;
                let target = Target {
                    url: named.clone(),
                    prefixes: arguments.harvesting.prefix.clone(),
                    sets: arguments.harvesting.set.clone(),
                    contact: arguments.common.servers.from.clone(),
                    folder: Some(store.clone()),
                    is_store: false,
                };
                (store, Some(target))
            }
            false if Config::read(Path::new(named))?.is_some() => {
                let is_harvested = !arguments.harvesting.prefix.is_empty() || !arguments.harvesting.set.is_empty();
                if is_harvested || arguments.watch.is_some() {
                    return Err("--prefix, --set and --watch require the URL of a repository".into());
                }
                (PathBuf::from(named), None)
            }
            false => {
                return Err(format!("{named} is neither an http or https URL nor the folder of a store").into());
            }
        };
        // The options of hubs are validated before anything is requested.
        publishing.hubs(&arguments.out)?;
        Ok(Bridging { publishing, options, store, target })
    }

    /// One run: its status, and how long the repository wants to be left alone.
    pub(super) fn once(&self) -> Result<(i32, Duration), CliError> {
        let Publishing { arguments, interrupt, .. } = self.publishing;
        let publish = |harvest, is_silent| self.publishing.publish(&self.store, &self.options, harvest, is_silent);
        let Some(target) = &self.target else { return Ok((publish(None, false)?, Duration::ZERO)) };
        // A run that was killed between its harvest and its publication.
        if is_unpublished(&self.store, &self.options).map_err(failed)? {
            let status = publish(None, arguments.format == Plain::Json)?;
            if status != status::VALID {
                return Ok((status, Duration::ZERO));
            }
        }
        let OaiBridge { common, harvesting, .. } = arguments;
        let (store, stored) = (self.options.storage(), self.options.store_options(harvesting.tombstones));
        let options = one::Options { common, harvesting, store, stored, max_records: None };
        let mut progress = Progress::new(common);
        let mut on_step = |step: &_, now: Moment| progress.show(step, now);
        let outcome = into_store(options, target, 0, interrupt.cancel(), &mut on_step);
        progress.end();
        let outcome = outcome?;
        let one::Outcome { proof, counts, path, pause } = &outcome;
        let lang = lang(arguments);
        summary::name_limit(proof, interrupt.cancel(), lang);
        if arguments.format == Plain::Text && !is_quiet(arguments) {
            summary::explain(proof, lang);
            summary::write(proof, counts.as_ref(), path.as_deref(), lang);
        }
        let harvested = summary::exit(proof, harvesting.fail_on);
        let published = publish(Some(harvest_of(target, &outcome, lang)?), false)?;
        Ok((status::worse(harvested, published), Duration::from_millis(*pause)))
    }
}
