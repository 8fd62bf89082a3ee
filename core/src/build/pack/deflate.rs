//! Deflates bitstreams, also before it is known where in a package they will be.

use alloc::{boxed::Box, vec::Vec};

use miniz_oxide::{
    DataFormat,
    deflate::core::{CompressorOxide, TDEFLFlush, compress_to_output, create_comp_flags_from_zip_params},
};

use super::member::{Member, is_stored};
use crate::model::Entry;

/// A bitstream with its entry, deflated and with its digests, ready to be added to a package.
///
/// It is the part of packaging that takes the time and needs nothing of the package, so that several can be made at the same time.
#[derive(Debug)]
pub struct Deflated {
    pub(super) member: Member,
    pub(super) data: Vec<u8>,
    pub(super) crc: u32,
    pub(super) length: u64,
}

/// Deflates bitstreams, one after the other.
///
/// ```
/// use resourcesync::build::{BuildOptions, Deflater, PackageWriter, Resource, ResourceDumpManifest};
///
/// let manifest = || ResourceDumpManifest::new("http://example.com/capabilitylist.xml".parse().unwrap(), "2024-05-01T00:00:00Z".parse().unwrap());
/// let resource = Resource::new("http://example.com/1.html".parse()?);
/// let mut package = PackageWriter::resources(manifest(), BuildOptions::default())?;
/// package.push_deflated(Deflater::default().deflate(resource.clone(), b"<p>one</p>"))?;
/// // The same as in one step.
/// let mut other = PackageWriter::resources(manifest(), BuildOptions::default())?;
/// other.push(resource)?;
/// other.write(b"<p>one</p>")?;
/// assert_eq!(package.finish()?, other.finish()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Deflater(Deflate);

impl Deflated {
    pub(in crate::build) fn entry(&self) -> &Entry {
        &self.member.entry
    }
}

impl Deflater {
    /// Deflates the bitstream of an entry, and computes the digests that the entry states.
    pub fn deflate(&mut self, entry: impl Into<Entry>, bytes: &[u8]) -> Deflated {
        let mut member = Member::new(entry.into());
        self.0.start(is_stored(&member.entry));
        let mut data = Vec::new();
        self.0.push(bytes, TDEFLFlush::Finish, &mut data);
        member.update(bytes);
        Deflated { member, data, crc: crc32fast::hash(bytes), length: bytes.len() as u64 }
    }
}

/// The compressor, whose output is the same on every platform.
pub(super) struct Deflate(Box<CompressorOxide>);

impl Default for Deflate {
    fn default() -> Deflate {
        Deflate(Box::new(CompressorOxide::new(create_comp_flags_from_zip_params(6, -15, 0))))
    }
}

impl Deflate {
    /// Starts a bitstream; one that is compressed already is stored.
    pub(super) fn start(&mut self, is_stored: bool) {
        self.0.reset();
        self.0.set_format_and_level(DataFormat::Raw, if is_stored { 0 } else { 6 });
    }

    pub(super) fn push(&mut self, bytes: &[u8], flush: TDEFLFlush, out: &mut Vec<u8>) {
        compress_to_output(&mut self.0, bytes, flush, |packed| {
            out.extend_from_slice(packed);
            true
        });
    }
}

impl core::fmt::Debug for Deflate {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Deflate").finish_non_exhaustive()
    }
}
