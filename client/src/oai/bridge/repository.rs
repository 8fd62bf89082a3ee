//! Harvests a repository and publishes it in one call.

use resourcesync_oai::harvest::{Plan, Proof};

use super::{BridgeError, BridgeOptions, Bridged, bridge, harvest_folder, is_unpublished};
use crate::{
    cancel::Cancel,
    http::Client,
    oai::{Clock, Config, Counts, Run, Step, drive},
    publish::OnEvent,
};

/// A repository, and how it is harvested.
pub struct Repository<'a> {
    /// What is harvested.
    pub config: &'a Config,
    /// The plan of the harvest.
    pub plan: Plan,
    /// The client for its host.
    pub client: &'a Client,
    /// The clock.
    pub clock: &'a dyn Clock,
}

/// A harvest, and what became of its records.
#[derive(Debug)]
pub struct Harvested {
    /// Whether the harvest is complete.
    pub proof: Box<Proof>,
    /// The changes of the store.
    pub counts: Counts,
    /// What was published.
    pub bridged: Bridged,
}

/// Harvests a repository into the folder next to the published one, and publishes its records. What a killed run harvested and did not
/// publish is published first.
///
/// # Errors
///
/// If the store or the published folder cannot be used. What was harvested stays, and is published by the next run.
pub fn harvest_and_bridge(
    repository: Repository<'_>,
    options: &BridgeOptions,
    cancel: &Cancel,
    on_step: &mut dyn FnMut(&Step),
    event: OnEvent<'_>,
) -> Result<Harvested, BridgeError> {
    let Repository { config, mut plan, client, clock } = repository;
    options.check()?;
    let store = harvest_folder(&options.publication.out)?;
    if is_unpublished(&store, options)? {
        bridge(&store, options, cancel, event)?;
    }
    let mut run = Run::open(&store, Some(config), options.store_options(config.tombstones))?;
    run.prepare(&mut plan)?;
    let mut harvest = run.harvest(plan, clock.now())?;
    let proof = drive(client, &mut harvest, &mut run, clock, cancel, on_step)?;
    let (counts, _) = run.finish(&harvest, &proof)?;
    let bridged = bridge(&store, options, cancel, event)?;
    Ok(Harvested { proof, counts, bridged })
}
