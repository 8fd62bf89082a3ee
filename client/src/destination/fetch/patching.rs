//! The stored state of a resource, brought to the listed one by a patch. Only a result with the listed digests is used.

use std::{
    fs,
    io::{self, Read},
};

use resourcesync::{diagnostic::Reason, fixity::Digester, value::Algorithm};
use resourcesync_sync::{
    ListedResource,
    destination::{Task, Transferred},
    listed_resource::Patch,
    patch::PATCHED,
    report::{BytesFrom, Origin},
    transfer::Failure,
};

use super::{Copying, Fetcher};
use crate::patch::Format;

impl Fetcher {
    /// Fetches a patch and applies it to the stored file; the reason if it does not lead to the listed state.
    pub(super) fn patched(
        &self,
        patch: &Patch,
        before: fs::File,
        task: &Task,
    ) -> io::Result<Result<Transferred, Reason>> {
        let failed = |text: &str| Ok(Err(Reason::other(text)));
        let program = self.settings.program_of(patch);
        let (bytes, received) = match self.transfer(&patch.resource(), None, None, BytesFrom::Patch)? {
            Transferred::Staged { number, received, .. } => {
                if let Some(program) = program {
                    let patched = self.patched_by(program, (patch, number, received), before, task);
                    self.staging.discard(number);
                    return patched;
                }
                let bytes = self.staging.read(number).and_then(|file| read(file, PATCHED));
                self.staging.discard(number);
                (bytes?, received)
            }
            Transferred::Failed(Failure { reason, .. }) => {
                return Ok(Err(reason.unwrap_or_else(|| Reason::other("it is not what is listed of it"))));
            }
            Transferred::Deferred(_) => return failed("it is not what is listed of it"),
            ended => return Ok(Ok(ended)),
        };
        let Some(before) = stored(before, task)? else { return failed("the stored file is not what was recorded") };
        let patched = Format::of(&patch.essence()).and_then(|format| format.apply(&before, &bytes));
        let Some(patched) = patched else { return failed("it cannot be applied to the stored state") };
        let mut results = patched.renderings().filter(|result| is_listed(result, &task.resource));
        let Some(result) = results.next() else { return failed("its result is not what is listed") };
        let mut copying = Copying::begin(&task.resource, &self.staging)?;
        copying.push(&result);
        match copying.end(&task.resource, Origin::at(BytesFrom::Patch, &patch.uri), &self.staging)? {
            Some(Transferred::Staged { number, state, mtime, by, from, .. }) => {
                Ok(Ok(Transferred::Staged { number, state, mtime, by, received, from }))
            }
            _ => failed("its result is not what is listed"),
        }
    }
}

/// The stored bytes, if they are those that were recorded.
fn stored(file: fs::File, task: &Task) -> io::Result<Option<Vec<u8>>> {
    let Some(stored) = &task.stored else { return Ok(None) };
    let bytes = read(file, PATCHED)?;
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(&bytes);
    Ok(Some(bytes).filter(|_| super::sha256(&digester.finish()) == stored.state.sha256))
}

/// The bytes of a file, up to one more than `most`.
fn read(file: fs::File, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn is_listed(bytes: &[u8], resource: &ListedResource) -> bool {
    let listed = resource.hashes();
    let mut digester = Digester::new(listed.iter().map(|hash| hash.algorithm.clone()));
    digester.push(bytes);
    let hashes = digester.finish();
    let same_length = resource.length.is_none_or(|length| length == bytes.len() as u64);
    same_length && listed.iter().all(|hash| hashes.get(&hash.algorithm) == Some(&*hash.digest))
}
