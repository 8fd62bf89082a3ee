//! Whether packages of dumps supply what is planned, and which member is which resource.
//!
//! Resource Dumps are considered after a comparison with lists, then Change Dumps for the changes since a moment.

use alloc::{boxed::Box, collections::VecDeque, string::String, vec::Vec};
use core::mem;

use resourcesync::{
    api::{MemberResource, Outcome},
    diagnostic::{Reason, ReasonCode},
    value::{Datetime, key},
};

use super::{
    files::{Files, Occupant},
    settings::{MirrorChoice, Now},
    state::{After, Destination, Phase, Transfers},
    supply::Stage,
    task::{Placed, Task, Transferred},
};
use crate::{
    chain::FollowedSets,
    dumps::Dumps,
    ledger::Ledger,
    listed_resource::moment,
    origin::{Cost, Rates},
    package::{Package, fault_of},
    report::{DocumentStatus, ItemCode, PackagePlan},
    survey::{AHEAD, Findings},
    transfer::Failure,
};

/// Resources that are missing elsewhere and looked for in packages.
const AWAITED: usize = 10_000;

impl Destination {
    /// Learns what servers respond per second.
    pub fn measured(&mut self, rates: Rates) {
        self.supply.rates = rates;
    }

    /// Decides what comes before the transfers: if a package could pay, the next dumps are read.
    pub(super) fn before_transfers(&mut self, transfers: Transfers, requests: u64) -> Phase {
        let single = Cost { requests, bytes: transfers.bytes };
        loop {
            // Packages are at the Source.
            let is_used = self.settings.fetching.mirrors != MirrorChoice::Only || self.supply.is_forced;
            let stage = if is_used { self.supply.stage } else { Stage::None };
            self.supply.stage = match stage {
                Stage::ResourceDumps => Stage::ChangeDumps,
                Stage::ChangeDumps | Stage::None => Stage::None,
            };
            let dumps = match stage {
                Stage::ResourceDumps => resource_dumps(&transfers, self.supply.is_forced),
                Stage::ChangeDumps => change_dumps(&transfers),
                Stage::None => return Phase::Transferring(transfers),
            };
            let least = Cost { requests: (dumps.len() as u64).saturating_add(1), bytes: 0 };
            let is_worth_it = self.supply.is_forced || least.is_well_below(single, self.supply.rates);
            if !dumps.is_empty() && requests > 0 && is_worth_it {
                return Phase::ReadingDumps(Box::new(Dumps::new(&dumps, &self.settings.reading.limits)), transfers);
            }
        }
    }

    /// Decides whether the packages of the dumps are used.
    pub(super) fn choose_packages<L: Ledger>(
        &mut self,
        dumps: Dumps,
        is_late: bool,
        transfers: Transfers,
        ledger: &L,
    ) -> Result<Phase, L::Error> {
        self.note_end(is_late);
        let offered = dumps.finish();
        self.record.note_read(&offered.documents);
        for (uri, reason) in &offered.unread {
            self.record.find("SYN-21", [("uri", uri.as_str().into()), ("reason", reason.clone().into())]);
        }
        // What a package costs is known only with its length.
        let is_forced = self.supply.is_forced;
        let is_known = |package: &Package| package.resource.length.is_some() || is_forced;
        let mut packages: VecDeque<Package> = offered.packages.into_iter().filter(is_known).collect();
        if let Some(since) = self.since(&transfers) {
            packages.retain(|package| !package.is_before(&since));
        }
        let reach = reach(&transfers);
        let now = self.now.seconds;
        packages.iter_mut().for_each(|package| {
            package.at = package.at.take().filter(|at| reach.as_ref().is_some_and(|reach| reach.is_before(at, now)));
        });
        let lengths = packages.iter().filter_map(|package| package.resource.length);
        let cost = Cost { requests: packages.len() as u64, bytes: lengths.fold(0, u64::saturating_add) };
        let (requests, bytes) = ledger.planned()?;
        let (single, rates) = (Cost { requests, bytes }, self.supply.rates);
        let chosen = !packages.is_empty() && (self.supply.is_forced || cost.is_well_below(single, rates));
        self.supply.has_unpacked |= chosen && self.supply.stage == Stage::ChangeDumps;
        let choice = PackagePlan {
            chosen,
            packages: cost.requests,
            bytes: cost.bytes,
            requests_per_second: rates.requests,
            bytes_per_second: rates.bytes,
            milliseconds: cost.milliseconds(rates),
            milliseconds_without: single.milliseconds(rates),
            supplied: 0,
            failed: 0,
        };
        if let Some(plan) = &mut self.record.report.plan {
            plan.packages = Some(plan.packages.map_or(choice, |before| before.and(choice)));
        }
        if !chosen {
            return Ok(self.before_transfers(transfers, requests));
        }
        if self.settings.dry_run {
            return Ok(Phase::Transferring(transfers));
        }
        self.supply.left = packages;
        Ok(Phase::Unpacking(cost.bytes, transfers))
    }

