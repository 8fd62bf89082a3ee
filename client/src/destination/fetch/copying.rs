//! Bytes that are at hand, such as those of another file or of a package, on their way to a verified file in staging.

use std::io;

use resourcesync::{fixity::Digester, value::Algorithm};
use resourcesync_sync::{
    ListedResource,
    destination::Transferred,
    report::Origin,
    transfer::{Fixity, Verified},
};

use super::storing::Storing;
use crate::destination::folder::Staging;

/// A file that is written, and compared with what is listed of its resource.
pub(in crate::destination) struct Copying {
    storing: Storing,
    digester: Digester,
    written: io::Result<()>,
}

impl Copying {
    pub(in crate::destination) fn begin(resource: &ListedResource, staging: &Staging) -> io::Result<Copying> {
        let listed = resource.hashes();
        let named = listed.iter().map(|hash| hash.algorithm.clone());
        let digester = Digester::new(named.chain([Algorithm::Sha256]));
        Ok(Copying { storing: Storing::begin(staging)?, digester, written: Ok(()) })
    }

    /// Writes bytes. False if that failed, now or before.
    pub(in crate::destination) fn push(&mut self, bytes: &[u8]) -> bool {
        self.digester.push(bytes);
        self.storing.keep(bytes, &mut self.written);
        self.written.is_ok()
    }

    /// Removes the file.
    pub(in crate::destination) fn discard(self, staging: &Staging) -> io::Result<()> {
        staging.discard(self.storing.number);
        self.written
    }

    /// The file, if it has the listed digests and length; otherwise it is removed.
    pub(in crate::destination) fn end(
        self,
        resource: &ListedResource,
        from: Origin,
        staging: &Staging,
    ) -> io::Result<Option<Transferred>> {
        let Copying { storing, digester, written } = self;
        let hashes = digester.finish();
        let is_listed = resource.hashes().iter().all(|hash| hashes.get(&hash.algorithm) == Some(&*hash.digest));
        if written.is_err() || !is_listed || resource.length.is_some_and(|length| length != storing.size) {
            staging.discard(storing.number);
            return written.map(|()| None);
        }
        let (length, by) = (storing.size, Verified::by(resource));
        let fixity = Fixity { length, hashes, is_coded: false, by, etag: None, modified: None };
        storing.end(fixity, resource, (from, 0), staging).map(Some)
    }
}
