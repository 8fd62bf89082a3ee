//! Bytes in memory, compared with what is listed.

use alloc::{string::ToString, vec::Vec};

use resourcesync::{
    codec::Gunzip,
    diagnostic::Reason,
    fixity::Digester,
    limits::Limits,
    value::{Algorithm, Hashes, to_hex},
};

use crate::{
    destination::Transferred,
    listed_resource::ListedResource,
    report::Origin,
    stored_state::StoredState,
    transfer::{Fixity, undecodable},
};

/// A verified body.
pub(super) fn staged(
    fixity: Fixity,
    resource: &ListedResource,
    body: &[u8],
    from: Origin,
    received: u64,
) -> Transferred {
    let mut digester = Digester::new([Algorithm::Sha256]);
    digester.push(body);
    let state = StoredState {
        hash: Some(fixity.hashes.to_string()),
        length: resource.length,
        lastmod: resource.lastmod.clone(),
        etag: fixity.etag,
        modified: fixity.modified,
        sha256: digester.finish().get(&Algorithm::Sha256).map(to_hex).unwrap_or_default(),
        size: body.len() as u64,
    };
    Transferred::Staged { number: 0, state, mtime: 0, by: fixity.by, received, from }
}

/// The bytes without the coding in which they were sent.
pub(super) fn decoded(body: Vec<u8>, is_coded: bool) -> Result<Vec<u8>, Reason> {
    if !is_coded {
        return Ok(body);
    }
    let mut gunzip = Gunzip::new(Limits::default().inflate_ratio);
    let mut plain = Vec::new();
    gunzip.push(&body, &mut |bytes| plain.extend_from_slice(bytes)).map_err(undecodable)?;
    gunzip.finish(&mut |bytes| plain.extend_from_slice(bytes)).map_err(undecodable)?;
    Ok(plain)
}

/// True if a body has the listed digests and length.
pub(super) fn is_listed(body: &[u8], resource: &ListedResource) -> bool {
    let listed = resource.hashes();
    let mut digester = Digester::new(listed.iter().map(|hash| hash.algorithm.clone()));
    digester.push(body);
    listed.iter().next().is_some() && is_same(body, resource, &listed, &digester.finish())
}

/// True if nothing that is listed of a body differs. `hashes` are its digests.
pub(super) fn is_same(body: &[u8], resource: &ListedResource, listed: &Hashes, hashes: &Hashes) -> bool {
    resource.length.is_none_or(|length| length == body.len() as u64)
        && listed.iter().all(|hash| hashes.get(&hash.algorithm) == Some(&*hash.digest))
}