    /// Decides what comes after the packages: what they did not supply is requested.
    pub(super) fn unpacked<L: Ledger>(&mut self, transfers: Transfers, ledger: &L) -> Result<Phase, L::Error> {
        self.supply.left = VecDeque::new();
        let (requests, bytes) = ledger.planned()?;
        Ok(self.before_transfers(Transfers { bytes, ..transfers }, requests))
    }

    /// Notes where a run begins its transfers whether packages may be the only place of what is planned.
    pub(super) fn note_places(&mut self, after: &After, followed: Option<&FollowedSets>) {
        let has_only_dumps = |found: &Findings| found.sets.iter().any(|set| set.has_only_dumps);
        let is_listed = matches!(after, After::Lists(found) if has_only_dumps(found));
        let mut checkpoints = followed.into_iter().flat_map(|followed| &followed.checkpoints);
        let is_followed = checkpoints.any(|own| !own.dumps.is_empty() && own.dumps == own.sources);
        self.supply.is_last_place = is_listed || is_followed;
    }

    /// Keeps a resource that is missing elsewhere until packages were read for it; gives it back if that is over.
    pub(super) fn await_packages(&mut self, task: Task, transferred: Transferred) -> Option<(Task, Transferred)> {
        let is_missing = matches!(&transferred, Transferred::Failed(failure) if failure.code == ItemCode::Missing);
        if !is_missing || !self.supply.is_last_place || self.supply.missing.len() >= AWAITED {
            return Some((task, transferred));
        }
        self.supply.missing.push((task, transferred));
        None
    }

    /// Has packages read for resources that are missing elsewhere; gives back the transfers if there are none, or if the run ends early.
    pub(super) fn look_into_packages<L: Ledger>(
        &mut self,
        transfers: Transfers,
        ledger: &mut L,
    ) -> Result<Result<Phase, Transfers>, L::Error> {
        let missing = mem::take(&mut self.supply.missing);
        self.supply.is_last_place = false;
        if missing.is_empty() {
            return Ok(Err(transfers));
        }
        if self.now.is_cancelled || self.queue.left() > 0 {
            for (task, transferred) in missing {
                self.transferred(task, transferred, ledger)?;
            }
            return Ok(Err(transfers));
        }
        ledger.forget_plan(None)?;
        self.queue.rewind();
        for (task, _) in missing {
            self.queue.give_up();
            ledger.plan(0, task.action, &task.resource)?;
        }
        self.supply.is_forced = true;
        self.supply.stage = if self.supply.has_unpacked { Stage::ChangeDumps } else { Stage::ResourceDumps };
        let (requests, bytes) = ledger.planned()?;
        Ok(Ok(self.before_transfers(Transfers { bytes, ..transfers }, requests)))
    }

    /// The moment from which on changes are processed; packages with earlier ones have nothing that is planned.
    fn since(&self, transfers: &Transfers) -> Option<Datetime> {
        let times: Option<Vec<Datetime>> = match &transfers.after {
            After::Lists(found) => found.sets.iter().map(|set| moment(set.at.as_deref()?)).collect(),
            After::Changes => self.source.before.iter().map(|before| moment(before.as_of.as_deref()?)).collect(),
            After::Waiting | After::Notified(_) => None,
        };
        times?.into_iter().min_by_key(|at| at.start())
    }

