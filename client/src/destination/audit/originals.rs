//! Resources compared with the originals that their `via` links name (§14.8): those of the Source that another one republishes.

use std::sync::Arc;

use resourcesync::diagnostic::Reason;
use resourcesync_sync::{
    ListedResource,
    audit::{Relation, Sign},
    ledger::{Resources, StoredResource},
};

use super::{Work, settle::download};
use crate::{
    destination::{SyncError, ledger::Ledger},
    http::Client,
    parallel::{self, Next},
};

/// Rows read per query.
const AHEAD: usize = 256;

impl Work<'_> {
    /// Notes the original of a stored resource, if its entry names one.
    pub(super) fn note_original(&self, document: u32, resource: &ListedResource) -> Result<(), SyncError> {
        if !self.options.via {
            return Ok(());
        }
        let is_via = |rel: &str| rel.eq_ignore_ascii_case("via");
        let via = resource.links.iter().filter(|link| link.rel.as_deref().is_some_and(is_via));
        via.filter_map(|via| via.href.as_deref())
            .try_for_each(|href| self.ledger.note_original(document, &resource.uri, href))
    }

    /// Fetches the originals that were not compared yet. Only their bytes count: what a link states of them is a claim of who republishes them.
    pub(super) fn compare_originals(&mut self, client: &Arc<Client>) -> Result<(), SyncError> {
        if !self.options.via {
            return Ok(());
        }
        let ratio = self.options.limits.inflate_ratio;
        let mut plan = Plan {
            ledger: &self.ledger,
            ahead: Vec::new().into_iter(),
            after: Default::default(),
            is_cancelled: &|| self.cancel.is_cancelled(),
        };
        parallel::run(&mut plan, client.connections(), || {
            |(original, stored): (ListedResource, StoredResource)| {
                let result = match download(client, ratio, &original, &stored) {
                    Ok(Relation::Same) => (Sign::Equal, None),
                    Ok(_) => (Sign::Diverged, None),
                    Err(why) => (Sign::Unverifiable, Some(why)),
                };
                (stored.uri, original.uri, result)
            }
        })
    }
}

/// The originals of resources whose files are as they were.
struct Plan<'a> {
    ledger: &'a Ledger,
    ahead: std::vec::IntoIter<(String, String)>,
    after: (String, String),
    is_cancelled: &'a dyn Fn() -> bool,
}

impl parallel::Plan for Plan<'_> {
    type Job = (ListedResource, StoredResource);
    type Done = (String, String, (Sign, Option<Reason>));
    type Error = SyncError;

    fn next(&mut self) -> Result<Next<(ListedResource, StoredResource)>, SyncError> {
        loop {
            if (self.is_cancelled)() {
                return Ok(Next::Done);
            }
            if self.ahead.len() == 0 {
                self.ahead = self.ledger.originals_after((&self.after.0, &self.after.1), AHEAD)?.into_iter();
            }
            let Some((uri, via)) = self.ahead.next() else { return Ok(Next::Done) };
            self.after = (uri.clone(), via.clone());
            let stored = self.ledger.find(&uri)?;
            if let Some(stored) = stored
                && self.ledger.problem(stored.id)?.is_none()
            {
                let original = ListedResource { uri: via.clone(), loc: via, ..ListedResource::default() };
                return Ok(Next::Job((original, stored)));
            }
        }
    }

    fn take(&mut self, (uri, via, (sign, cause)): (String, String, (Sign, Option<Reason>))) -> Result<(), SyncError> {
        self.ledger.set_original((&uri, &via), sign, cause.as_ref())
    }
}
