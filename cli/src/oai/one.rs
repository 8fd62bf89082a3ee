//! The harvest of one repository, into a store or as lines.

use std::{
    fs,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use resourcesync_client::{
    Cancel,
    http::Recordings,
    oai::{Config, Counts, Line, Pages, Run, Step, Storage, StoreOptions, drive},
};
use resourcesync_oai::{
    harvest::{Call, Harvest, MaxDelete, Moment, Plan, Proof},
    page::Piece,
};

use super::{session, session::Session};
use crate::{
    arguments::{Harvesting, OaiCommon, OaiHarvest},
    error::CliError,
    outputs::{Escaped, stdout},
};

/// Called after each step of a harvest.
pub(super) type OnStep<'t> = dyn FnMut(&Step, Moment) + 't;

/// A repository to harvest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Target {
    /// The base URL; of a store that is continued, that of its configuration.
    pub(super) url: String,
    pub(super) prefixes: Vec<String>,
    pub(super) sets: Vec<String>,
    pub(super) contact: Option<String>,
    /// The folder of its store.
    pub(super) folder: Option<PathBuf>,
    /// The store exists, and its configuration applies.
    pub(super) is_store: bool,
}

/// The result of a harvest.
pub(super) struct Outcome {
    pub(super) proof: Box<Proof>,
    pub(super) counts: Option<Counts>,
    /// The file of the proof.
    pub(super) path: Option<PathBuf>,
    /// Milliseconds until the next request to the host is due.
    pub(super) pause: u64,
}

/// The options of a harvest into a store.
#[derive(Clone, Copy)]
pub(super) struct Options<'a> {
    pub(super) common: &'a OaiCommon,
    pub(super) harvesting: &'a Harvesting,
    pub(super) store: Storage,
    pub(super) stored: StoreOptions,
    pub(super) max_records: Option<u64>,
}

impl<'a> From<&'a OaiHarvest> for Options<'a> {
    fn from(arguments: &'a OaiHarvest) -> Options<'a> {
        let OaiHarvest { common, harvesting, store, max_records, .. } = arguments;
        let stored = StoreOptions { tombstones: harvesting.tombstones, holds_incomplete: false };
        Options { common, harvesting, store: store.unwrap_or_default(), stored, max_records: *max_records }
    }
}

/// Harvests into a store, after a pause in milliseconds that the host still gets.
pub(super) fn into_store(
    options: Options<'_>,
    target: &Target,
    pause: u64,
    cancel: &Cancel,
    on_step: &mut OnStep<'_>,
) -> Result<Outcome, CliError> {
    let Some(folder) = &target.folder else { return Err("expected a folder for the store".into()) };
    let wanted = config(options, target);
    let mut run = Run::open(folder, (!target.is_store).then_some(&wanted), options.stored)?;
    let pages = pages(options.harvesting, folder)?;
    let session = Session::open(options.common, &target.url, target.contact.as_deref(), pages, cancel)?;
    let mut plan = plan(options, target);
    run.prepare(&mut plan)?;
    let clock = session.clock.as_ref();
    plan.not_before = Some(clock.now().plus_millis(pause));
    let mut harvest = run.harvest(plan, clock.now())?;
    let proof = drive(&session.client, &mut harvest, &mut run, clock, cancel, &mut |step| on_step(step, clock.now()))?;
    let (counts, path) = run.finish(&harvest, &proof)?;
    let pause = harvest.not_before(clock.now()).since(clock.now());
    Ok(Outcome { proof, counts: Some(counts), path: Some(path), pause })
}

/// Harvests to the standard output.
pub(super) fn as_lines(
    arguments: &OaiHarvest,
    target: &Target,
    cancel: &Cancel,
    on_step: &mut OnStep<'_>,
) -> Result<Outcome, CliError> {
    let session = Session::open(&arguments.common, &target.url, target.contact.as_deref(), None, cancel)?;
    let mut harvest = Harvest::new(plan(arguments.into(), target), session.clock.now());
    let mut out = BufWriter::with_capacity(1 << 18, stdout::open());
    let mut write = |call: &Call, piece: &Piece, transcoded: Option<&'static str>, out: &mut dyn Write| {
        let prefix = call.prefix.as_deref().unwrap_or("oai_dc");
        match piece {
            Piece::Record(record) => Line::record(record, prefix, transcoded).write(&mut Escaped(out)).map(|()| true),
            Piece::Damaged(damaged) => match &damaged.repaired {
                Some(repaired) => {
                    Line::record(&repaired.record, prefix, transcoded).write(&mut Escaped(out)).map(|()| true)
                }
                None => Ok(false),
            },
            _ => Ok(false),
        }
    };
    let mut sink = Pages::new(&mut out, arguments.max_records, &mut write);
    let clock = session.clock.as_ref();
    let proof = drive(&session.client, &mut harvest, &mut sink, clock, cancel, &mut |step| on_step(step, clock.now()))?;
    Ok(Outcome { proof, counts: None, path: None, pause: harvest.not_before(clock.now()).since(clock.now()) })
}

/// What is harvested into a new store.
fn config(options: Options<'_>, target: &Target) -> Config {
    let all_formats = is_all(&target.prefixes);
    Config {
        url: target.url.clone(),
        prefixes: if all_formats { Vec::new() } else { prefixes(target) },
        all_formats,
        sets: target.sets.clone(),
        store: options.store,
        since: options.harvesting.since.map(|since| since.to_string()),
        tombstones: options.harvesting.tombstones,
        contact: target.contact.clone(),
    }
}

fn is_all(prefixes: &[String]) -> bool {
    prefixes.iter().any(|prefix| prefix == "all")
}

fn prefixes(target: &Target) -> Vec<String> {
    if target.prefixes.is_empty() { vec!["oai_dc".to_owned()] } else { target.prefixes.clone() }
}

pub(super) fn plan(options: Options<'_>, target: &Target) -> Plan {
    let Options { common, harvesting, max_records, .. } = options;
    let mut plan = session::plan(common, &target.url);
    plan.all_formats = is_all(&target.prefixes);
    plan.prefixes = if plan.all_formats { Vec::new() } else { prefixes(target) };
    plan.sets.clone_from(&target.sets);
    plan.since = harvesting.since;
    plan.until = harvesting.until;
    plan.window = harvesting.window;
    plan.overlap = harvesting.overlap;
    plan.reconcile = harvesting.reconcile;
    plan.max_delete = harvesting.max_delete.unwrap_or(MaxDelete::Default);
    plan.tolerance = harvesting.tolerance;
    plan.repair = harvesting.repair;
    plan.allow_quarantine = harvesting.allow_quarantine;
    plan.max_records = max_records;
    plan.on_loop = harvesting.on_loop;
    plan
}

/// The recording for `--keep-pages`.
fn pages(harvesting: &Harvesting, folder: &Path) -> Result<Option<Recordings>, CliError> {
    if !harvesting.keep_pages {
        return Ok(None);
    }
    let place = folder.join("pages");
    let failed =
        |error: io::Error| CliError::new(format!("{}: {}", place.display(), resourcesync_client::reason(&error)));
    fs::create_dir_all(&place).map_err(failed)?;
    let mut number = 1;
    let path = loop {
        let path = place.join(format!("{number:06}.har"));
        if !path.exists() {
            break path;
        }
        number += 1;
    };
    let mut recordings = Recordings::default();
    recordings.record(&path).map_err(|error| format!("--keep-pages: {error}"))?;
    Ok(Some(recordings))
}
