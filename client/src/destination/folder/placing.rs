//! Moves verified files from staging to their places, in groups: makes them durable, records them, renames them,
//! and records that they are in place.
//!
//! INVARIANT, whenever a run is killed: a file in staging without a row in `placing` is useless, or the beginning of a resource; a row in
//! `placing` refers to a durable file, in staging or at its place; and no file of the copy was moved without a row in `moving`.

use std::{collections::HashSet, time::Instant};

use resourcesync_sync::{Destination, destination::Placed, place, report::ItemCode};

use super::{room::Room, writing::Folder};
use crate::destination::{
    SyncError,
    ledger::{Ledger, Placing},
};

impl Folder {
    /// Adds a verified file to the group, which is placed once it is large or old enough.
    pub(in crate::destination) fn push(
        &mut self,
        placed: Placed,
        ledger: &mut Ledger,
        machine: &mut Destination,
    ) -> Result<(), SyncError> {
        self.group.bytes = self.group.bytes.saturating_add(placed.stored.state.size);
        self.group.begun.get_or_insert_with(Instant::now);
        self.group.list.push(placed);
        if self.group.is_due() { self.place_group(ledger, machine) } else { Ok(()) }
    }

    /// Places the remaining files, keeps the remaining versions, and records everything.
    pub(in crate::destination) fn place_all(
        &mut self,
        ledger: &mut Ledger,
        machine: &mut Destination,
    ) -> Result<(), SyncError> {
        self.place_group(ledger, machine)?;
        self.place_group(ledger, machine)?;
        self.keep_versions(ledger, machine)
    }

    /// Places the group, and records that the previous one is in place.
    fn place_group(&mut self, ledger: &mut Ledger, machine: &mut Destination) -> Result<(), SyncError> {
        let (group, before) = (std::mem::take(&mut self.group.list), std::mem::take(&mut self.group.before));
        (self.group.bytes, self.group.begun) = (0, None);
        if group.is_empty() && before.is_empty() {
            return Ok(());
        }
        let run = self.options.run;
        self.sync_folders()?;
        let staging = self.copies()?.staging();
        if self.options.is_durable && !group.is_empty() {
            staging.sync(group.iter().map(|placed| placed.number))?;
        }
        ledger.placed(&before, run)?;
        let has_store = self.copies()?.has_store();
        if has_store {
            before.iter().for_each(|placing| staging.discard(placing.number));
        }
        let (mut kept, mut listed, mut aside) = (Vec::new(), Vec::new(), Vec::new());
        for ((place, has_below), placed) in self.places_of(&group)?.into_iter().zip(group) {
            let Placed { number, mut stored, resource, from } = placed;
            match self.make_room(&stored, &place, has_below && !has_store, &mut aside, ledger)? {
                Room::Free(mut path) => {
                    if path.is_none() && self.places.of(&stored.uri).as_ref() != Some(&place) {
                        path = Some(place);
                    }
                    stored.path = path;
                    kept.push(Placing { number, stored });
                    listed.push((resource, from));
                }
                other => {
                    staging.discard(number);
                    let code = if matches!(other, Room::Foreign) { ItemCode::Foreign } else { ItemCode::SameName };
                    machine.unplaced(&resource, stored.id != 0, code, ledger)?;
                }
            }
        }
        machine.found_changed(aside.iter().filter(|moving| moving.is_changed).count());
        if has_store {
            // It stays under its name until its successor is there.
            for moving in aside.drain(..) {
                self.copies()?.store()?.set_aside(&moving.place, run)?;
            }
        }
        ledger.begin_placing(&kept, &aside, run)?;
        for (Placing { number, stored }, (resource, from)) in kept.iter_mut().zip(&listed) {
            let place = self.place_of(stored);
            if has_store {
                stored.mtime = self.copies()?.put(*number, stored, place)?;
            } else {
                if aside.iter().any(|moving| moving.place == place) {
                    self.copies()?.trash(&place, run)?;
                }
                self.copies()?.place(*number, &place)?;
            }
            machine.placed(resource, stored.id != 0, stored.path.as_deref(), from.clone());
        }
        self.group.before = kept;
        Ok(())
    }

    /// The places of a group, and whether another file of the group is below each.
    fn places_of(&mut self, group: &[Placed]) -> Result<Vec<(String, bool)>, SyncError> {
        let places: Vec<String> = group.iter().map(|placed| self.place_of(&placed.stored)).collect();
        let folds = self.copies()?.folds();
        let folded: Vec<String> =
            if folds { places.iter().map(|place| place::folded(place)).collect() } else { places.clone() };
        let mut taken = HashSet::new();
        let named = group.iter().zip(places).zip(&folded);
        Ok(named
            .map(|((placed, place), alike)| {
                let has_below = folded.iter().any(|other| is_below(other, alike));
                let is_taken = folds && !taken.insert(alike);
                (if is_taken { place::aside(&place, &placed.stored.uri) } else { place }, has_below)
            })
            .collect())
    }
}

fn is_below(place: &str, above: &str) -> bool {
    place.strip_prefix(above).is_some_and(|rest| rest.starts_with('/'))
}
