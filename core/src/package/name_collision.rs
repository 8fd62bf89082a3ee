//! Members whose names collide on some file systems.

use alloc::string::ToString;

use super::{
    archive::{Archive, What, shown},
    name_similarity::collisions,
};
use crate::diagnostic::{Code, Finding, Sink};

/// Finds all of them, once the members are sorted. Names longer than `limit` are truncated.
pub(super) fn all(archive: &Archive, limit: usize, sink: &mut dyn Sink) {
    repeated(archive, limit, sink);
    colliding(archive, sink);
    inside_files(archive, sink);
}

/// Several members with the same name.
fn repeated(archive: &Archive, limit: usize, sink: &mut dyn Sink) {
    let names = archive.by_name.chunk_by(|a, b| archive.name(*a) == archive.name(*b) && archive.name(*a).len() < limit);
    for same in names.filter(|same| same.len() > 1) {
        let Some(first) = same.first() else { continue };
        sink.found(Finding::new(Code::PKG_12).arg("member", archive.shown(*first)).arg("count", same.len()));
    }
}

/// Names that collide on case-insensitive or normalizing file systems.
fn colliding(archive: &Archive, sink: &mut dyn Sink) {
    collisions(archive, &|_| true, &mut |first, _, name| {
        let (member, other) = (shown(name.as_bytes()), archive.shown(first));
        sink.found(Finding::new(Code::ZIP_16).arg("member", member).arg("other", other));
    });
}

/// Names that need a folder in the place of a file.
fn inside_files(archive: &Archive, sink: &mut dyn Sink) {
    let mut last_parent: &[u8] = &[];
    for index in &archive.by_name {
        let name = archive.name(*index);
        let Some(slash) = memchr::memrchr(b'/', name) else { continue };
        let parent = name.get(..slash).unwrap_or(&[]);
        // Adjacent names usually share their folder, which was checked for the first of them.
        if parent == last_parent {
            continue;
        }
        last_parent = parent;
        let slashes = memchr::memchr_iter(b'/', name).take(256);
        for at in slashes {
            let folder = name.get(..at).unwrap_or(&[]);
            let file = archive.find(folder).filter(|_| !folder.is_empty());
            if file.and_then(|file| archive.get(file)).is_some_and(|file| file.what != What::Directory) {
                sink.found(
                    Finding::new(Code::ZIP_17).arg("member", shown(folder)).arg("other", shown(name).to_string()),
                );
                break;
            }
        }
    }
}
