//! Packages a folder or an inventory into a Resource Dump.

use std::path::PathBuf;

use resourcesync::{
    build::{Publication, PublishError, Settings},
    diagnostic::Severity,
    publish::{INVENTORY, about_uri, write_about},
    report::{Profile, Selection, Selector},
    value::{Datetime, Uri},
};

use super::{
    Error, OnEvent, Resources, Summary,
    bitstreams::Bitstreams,
    files::{Files, PLAIN},
    metadata::Metadata,
    moment::{Times, run_moment},
    packages::Packages,
    source::Source,
    update::{Gathered, Paths, gather},
};
use crate::{cancel::Cancel, folder::Generations};

/// The options of packaging.
#[derive(Debug, Clone)]
pub struct DumpOptions {
    /// The resources.
    pub resources: Resources,
    /// A new or empty folder.
    pub out: PathBuf,
    /// The URI at which the folder is published, if it is not the base of the resources.
    pub documents_uri: Option<Uri>,
    /// Maximum bitstreams of a package.
    pub max_package_entries: Option<u64>,
    /// Maximum bytes of the bitstreams of a package; a larger bitstream gets its own package.
    pub max_package_bytes: Option<u64>,
    /// The time of the run; now by default.
    pub at: Option<Datetime>,
    /// Findings that do not stop the run.
    pub ignore: Vec<Selector>,
    /// The lowest severity of findings that stops the run; less severe ones are in the summary.
    pub fail_on: Severity,
}

/// Writes a Resource Dump with its packages, its Capability List and its Source Description.
///
/// # Errors
///
/// If anything is invalid or cannot be read or written; the folder is then unchanged.
pub fn dump(options: &DumpOptions, cancel: &Cancel, event: OnEvent<'_>) -> Result<Summary, Error> {
    let documents = options.documents_uri.as_ref().unwrap_or(&options.resources.base_uri);
    let source = Source::new(&options.resources, documents, &[], cancel)?;
    source.check_output(&options.out)?;
    let generations = Generations::open(&options.out, 0)?;
    if generations.current().is_some() {
        return Err(format!("{} is a Source; use `build --dump`, or another --out", options.out.display()).into());
    }
    let now = run_moment(options.at.as_ref(), None, cancel, event)?;
    let next = generations.begin()?;
    let inventory = next.folder.join(INVENTORY);
    let places = Paths { old: None, work: &next.folder, own: generations.own() };
    let skip_unreadable = options.resources.skip_unreadable;
    let metadata = Metadata { source: &source, before: None, rehash: true, skip_unreadable, bitstreams: None };
    let Gathered { update, skipped, inventory: listed, .. } =
        gather(&metadata, places, &Times { before: None, now: &now }, source.workers, event)?;

    listed.finish()?;
    let mut settings = Settings::default();
    settings.options.selection = Selection::new(Profile::Standard, &[], &options.ignore, &[]);
    settings.options.fail_on = options.fail_on;
    settings.max_package_entries = options.max_package_entries.unwrap_or(settings.max_package_entries);
    settings.max_package_bytes = options.max_package_bytes.unwrap_or(settings.max_package_bytes);
    settings.describedby = Some(about_uri(documents));
    let mut files = Files::new(next.public());
    write_about(&mut files, documents, update.sets.keys().map(String::as_str), PLAIN, "")
        .map_err(PublishError::Store)?;
    let mut publication = Publication::new(files, documents.clone(), now.clone(), settings)?;
    let bitstreams = Bitstreams::new(&source, &next.folder)?;
    let mut packages = Packages::new(&source, &bitstreams, &inventory, skip_unreadable);
    for (set, resources) in &update.sets {
        publication.set(set, Some(about_uri(documents)))?;
        packages.resource_dump(&mut publication, set, *resources)?;
    }
    let published = publication.finish()?;
    let left_out = packages.warn(event);
    drop(bitstreams);
    next.release()?;
    Ok(Summary {
        at: now,
        resources: update.resources(),
        changes: update.counts,
        skipped: skipped.saturating_add(left_out),
        withdrawn: Vec::new(),
        written: published.written,
        kept: published.kept,
        accepted: published.accepted,
        events: None,
    })
}
