//! What a generation is published with.

use alloc::{
    format,
    string::{String, ToString},
};

use super::{Set, about_uri};
use crate::{
    build::{BuildOptions, ChangeHistory, Rotate, Settings},
    value::{Datetime, Uri},
};

/// The options of a generation.
#[derive(Debug, Clone)]
pub struct Plan {
    /// The base of the URIs of documents; ends with a slash.
    pub documents: Uri,
    /// The time of the run.
    pub at: Datetime,
    /// Its description; by default a generated page.
    pub describedby: Option<Uri>,
    /// The Source Description Index that lists the Source, if one does.
    pub index: Option<Uri>,
    /// What the generated page says in addition, as HTML.
    pub about: Option<String>,
    /// The extension of documents.
    pub suffix: String,
    /// Writes Resource Lists and Change Lists; without them there are only dumps.
    pub lists: bool,
    /// When the open Change List is closed.
    pub rotate: Rotate,
    /// Number of closed Change Lists to keep.
    pub keep: Option<usize>,
    /// How documents are built.
    pub builders: BuildOptions,
    /// Computes a digest of each document, for notifications.
    pub digests: bool,
}

impl Plan {
    /// The document that describes the Source.
    #[must_use]
    pub fn description(&self) -> Uri {
        self.describedby.clone().unwrap_or_else(|| about_uri(&self.documents))
    }

    pub(super) fn settings(&self) -> Settings {
        Settings {
            options: self.builders.clone(),
            describedby: Some(self.description()),
            index: self.index.clone(),
            suffix: self.suffix.clone(),
            digests: self.digests,
            ..Settings::default()
        }
    }

    /// The existing lists without those to remove, and the end of the open one if it is closed. Those of a new set begin with what was published
    /// before: its changes came after that, but not all of them at the time of the run, which is that of the last change of any set.
    pub(super) fn history(
        &self,
        old: Option<&Set>,
        changes: u64,
        since: &Datetime,
    ) -> (ChangeHistory, Option<Datetime>) {
        let Some(old) = old else { return (ChangeHistory::since(since.clone()), None) };
        let mut history = old.changes.clone();
        let age = self.at.to_unix().0.saturating_sub(history.open.from.to_unix().0);
        let close = self.rotate.is_due(changes, age).then(|| self.at.clone());
        if let Some(keep) = self.keep {
            let stay = keep.saturating_sub(usize::from(close.is_some()));
            let gone = history.closed.len().saturating_sub(stay);
            history.closed.drain(..gone);
        }
        (history, close)
    }
}

/// The options that affect the published documents, as text: the digests, the sets of files, the description, whether there are packages,
/// and the hubs and the topics of notification channels.
#[must_use]
pub fn options_text(
    hash: &[&str],
    sets: &[&str],
    describedby: Option<&Uri>,
    dump: bool,
    channels: Option<(&[Uri], Option<&Uri>)>,
) -> String {
    let describedby = describedby.map(Uri::as_str);
    let channels = channels.map_or_else(String::new, |(hubs, topics)| {
        let hubs: alloc::vec::Vec<&str> = hubs.iter().map(Uri::as_str).collect();
        format!(" hubs={hubs:?} topics={:?}", topics.map(Uri::as_str))
    });
    format!("hash={hash:?} sets={sets:?} describedby={describedby:?} dump={dump}{channels}").to_string()
}
