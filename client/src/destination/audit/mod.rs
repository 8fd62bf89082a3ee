//! Compares a copy with its Source, or with what was verified when its files were stored. Nothing is changed.
//!
//! | file | what it does |
//! | --- | --- |
//! | `files` | the files, on all processors |
//! | `listed` | the lists of the Source, compared with the ledger |
//! | `since` | the changes since the lists |
//! | `originals` | the originals that `via` links name |
//! | `settle` | resources that have to be hashed or fetched to be compared |
//! | `foreign` | files that are not of the copy |
//! | `outcome` | the result |

mod files;
mod foreign;
mod listed;
mod originals;
mod outcome;
mod settle;
mod since;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use cap_std::{ambient_authority, fs::Dir};
use resourcesync::limits::Limits;
use resourcesync_sync::{
    ListedResource, Places, Survey,
    audit::{Relation, Sign},
    bits::Bits,
    chain::FollowedSets,
    ledger::{Changes, Retries},
    related::Related,
    report::Seen,
    selection::{Selection, Selector},
    survey::{Findings, Remembered},
};

pub use self::outcome::{Audit, AuditCounts, AuditHead, AuditOutcome, Compared, Difference};
use super::{
    SyncError,
    binding::Binding,
    clock::seconds,
    folder::Keep,
    handover,
    ledger::Ledger,
    open::{check_is_copy, state_of, suspect},
    options::Progress,
};
use crate::{cancel::Cancel, http::Client};

/// How often the lists are read because they changed meanwhile.
const READINGS: u32 = 3;

/// The options of an audit.
#[derive(Debug, Clone)]
pub struct AuditOptions {
    /// Where the ledger is, if not in the folder of the copy.
    pub state: Option<PathBuf>,
    /// Where the bytes are.
    pub keep: Keep,
    /// Compare sizes and times, and read no file.
    pub quick: bool,
    /// Fetch resources of which nothing is listed to compare them by.
    pub download: bool,
    /// Fetch the originals that `via` links name, and compare the copy with them, too.
    pub via: bool,
    /// Which of the listed resources are compared.
    pub selection: Selection,
    /// Maximum differences in the report.
    pub max_listed: usize,
    /// Name the files that are not of the copy.
    pub names_foreign: bool,
    /// Limits of documents.
    pub limits: Limits,
}

impl Default for AuditOptions {
    fn default() -> AuditOptions {
        AuditOptions {
            state: None,
            keep: Keep::Folder,
            quick: false,
            download: false,
            via: false,
            selection: Selection::default(),
            max_listed: 1_000,
            names_foreign: false,
            limits: Limits::default(),
        }
    }
}

/// Compares the files of a copy with its ledger, without any network. `state` is where that is, if not in the folder; `quick` compares size and time,
/// and reads no file.
///
/// # Errors
///
/// If the folder is not a copy, or its state cannot be read.
pub fn audit(folder: &Path, state: Option<&Path>, quick: bool, cancel: &Cancel) -> Result<Audit, SyncError> {
    let state = state.map(Path::to_path_buf);
    let options = AuditOptions { state, quick, max_listed: usize::MAX, ..AuditOptions::default() };
    audit_with(folder, None, &options, cancel, &mut |_| {})
}

/// Compares a copy with its Source, or with its ledger alone if there is no client.
///
/// # Errors
///
/// If the folder is not a copy, or its state cannot be read.
pub fn audit_with(
    folder: &Path,
    client: Option<&Arc<Client>>,
    options: &AuditOptions,
    cancel: &Cancel,
    on_progress: &mut dyn FnMut(Progress),
) -> Result<Audit, SyncError> {
    check_is_copy(folder)?;
    let ledger = Ledger::read(&state_of(folder, options.state.as_deref()))?.ok_or(SyncError::NotACopy)?;
    let binding = Binding::bound(&ledger)?.ok_or(SyncError::NotACopy)?;
    ledger.check_keep(&options.keep)?;
    handover::check(&ledger, &options.keep)?;
    let root = Dir::open_ambient_dir(folder, ambient_authority())?;
    let places = binding.places();
    let selector = Selector::new(&options.selection);
    let mut audit = Audit::new(&binding.source, client.is_some());
    audit.compared.originals = options.via.then_some(0);
    let (run, related) = (ledger.last_run()?, ledger.related()?);
    let mut work = Work {
        ledger,
        run,
        root,
        binding,
        places,
        selector,
        related,
        options,
        cancel,
        on_progress,
        listed: Listed::default(),
        audit,
    };
    work.compare_files()?;
    match client {
        Some(client) => work.compare_lists(client)?,
        None => work.combine(None)?,
    }
    work.count_foreign()?;
    Ok(work.audit.finish(cancel.is_cancelled()))
}

