//! The digests of files.

use std::{
    fs,
    io::{self, Read},
};

use resourcesync::{
    fixity::Digester,
    value::{Algorithm, Hashes, to_hex},
};
use resourcesync_sync::{ListedResource, StoredState, destination::Transferred};

/// Bytes read at a time.
pub(super) const WINDOW: usize = 64 << 10;

/// A file, if it has the listed digests and length.
pub(super) fn compare(mut file: fs::File, mtime: i64, resource: &ListedResource) -> io::Result<Option<Transferred>> {
    let listed = resource.hashes();
    let meta = file.metadata()?;
    let is_other = resource.encoding.is_some() || resource.length.is_some_and(|length| length != meta.len());
    if is_other || listed.iter().next().is_none() {
        return Ok(None);
    }
    let named = listed.iter().map(|hash| hash.algorithm.clone());
    let hashes = digests(&mut file, named.chain([Algorithm::Sha256]))?;
    if listed.iter().any(|hash| hashes.get(&hash.algorithm) != Some(&*hash.digest)) {
        return Ok(None);
    }
    let state = StoredState {
        hash: Some(hashes.to_string()),
        length: resource.length,
        lastmod: resource.lastmod.clone(),
        sha256: sha256(&hashes),
        size: meta.len(),
        ..StoredState::default()
    };
    Ok(Some(Transferred::Adopted { state, mtime }))
}

/// The digests of a file.
pub(in crate::destination) fn digests(
    file: &mut (impl Read + ?Sized),
    algorithms: impl IntoIterator<Item = Algorithm>,
) -> io::Result<Hashes> {
    let mut digester = Digester::new(algorithms);
    let mut window = vec![0; WINDOW];
    loop {
        match file.read(&mut window) {
            Ok(0) => return Ok(digester.finish()),
            Ok(length) => digester.push(window.get(..length).unwrap_or_default()),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}

/// The SHA-256 among digests, in hexadecimal.
pub(in crate::destination) fn sha256(hashes: &Hashes) -> String {
    hashes.get(&Algorithm::Sha256).map(to_hex).unwrap_or_default()
}
