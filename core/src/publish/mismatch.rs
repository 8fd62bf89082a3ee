//! Rejects a run that would not continue what is published, but delete and create all of it, or drop a part of it.

use alloc::{borrow::ToOwned, string::String};

use super::{Net, State, Update};

/// Why a run does not continue what is published.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Mismatch {
    /// The base of the URIs of resources is another.
    BaseUri {
        /// The published one.
        published: String,
        /// That of the run.
        given: String,
    },
    /// The base of the URIs of documents is another.
    DocumentsUri {
        /// The published one.
        published: String,
        /// That of the run.
        given: String,
    },
    /// The extension of documents is another.
    Suffix {
        /// The published one.
        published: String,
        /// That of the run.
        given: String,
    },
    /// Every resource is in a set, but none was.
    InSets,
    /// No resource is in a set, but all were.
    WithoutSets,
    /// A set of files is missing, or another one has its files.
    SetMissing(String),
    /// A set of files is new, but there were none.
    SetAdded(String),
    /// There are only dumps, and there were lists.
    OnlyDumps,
    /// There are lists, and there were only dumps.
    Lists,
    /// The packages are not continued.
    Packages,
    /// The notification channels are not continued.
    Channels,
    /// The topics have another base.
    Topics {
        /// The published one.
        published: String,
        /// That of the run.
        given: String,
    },
}

impl State {
    /// Rejects a Source that was published with other URIs.
    ///
    /// # Errors
    ///
    /// The difference.
    pub fn check_uris(&self, (base, documents, suffix): (&str, &str, &str)) -> Result<(), Mismatch> {
        if self.base_uri != base {
            return Err(Mismatch::BaseUri { published: self.base_uri.clone(), given: base.to_owned() });
        }
        if self.documents_uri != documents {
            return Err(Mismatch::DocumentsUri { published: self.documents_uri.clone(), given: documents.to_owned() });
        }
        if self.suffix != suffix {
            return Err(Mismatch::Suffix { published: self.suffix.clone(), given: suffix.to_owned() });
        }
        Ok(())
    }

    /// Rejects moving the files of a set to another one, which would delete and create all of them.
    ///
    /// # Errors
    ///
    /// The difference.
    pub fn check_sets(&self, names: &[String]) -> Result<(), Mismatch> {
        let Some(was) = &self.set_names else { return Ok(()) };
        if let Some(missing) = was.iter().find(|name| !names.contains(name)) {
            return Err(Mismatch::SetMissing(missing.clone()));
        }
        match names.first() {
            Some(name) if was.is_empty() => Err(Mismatch::SetAdded(name.clone())),
            _ => Ok(()),
        }
    }

    /// Rejects resources that are in sets only now, or no longer: all of them would be deleted and created.
    ///
    /// # Errors
    ///
    /// The difference.
    pub fn check_membership(&self, update: &Update) -> Result<(), Mismatch> {
        if update.effect(true).published.unwrap_or_default() == 0 {
            return Ok(());
        }
        let is_plain = |name: &String| name.is_empty();
        let present = || update.sets.iter().filter(|(_, resources)| **resources > 0).map(|(name, _)| name);
        let (was_plain, was_in_sets) = (self.sets.keys().all(is_plain), !self.sets.keys().any(is_plain));
        match (present().all(is_plain), !present().any(is_plain)) {
            (false, true) if was_plain => Err(Mismatch::InSets),
            (true, false) if was_in_sets => Err(Mismatch::WithoutSets),
            _ => Ok(()),
        }
    }

    /// Rejects changes of resources that are in sets although those published are not, or the other way round.
    ///
    /// # Errors
    ///
    /// If there is one.
    pub fn check_changes(&self, net: &Net) -> Result<(), Mismatch> {
        let was_plain = self.sets.keys().all(String::is_empty);
        match net.changes.iter().find(|change| change.record.set.is_empty() != was_plain) {
            Some(_) if was_plain => Err(Mismatch::InSets),
            Some(_) => Err(Mismatch::WithoutSets),
            None => Ok(()),
        }
    }

    /// Rejects lists where there were only dumps, and the other way round: Destinations would find neither.
    ///
    /// # Errors
    ///
    /// If that is so.
    pub fn check_lists(&self, lists: bool) -> Result<(), Mismatch> {
        match (self.dumps_only, lists) {
            (true, true) => Err(Mismatch::Lists),
            (false, false) => Err(Mismatch::OnlyDumps),
            _ => Ok(()),
        }
    }

    /// Rejects a run without packages or channels that were published, unless it withdraws them: `packages` and `channels` are true if it
    /// publishes or withdraws them, and `topics` is the base of the URIs of its topics.
    ///
    /// # Errors
    ///
    /// The part that would vanish.
    pub fn check_parts(&self, packages: bool, channels: bool, topics: Option<&str>) -> Result<(), Mismatch> {
        if self.has_packages() && !packages {
            return Err(Mismatch::Packages);
        }
        if self.has_channels() && !channels {
            return Err(Mismatch::Channels);
        }
        match (&self.topics_uri, topics) {
            (Some(published), Some(given)) if self.has_channels() && published != given => {
                Err(Mismatch::Topics { published: published.clone(), given: given.to_owned() })
            }
            _ => Ok(()),
        }
    }
}