/// The result of an audit that was not possible, since the state of the copy cannot be used ([`SyncError::State`]).
pub fn undetermined(source: &str, online: bool, why: &str) -> Audit {
    Audit::new(source, online).without_state(why)
}

/// Lets the next run fetch the resources whose files are damaged, although size and time are as recorded.
///
/// # Errors
///
/// If another run is at work on the copy, or its state cannot be written.
pub fn fetch_again(folder: &Path, state: Option<&Path>, audit: &Audit) -> Result<(), SyncError> {
    let damaged = audit.compared.differences.iter().filter(|difference| difference.sign == Sign::Damaged);
    suspect(folder, state, damaged.map(|difference| &*difference.uri))
}

/// What is listed, by the numbers of stored resources.
#[derive(Debug, Default)]
struct Listed {
    stored: Bits,
    /// Those that are selected as some entry lists them.
    selected: Bits,
    /// Those that no entry lists so that they are selected.
    skipped: Bits,
    /// How many others are listed and not selected.
    skipped_others: u64,
}

/// An audit at work.
struct Work<'a> {
    ledger: Ledger,
    /// The last run before the audit.
    run: u64,
    root: Dir,
    binding: Binding,
    places: Places,
    selector: Selector,
    /// Which linked resources the copy has.
    related: Related,
    options: &'a AuditOptions,
    cancel: &'a Cancel,
    on_progress: &'a mut dyn FnMut(Progress),
    listed: Listed,
    audit: Audit,
}

