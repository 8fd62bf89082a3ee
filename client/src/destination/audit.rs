//! Compares the files of a copy with its ledger, without any network.

use std::{io, path::Path};

use cap_std::{ambient_authority, fs::Dir};
use resourcesync::value::Algorithm;
use resourcesync_sync::Wanted;
use serde::Serialize;

use super::{
    SyncError,
    copies::{look_at, open_file},
    fixed::Fixed,
    ledger::{Entry, Ledger},
    open::state_of,
    transfer::{digests, sha256},
};
use crate::cancel::Cancel;

/// How a file compares with the ledger.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sign {
    /// It is unchanged since it was verified.
    Equal,
    /// It is missing.
    Missing,
    /// Its content differs.
    Damaged,
    /// It could not be read.
    Unreadable,
    /// It is listed but not stored as listed: a debt.
    Debt,
}

impl Sign {
    /// One character, as printed by tools that compare folders.
    pub fn as_char(self) -> char {
        match self {
            Sign::Equal => '=',
            Sign::Missing => '-',
            Sign::Damaged => '*',
            Sign::Unreadable => '!',
            Sign::Debt => '+',
        }
    }
}

/// A resource that is not stored as it should be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Difference {
    /// The resource.
    pub uri: String,
    /// Its file.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<String>,
    /// The difference.
    pub sign: Sign,
}

/// The result of an audit.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Audit {
    /// The Source.
    pub source: String,
    /// Number of unchanged files.
    pub equal: u64,
    /// Resources with differences.
    pub differences: Vec<Difference>,
    /// False if the audit was stopped.
    pub completed: bool,
}

/// Compares the files of a copy with its ledger. `state` is where that is, if not in the folder; `quick` compares size and time, and reads no file.
///
/// # Errors
///
/// If the folder is not a copy, or its state cannot be read.
pub fn audit(folder: &Path, state: Option<&Path>, quick: bool, cancel: &Cancel) -> Result<Audit, SyncError> {
    let ledger = Ledger::read(&state_of(folder, state))?.ok_or(SyncError::NotACopy)?;
    let fixed = Fixed::of(&ledger)?.ok_or(SyncError::NotACopy)?;
    let root = Dir::open_ambient_dir(folder, ambient_authority())?;
    let (places, source) = (fixed.places(), fixed.source);
    let mut audit = Audit { source, completed: true, ..Audit::default() };
    ledger.each_sorted(|entry, _| {
        if cancel.is_cancelled() {
            audit.completed = false;
            return Ok(());
        }
        let place = entry.path.clone().or_else(|| places.of(&entry.uri)).unwrap_or_default();
        let sign = compare(&root, &place, &entry, quick).unwrap_or(Sign::Unreadable);
        if sign == Sign::Equal {
            audit.equal = audit.equal.saturating_add(1);
        } else {
            audit.differences.push(Difference { uri: entry.uri, path: Some(place), sign });
        }
        Ok(())
    })?;
    for Wanted { uri, .. } in ledger.debts()? {
        audit.differences.push(Difference { uri, path: None, sign: Sign::Debt });
    }
    Ok(audit)
}

fn compare(root: &Dir, place: &str, entry: &Entry, quick: bool) -> io::Result<Sign> {
    let Some((look, folder, name)) = look_at(root, place)? else { return Ok(Sign::Missing) };
    if !look.is_file || look.size != entry.held.size {
        return Ok(Sign::Damaged);
    }
    if quick {
        return Ok(if look.mtime == entry.mtime { Sign::Equal } else { Sign::Damaged });
    }
    let hashes = digests(&mut open_file(&folder, &name)?, [Algorithm::Sha256])?;
    Ok(if sha256(&hashes) == entry.held.sha256 { Sign::Equal } else { Sign::Damaged })
}
