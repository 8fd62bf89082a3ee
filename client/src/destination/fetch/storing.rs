//! A file in staging that is being written.

use std::{
    fs,
    io::{self, Read, Write},
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use resourcesync::{
    codec::Gunzip,
    diagnostic::Reason,
    fixity::Digester,
    value::{Algorithm, Datetime, Parsed, Value},
};
use resourcesync_sync::{
    ListedResource, StoredState,
    destination::Transferred,
    report::Origin,
    transfer::{Fixity, undecodable},
};

use super::digests::{WINDOW, sha256};
use crate::destination::folder::{Staging, nanoseconds};

/// The maximum time in the future that a file may have.
const FUTURE: Duration = Duration::from_secs(86_400);

/// A file that is being written.
pub(super) struct Storing {
    pub(super) number: u64,
    pub(super) file: fs::File,
    pub(super) size: u64,
    /// Computes the SHA-256 of the file.
    pub(super) digester: Digester,
    /// True if the next run can continue it.
    pub(super) is_noted: bool,
}

impl Storing {
    pub(super) fn begin(staging: &Staging) -> io::Result<Storing> {
        let (number, file) = staging.begin()?;
        Ok(Storing { number, file, size: 0, digester: Digester::new([Algorithm::Sha256]), is_noted: false })
    }

    /// Writes bytes, unless writing has failed before.
    pub(super) fn keep(&mut self, bytes: &[u8], written: &mut io::Result<()>) {
        self.size = self.size.saturating_add(bytes.len() as u64);
        self.digester.push(bytes);
        if written.is_ok() {
            *written = self.file.write_all(bytes);
        }
    }

    /// A verified file. `from` is where its bytes are from, and how many were received.
    pub(super) fn end(
        self,
        fixity: Fixity,
        resource: &ListedResource,
        from: (Origin, u64),
        staging: &Staging,
    ) -> io::Result<Transferred> {
        let ended = self.finish(resource);
        let (number, is_noted) = (self.number, self.is_noted);
        match ended {
            Ok(mtime) => {
                if is_noted {
                    // It is whole: from here on it is placed or fetched again.
                    staging.forget(number);
                }
                let sha256 = sha256(&self.digester.finish());
                Ok(staged(number, fixity, resource, (sha256, self.size, mtime), from))
            }
            Err(error) => {
                staging.discard(number);
                Err(error)
            }
        }
    }

    /// Undoes the coding of a file that has been verified as it was sent, or the reason why that is not possible.
    pub(super) fn decode(self, inflate_ratio: u32, staging: &Staging) -> io::Result<Result<Storing, Reason>> {
        let mut plain = Storing::begin(staging)?;
        let decoded = decode_to(&mut plain, self.number, inflate_ratio, staging);
        staging.discard(self.number);
        if !matches!(decoded, Ok(Ok(()))) {
            staging.discard(plain.number);
        }
        Ok(decoded?.map(|()| plain))
    }

    /// Sets the time of the file; the time that it has then.
    fn finish(&self, resource: &ListedResource) -> io::Result<i64> {
        if let Some(time) = time(resource) {
            self.file.set_modified(time)?;
        }
        Ok(nanoseconds(self.file.metadata()?.modified()?))
    }
}

fn staged(
    number: u64,
    fixity: Fixity,
    resource: &ListedResource,
    (sha256, size, mtime): (String, u64, i64),
    (from, received): (Origin, u64),
) -> Transferred {
    let by = fixity.by;
    let state = StoredState {
        hash: Some(fixity.hashes.to_string()),
        length: resource.length,
        lastmod: resource.lastmod.clone(),
        etag: fixity.etag,
        modified: fixity.modified,
        sha256,
        size,
    };
    Transferred::Staged { number, state, mtime, by, received, from }
}

fn decode_to(plain: &mut Storing, coded: u64, inflate_ratio: u32, staging: &Staging) -> io::Result<Result<(), Reason>> {
    let mut gunzip = Gunzip::new(inflate_ratio);
    let mut file = staging.reopen(coded)?;
    let mut window = vec![0; WINDOW];
    let mut written = Ok(());
    loop {
        let length = match file.read(&mut window) {
            Ok(length) => length,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        let bytes = window.get(..length).unwrap_or_default();
        let decoded = match length {
            0 => gunzip.finish(&mut |bytes| plain.keep(bytes, &mut written)),
            _ => gunzip.push(bytes, &mut |bytes| plain.keep(bytes, &mut written)),
        };
        std::mem::replace(&mut written, Ok(()))?;
        match decoded {
            Err(error) => return Ok(Err(undecodable(error))),
            Ok(()) if length == 0 => return Ok(Ok(())),
            Ok(()) => {}
        }
    }
}

/// The modification time of the file: that of the resource, if possible.
fn time(resource: &ListedResource) -> Option<SystemTime> {
    let moment = match Datetime::read(resource.lastmod.as_deref()?) {
        Parsed::Exact(moment) | Parsed::Lenient(moment) => moment,
        Parsed::Malformed => return None,
    };
    let (seconds, nanoseconds) = moment.to_unix();
    let time = UNIX_EPOCH.checked_add(Duration::new(u64::try_from(seconds).ok()?, nanoseconds))?;
    (time <= SystemTime::now().checked_add(FUTURE)?).then_some(time)
}