    /// The next package to read; `None` if there are no more, or nothing is left to be supplied. `is_spent` is true if no more bytes may be
    /// fetched.
    ///
    /// # Errors
    ///
    /// If the ledger fails, which ends the run.
    pub fn next_package<L: Ledger>(
        &mut self,
        now: Now,
        is_spent: bool,
        ledger: &L,
    ) -> Result<Option<Package>, L::Error> {
        if now.is_cancelled || is_spent || self.is_late(now) || ledger.planned()?.0 == 0 {
            return Ok(None);
        }
        Ok(self.supply.left.pop_front())
    }

    /// The transfer that a member of a package may take the place of; `None` if nothing needs it. Members name no file: the place is that of
    /// the resource.
    ///
    /// # Errors
    ///
    /// If the ledger or the files fail, which ends the run.
    pub fn wanted<L: Ledger, F: Files<L>>(
        &self,
        package: &Package,
        member: &MemberResource,
        ledger: &L,
        files: &mut F,
    ) -> Result<Option<Task>, L::Error> {
        let Some(uri) = member.uri.as_deref().map(key) else { return Ok(None) };
        let Some(planned) = ledger.planned_of(&uri)? else { return Ok(None) };
        if !package.may_supply(member, planned.action, &planned.resource) {
            return Ok(None);
        }
        let stored = ledger.find(&uri)?;
        let layout = self.places.of(&uri).unwrap_or_default();
        let place = stored.as_ref().and_then(|stored| stored.path.clone()).unwrap_or(layout);
        // Whether a file of others may be adopted or replaced is decided with the transfers.
        if !place.is_empty() && stored.is_none() && files.look(&place, ledger)? == Occupant::Foreign {
            return Ok(None);
        }
        let replaces = self.settings.placing.overwrite;
        Ok(Some(Task { stored, place, replaces, ..Task::new(planned.action, planned.resource) }))
    }

    /// Takes a verified member of a sound package in place of a transfer; `None` if another package has supplied the resource meanwhile.
    ///
    /// # Errors
    ///
    /// If the ledger fails, which ends the run.
    pub fn supplied<L: Ledger>(
        &mut self,
        task: Task,
        transferred: Transferred,
        ledger: &mut L,
    ) -> Result<Option<Placed>, L::Error> {
        if ledger.unplan(&task.resource.uri)?.is_none() {
            return Ok(None);
        }
        self.queue.attempt();
        self.count_package(|plan| plan.supplied = plan.supplied.saturating_add(1));
        self.transferred(task, transferred, ledger)
    }

    /// Takes the result of the transfer of a package. True if it is there to be verified; its members are to be used only if
    /// [`Destination::is_sound`] is true, too.
    pub fn received_package(&mut self, package: &Package, transferred: &Transferred) -> bool {
        let fault = |code: ItemCode| Reason::new(ReasonCode::PackageFault).arg("code", code.as_str());
        match transferred {
            Transferred::Staged { received, .. } => {
                self.record.report.bytes = self.record.report.bytes.saturating_add(*received);
                return true;
            }
            Transferred::Failed(Failure { code, reason, .. }) => {
                let reason = reason.clone().unwrap_or_else(|| fault(*code));
                if matches!(code, ItemCode::Digest | ItemCode::Length) {
                    self.contradicted(package, &reason);
                }
                self.package_failed(package, reason);
            }
            Transferred::Deferred(_) => {
                self.contradicted(package, &fault(ItemCode::Digest));
                self.package_failed(package, fault(ItemCode::Digest));
            }
            // The run ends, or its resources may still be affordable one by one.
            Transferred::Unaffordable | Transferred::Interrupted => {}
            // A package is not stored, and nothing is in its way.
            Transferred::Same | Transferred::Adopted { .. } | Transferred::Conflict | Transferred::NotAllowed => {}
        }
        false
    }

