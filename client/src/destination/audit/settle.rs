//! Resources that have to be hashed or fetched to be compared with their entries.

use std::{
    io::{self, Read},
    num::NonZeroUsize,
    sync::Arc,
    thread,
};

use resourcesync::{
    codec::Gunzip,
    diagnostic::{Reason, ReasonCode},
    fixity::Digester,
    value::Algorithm,
};
use resourcesync_sync::{
    ListedResource, Transfer,
    audit::Relation,
    digests::by_digest,
    ledger::{Resources, StoredResource},
    transfer::{Body, Head, is_gzip},
};

use super::{Work, files::Files};
use crate::{
    destination::{SyncError, fetch::sha256, ledger::Ledger},
    http::{self, AcceptEncoding, Attempts, Client, Error, Request},
    parallel::{self, Next},
};

/// Bytes read at a time.
const WINDOW: usize = 64 << 10;

/// Rows read per query.
const AHEAD: usize = 256;

impl Work<'_> {
    /// Hashes files by the algorithms that are listed, and fetches resources of which nothing is listed if that is wanted.
    pub(super) fn settle(&mut self, client: &Arc<Client>) -> Result<(), SyncError> {
        let (files, ratio) = (self.files(), self.options.limits.inflate_ratio);
        let mut kinds = vec![(Relation::Hash, thread::available_parallelism().unwrap_or(NonZeroUsize::MIN))];
        if self.options.download {
            kinds.push((Relation::Nothing, client.connections()));
        }
        for (relation, workers) in kinds {
            let mut plan = Plan {
                ledger: &self.ledger,
                relation,
                ahead: Vec::new().into_iter(),
                after: String::new(),
                is_cancelled: &|| self.cancel.is_cancelled(),
            };
            parallel::run(&mut plan, workers, || {
                |(resource, stored): (ListedResource, StoredResource)| {
                    let relation = match relation {
                        Relation::Hash => hash(&files, &resource, &stored).unwrap_or(Relation::Nothing),
                        _ => download(client, ratio, &resource, &stored).unwrap_or(Relation::Nothing),
                    };
                    (resource.uri, relation)
                }
            })?;
        }
        Ok(())
    }
}

/// Compares a file with digests that were not computed when it was stored.
fn hash(files: &Files<'_>, resource: &ListedResource, stored: &StoredResource) -> io::Result<Relation> {
    let listed = resource.hashes();
    let named = listed.iter().map(|hash| hash.algorithm.clone());
    let Some(own) = files.digests(stored, named)? else { return Ok(Relation::Nothing) };
    Ok(match by_digest(&listed, &own) {
        Some(true) => Relation::Same,
        Some(false) => Relation::Other,
        None => Relation::Nothing,
    })
}

/// Compares a resource with the bytes that were stored: those that are sent, or where these have a coding, those that it decodes to. The
/// reason if it was not sent to its end.
pub(super) fn download(
    client: &Client,
    ratio: u32,
    resource: &ListedResource,
    stored: &StoredResource,
) -> Result<Relation, Reason> {
    let mut transfer = Transfer::new(resource, None);
    let asked = transfer.request();
    let request = Request { accept: AcceptEncoding::Raw(asked.accept_encoding), ..Request::get(asked.uri) };
    // What a cache has may be as old as what is stored.
    let request = request.clone().header("Cache-Control", "no-cache").unwrap_or(request);
    let mut attempts = Attempts::new(client);
    let mut response = http::fetch(client, &request, &mut attempts).map_err(|error| error.reason)?;
    let coding = response.headers.first("content-encoding").map(str::to_owned);
    let is_gzip = coding.as_deref().is_some_and(is_gzip);
    let body = transfer.answer(Head { status: response.status, content_encoding: coding, ..Head::default() });
    if body != Body::Store {
        return Err(Reason::new(ReasonCode::HttpStatus).arg("status", response.status));
    }
    let new = || Digester::new([Algorithm::Sha256]);
    let (mut sent, mut decoded) = (new(), is_gzip.then(|| (Gunzip::new(ratio), new())));
    let mut window = vec![0; WINDOW];
    loop {
        let length = match response.body.read(&mut window) {
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => {
                return Err(Error::of(&error).cloned().unwrap_or_else(Error::interrupted).reason);
            }
        };
        let bytes = window.get(..length).unwrap_or_default();
        sent.push(bytes);
        if let Some((gunzip, digester)) = &mut decoded {
            let pushed = match length {
                0 => gunzip.finish(&mut |bytes| digester.push(bytes)),
                _ => gunzip.push(bytes, &mut |bytes| digester.push(bytes)),
            };
            if pushed.is_err() {
                decoded = None;
            }
        }
        if length == 0 {
            break;
        }
    }
    let is_stored = |digester: Digester| sha256(&digester.finish()) == stored.state.sha256;
    let is_same = is_stored(sent) || decoded.is_some_and(|(_, digester)| is_stored(digester));
    Ok(if is_same { Relation::Same } else { Relation::Other })
}

/// The resources of one relation.
struct Plan<'a> {
    ledger: &'a Ledger,
    relation: Relation,
    ahead: std::vec::IntoIter<ListedResource>,
    after: String,
    is_cancelled: &'a dyn Fn() -> bool,
}

impl parallel::Plan for Plan<'_> {
    type Job = (ListedResource, StoredResource);
    type Done = (String, Relation);
    type Error = SyncError;

    fn next(&mut self) -> Result<Next<(ListedResource, StoredResource)>, SyncError> {
        loop {
            if (self.is_cancelled)() {
                return Ok(Next::Done);
            }
            if self.ahead.len() == 0 {
                self.ahead = self.ledger.listed_with(self.relation, &self.after, AHEAD)?.into_iter();
            }
            let Some(resource) = self.ahead.next() else { return Ok(Next::Done) };
            self.after.clone_from(&resource.uri);
            if let Some(stored) = self.ledger.find(&resource.uri)? {
                return Ok(Next::Job((resource, stored)));
            }
        }
    }

    fn take(&mut self, (uri, relation): (String, Relation)) -> Result<(), SyncError> {
        self.ledger.set_relation(&uri, relation)
    }
}