impl Work<'_> {
    /// Reads the lists and the changes since, and compares; again while there are differences that may be changes of this moment.
    fn compare_lists(&mut self, client: &Arc<Client>) -> Result<(), SyncError> {
        let before = self.ledger.remembered()?;
        let mut found = self.read(client, before, false)?;
        let mut earlier = None;
        for _ in 0..READINGS {
            let followed = self.follow(client, &found)?;
            self.relate_linked(client)?;
            self.settle(client)?;
            self.compare_originals(client)?;
            self.combine(Some((&found, followed.as_ref())))?;
            let is_same_as_before = earlier.as_ref() == Some(&self.audit.compared.differences);
            if self.cancel.is_cancelled()
                || !found.lists_complete
                || !self.audit.differs_from_source()
                || is_same_as_before
            {
                break;
            }
            let again = self.read(client, found.remembered.clone(), true)?;
            if self.cancel.is_cancelled() || (again.is_unchanged && followed.is_none()) {
                break;
            }
            earlier = Some(self.audit.compared.differences.clone());
            if !again.is_unchanged {
                found = again;
            }
        }
        Ok(())
    }

    fn read(&mut self, client: &Arc<Client>, before: Remembered, polls: bool) -> Result<Findings, SyncError> {
        let survey = Survey::new(&self.binding.source, before, polls, seconds(), &self.options.limits)
            .selecting(&self.binding.sets)
            .having_reached(&self.ledger.checkpoints()?);
        self.list(client, survey)
    }

    /// Combines files and lists.
    fn combine(&mut self, found: Option<(&Findings, Option<&FollowedSets>)>) -> Result<(), SyncError> {
        self.audit.clear(found);
        let (is_whole, is_newest) = (self.audit.is_whole, self.audit.is_newest);
        let mut compared = std::mem::take(&mut self.audit.compared);
        let mut skipped = self.listed.skipped_others;
        let (ledger, listed, most) = (&self.ledger, &self.listed.stored, self.options.max_listed);
        let files = self.files();
        let debts = ledger.retries()?;
        let is_debt = |uri: &str| debts.binary_search_by(|debt| (*debt.uri).cmp(uri)).is_ok();
        ledger.each_sorted(&mut |stored, recorded_in| {
            if self.cancel.is_cancelled() {
                return Ok(());
            }
            // What is not selected is compared with nothing.
            if self.listed.skipped.contains(stored.id) || !self.selector.selects_uri(&stored.listed()) {
                skipped = skipped.saturating_add(1);
                return Ok(());
            }
            let listing = if found.is_some() { ledger.listed(&stored.uri)? } else { None };
            let relation = listing.as_ref().map_or(Relation::Same, |(relation, _)| *relation);
            let local = files.local(ledger, &stored, recorded_in)?;
            let sign = match (local.sign, relation) {
                _ if found.is_some() && is_whole && !listed.contains(stored.id) => Sign::Extra,
                (Sign::Equal, Relation::Other) if is_newest => Sign::Behind,
                (Sign::Equal, Relation::Nothing) if is_debt(&stored.uri) => Sign::Debt,
                (Sign::Equal, Relation::Other) => Sign::Unverifiable,
                (Sign::Equal, Relation::Nothing | Relation::Hash) => Sign::Unverifiable,
                (sign, _) => sign,
            };
            let original = if found.is_some() { ledger.original(&stored.uri)? } else { None };
            let (sign, cause) = match (sign, original) {
                (Sign::Equal, Some((sign, cause))) => {
                    let is_compared = sign != Sign::Unverifiable;
                    compared.originals = compared.originals.map(|number| number.saturating_add(is_compared.into()));
                    (sign, cause)
                }
                (sign, _) => (sign, local.cause),
            };
            compared.add(sign, most, || {
                let mut difference = Difference::new(stored.uri.clone(), Some(files.place_of(&stored)), sign);
                difference.cause = cause;
                if let Some((_, resource)) = listing.filter(|_| sign == Sign::Behind) {
                    difference.expected = seen(&resource);
                    difference.actual = Some(Seen { hash: stored.state.hash, length: Some(stored.state.size) });
                }
                difference
            });
            Ok(())
        })?;
        compared.counts.skipped = skipped;
        self.audit.compared = compared;
        self.not_held(found.is_some())
    }

    /// Listed resources that are not stored.
    fn not_held(&mut self, is_listed: bool) -> Result<(), SyncError> {
        let debts = self.ledger.retries()?;
        let is_debt = |uri: &str| debts.binary_search_by(|debt| (*debt.uri).cmp(uri)).is_ok();
        if is_listed {
            let (audit, most) = (&mut self.audit, self.options.max_listed);
            self.ledger.each_unstored(&mut |relation, resource| {
                let sign = match relation {
                    _ if is_debt(&resource.uri) => Sign::Debt,
                    Relation::Other if audit.is_newest => Sign::Missing,
                    _ => Sign::Unverifiable,
                };
                let expected = seen(&resource);
                audit.compared.add(sign, most, || Difference { expected, ..Difference::new(resource.uri, None, sign) });
            })?;
        } else {
            for resource in debts.iter().filter(|resource| self.selector.selects_uri(resource)) {
                self.audit.compared.add(Sign::Debt, self.options.max_listed, || {
                    let expected = seen(resource);
                    Difference { expected, ..Difference::new(resource.uri.clone(), None, Sign::Debt) }
                });
            }
        }
        self.audit.compared.differences.sort_by(|one, other| one.uri.cmp(&other.uri));
        Ok(())
    }
}

fn seen(resource: &ListedResource) -> Option<Seen> {
    let seen = Seen { hash: resource.hash.clone(), length: resource.length };
    (seen != Seen::default()).then_some(seen)
}