    /// Takes the outcome of the verification of a package. True if its members may be used.
    pub fn is_sound(&mut self, package: &Package, outcome: &Outcome) -> bool {
        let fault = fault_of(outcome);
        let is_sound = fault.is_none();
        if let Some(fault) = fault {
            self.package_failed(package, fault);
        }
        is_sound
    }

    /// Learns that a package is another one than its dump states. If its manifest was read as a list, nothing is concluded from it.
    fn contradicted(&mut self, package: &Package, reason: &Reason) {
        let uri = package.resource.loc.as_str();
        let mut read = self.record.report.documents.iter_mut();
        if let Some(list) = read.find(|document| document.uri == uri && document.status == DocumentStatus::Read) {
            (list.status, list.cause) = (DocumentStatus::Unread, Some(reason.clone()));
            self.record.facts.lists_complete = false;
            self.supply.is_contradicted = true;
            self.record.find("SYN-16", [("uri", uri.into()), ("reason", reason.clone().into())]);
        }
    }

    fn package_failed(&mut self, package: &Package, reason: Reason) {
        self.count_package(|plan| plan.failed = plan.failed.saturating_add(1));
        let uri = package.resource.loc.as_str();
        self.record.find("SYN-21", [("uri", uri.into()), ("reason", reason.into())]);
    }

    fn count_package(&mut self, count: impl FnOnce(&mut PackagePlan)) {
        if let Some(packages) = self.record.report.plan.as_mut().and_then(|plan| plan.packages.as_mut()) {
            count(packages);
        }
    }
}

/// The Resource Dumps of sets that were compared, or only of those without Resource Lists.
fn resource_dumps(transfers: &Transfers, without_lists: bool) -> Vec<String> {
    match &transfers.after {
        After::Lists(found) if !found.is_unchanged => {
            let sets = found.sets.iter().filter(|set| set.has_only_dumps || !without_lists);
            sets.flat_map(|set| set.dumps.iter().cloned()).collect()
        }
        _ => Vec::new(),
    }
}

/// The Change Dumps of sets whose changes were followed.
fn change_dumps(transfers: &Transfers) -> Vec<String> {
    let checkpoints = transfers.followed.iter().flat_map(|followed| &followed.checkpoints);
    checkpoints.flat_map(|checkpoint| checkpoint.dumps.iter().cloned()).collect()
}

/// The times of everything that a run has read.
struct Reach {
    /// Of the oldest and of the newest list.
    lists: (Datetime, Datetime),
    /// Of the last change.
    changes: Datetime,
}

impl Reach {
    /// True for a time at which all of that was there, and that is not ahead of the clock. A change at this very moment may have come after
    /// it; a list is of this moment.
    fn is_before(&self, at: &str, now: i64) -> bool {
        let at = moment(at).filter(|at| at.to_unix().0 <= now.saturating_add(AHEAD)).map(|at| at.start());
        let ((oldest, newest), changes) = (&self.lists, self.changes.start());
        at.is_some_and(|at| at >= newest.start() && (at > changes || changes <= oldest.start()))
    }
}

/// How far the lists and changes of a run reach; `None` if one of them has no time.
fn reach(transfers: &Transfers) -> Option<Reach> {
    let After::Lists(found) = &transfers.after else { return None };
    let is_timed = found.sets.iter().all(|set| set.at.is_some() && !set.is_timeless);
    let listed: Vec<Datetime> =
        found.remembered.documents.iter().filter_map(|known| moment(known.at.as_deref()?)).collect();
    let order = |at: &&Datetime| at.start();
    let lists = (listed.iter().min_by_key(order)?.clone(), listed.iter().max_by_key(order)?.clone());
    let checkpoints = &transfers.followed.as_ref()?.checkpoints;
    let changes: Option<Vec<Datetime>> =
        checkpoints.iter().map(|checkpoint| moment(checkpoint.as_of.as_deref()?)).collect();
    let changes = changes?.into_iter().max_by_key(|at| at.start())?;
    is_timed.then_some(Reach { lists, changes })
}
