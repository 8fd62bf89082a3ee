//! Members of a package in memory, taken while it is verified.

use alloc::{collections::BTreeMap, vec::Vec};

use resourcesync::{
    api::{InputOrigin, MemberData, Options, Outcome, Verification, VerificationStep, Worker},
    diagnostic::{Reason, ReasonCode},
    fixity::Digester,
    limits::Limits,
    value::Algorithm,
};

use super::bytes::{is_same, staged};
use crate::{
    destination::{Task, Transferred},
    listed_resource::ListedResource,
    package::read_manifest,
    report::{BytesFrom, Origin},
    survey::Request,
    transfer::{Fixity, Verified},
};

/// Bytes unpacked at a time.
const BLOCK: usize = 64 << 10;

/// A resource that a package supplies.
pub(super) struct Supplied {
    pub(super) task: Task,
    pub(super) transferred: Transferred,
    pub(super) body: Vec<u8>,
}

/// Reads the manifest of a package.
pub(crate) fn manifest(request: &Request, bytes: &[u8], push: &mut dyn FnMut(&[u8])) -> Result<(), Reason> {
    let mut read = |offset: u64, room: &mut [u8]| {
        let from = usize::try_from(offset).ok().and_then(|from| bytes.get(from..));
        let part = from.and_then(|bytes| bytes.get(..room.len()));
        room.copy_from_slice(part.ok_or_else(|| Reason::new(ReasonCode::Truncated))?);
        Ok(())
    };
    read_manifest(&request.uri, &request.stated, (bytes.len() as u64, true), &Limits::default(), &mut read, push)
}

/// Verifies a package, and takes the members that `wanted` chooses once the manifest was read. They may be used if the outcome is sound.
pub(super) fn unpack(
    bytes: &[u8],
    uri: &str,
    wanted: &mut dyn FnMut(&Verification<'_>) -> BTreeMap<u32, Task>,
) -> (Outcome, Vec<Supplied>) {
    let options = Options::default();
    let mut verification = Verification::new(&options, InputOrigin::named(uri), bytes.len() as u64).with_contents();
    let mut worker = Worker::new(BLOCK);
    let (mut tasks, mut supplied) = (None, Vec::new());
    let part = |range: core::ops::Range<u64>| {
        let (from, to) = (usize::try_from(range.start), usize::try_from(range.end));
        from.ok().zip(to.ok()).and_then(|(from, to)| bytes.get(from..to)).unwrap_or_default()
    };
    loop {
        match verification.step() {
            VerificationStep::Done | VerificationStep::Wait => break,
            VerificationStep::Bytes(range) => verification.give(range.start, part(range)),
            VerificationStep::Work(work) => {
                let tasks = tasks.get_or_insert_with(|| wanted(&verification));
                let mut body = Vec::new();
                let mut take = |index: u32, data: MemberData<'_>| match data {
                    MemberData::Bytes(bytes) if tasks.contains_key(&index) => body.extend_from_slice(bytes),
                    MemberData::Bytes(_) => {}
                    MemberData::End(is_sound) => {
                        let body = core::mem::take(&mut body);
                        if let Some(task) = tasks.remove(&index).filter(|_| is_sound)
                            && let Some(transferred) = verified(&task.resource, &body, uri)
                        {
                            supplied.push(Supplied { task, transferred, body });
                        }
                    }
                };
                worker.begin_taking(work, &mut take);
                while let Some(range) = worker.wants() {
                    worker.give_taking(part(range), &mut take);
                }
                verification.put(worker.finish());
            }
        }
    }
    (verification.finish(), supplied)
}

/// The bytes as a transfer, if they are as listed.
fn verified(resource: &ListedResource, body: &[u8], package: &str) -> Option<Transferred> {
    let listed = resource.hashes();
    let named = listed.iter().map(|hash| hash.algorithm.clone());
    let mut digester = Digester::new(named.chain([Algorithm::Sha256]));
    digester.push(body);
    let hashes = digester.finish();
    if !is_same(body, resource, &listed, &hashes) {
        return None;
    }
    let by = Verified::by(resource);
    let fixity = Fixity { length: body.len() as u64, hashes, is_coded: false, by, etag: None, modified: None };
    Some(staged(fixity, resource, body, Origin::at(BytesFrom::Package, package), 0))
}
