//! Writes a dump package: bitstreams in, a ZIP archive with its manifest out.

use alloc::{collections::BTreeSet, format, string::String, vec::Vec};

use sha2::{Digest, Sha256};

use super::{
    deflate::Deflated,
    member::{Member, is_stored, path, set},
    zip::Zip,
};
use crate::{
    build::{Accepted, BuildOptions, Builder, PublishError, Refused},
    diagnostic::{Code, Finding},
    model::{AttributeValue, Entry, Field, Head, Kind, Link},
    package::{name_fault, near_key},
    rules::KindProfile,
    span::Span,
    value::{Change, MediaType, Relation, to_hex},
};

/// Writes one package of a Resource Dump or a Change Dump.
///
/// Push an entry of the manifest, then write its bytes. Length and digests of the entry are compared with the bytes; a missing length, media
/// type or path is filled in. Members are deflated and timestamps are fixed, so output is reproducible. The archive is written sequentially
/// and may have any size.
///
/// ```
/// use resourcesync::{api::{InputOrigin, Options, validate}, build::{BuildOptions, Document, PackageWriter, Resource, ResourceDumpManifest}, report::Verdict};
///
/// let manifest = ResourceDumpManifest::new("http://example.com/capabilitylist.xml".parse()?, "2024-05-01T00:00:00Z".parse()?);
/// let mut package = PackageWriter::resources(manifest, BuildOptions::default())?;
/// package.push(Resource::new("http://example.com/1.html".parse()?).media_type("text/html".parse()?))?;
/// package.write(b"<p>one</p>")?;
/// let mut bytes = package.take();
/// let packed = package.finish()?;
/// bytes.extend(packed.rest);
/// assert_eq!(packed.length, bytes.len() as u64);
/// let report = validate(&bytes, InputOrigin::named("package.zip"), &Options::default());
/// assert_eq!((report.verdict, report.diagnostics.len()), (Verdict::Valid, 0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PackageWriter {
    zip: Zip,
    manifest: Builder,
    member: Option<Member>,
    /// Bytes of the bitstreams so far.
    unpacked: u64,
    /// Hashes of the names, folded as other file systems fold them.
    names: BTreeSet<u64>,
    digest: Sha256,
    length: u64,
}

/// A complete package.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Packed {
    /// The output that was not taken yet.
    pub rest: Vec<u8>,
    /// The manifest, so that a copy can be published separately.
    pub manifest: String,
    /// The size of the package in bytes.
    pub length: u64,
    /// Its SHA-256, in hexadecimal.
    pub sha256: String,
    /// Findings below [`BuildOptions::fail_on`].
    pub accepted: Accepted,
}

const TOO_LARGE: &str = "a bitstream of 4 GiB or more needs its `length` in advance";

impl PackageWriter {
    /// Starts a package of a Resource Dump.
    ///
    /// # Errors
    ///
    /// If the root metadata of the manifest is not valid.
    pub fn resources(
        manifest: crate::build::ResourceDumpManifest,
        options: BuildOptions,
    ) -> Result<PackageWriter, Refused> {
        PackageWriter::new(Kind::ResourceDumpManifest, crate::build::Document::into_head(manifest), options)
    }

    /// Starts a package of a Change Dump.
    ///
    /// # Errors
    ///
    /// As [`PackageWriter::resources`].
    pub fn changes(
        manifest: crate::build::ChangeDumpManifest,
        options: BuildOptions,
    ) -> Result<PackageWriter, Refused> {
        PackageWriter::new(Kind::ChangeDumpManifest, crate::build::Document::into_head(manifest), options)
    }

    /// Starts a package with a manifest of a kind.
    ///
    /// # Errors
    ///
    /// As [`PackageWriter::resources`]; also if the kind is not that of a manifest.
    pub fn new(kind: Kind, head: Head, options: BuildOptions) -> Result<PackageWriter, Refused> {
        if !KindProfile::of(kind).is_manifest() {
            let expected = Finding::new(Code::PKG_07).arg("expectedKind", Kind::ResourceDumpManifest);
            return Err(expected.arg("kind", kind).into());
        }
        let mut manifest = Builder::new(kind, head, options)?;
        // The head was checked; its final text is written at the end.
        manifest.take();
        Ok(PackageWriter {
            zip: Zip::new(),
            manifest,
            member: None,
            unpacked: 0,
            // No member may have a name that could be confused with that of the manifest.
            names: BTreeSet::from([near_key("manifest.xml")]),
            digest: Sha256::new(),
            length: 0,
        })
    }

    /// Adds an entry to the manifest. The bytes written next are its bitstream; a deletion has none.
    ///
    /// # Errors
    ///
    /// If the entry is invalid; the package is then unchanged. Also if the bytes of the previous entry did not match its description, or
    /// exceeded a limit; discard the package then.
    pub fn push(&mut self, entry: impl Into<Entry>) -> Result<(), PublishError> {
        self.end_member()?;
        let mut entry = entry.into();
        if is_deletion(&entry) {
            return Ok(self.manifest.try_push(&mut entry)?);
        }
        let (name, length) = self.admit(&mut entry)?;
        self.zip.begin(&name, length, is_stored(&entry));
        self.member = Some(Member::new(entry));
        Ok(())
    }

    /// Adds an entry with its bitstream, which was deflated before.
    ///
    /// # Errors
    ///
    /// As [`push`](PackageWriter::push); also if the bytes do not match the description of the entry; discard the package then.
    pub fn push_deflated(&mut self, deflated: Deflated) -> Result<(), PublishError> {
        self.end_member()?;
        let Deflated { mut member, data, crc, length } = deflated;
        if is_deletion(&member.entry) {
            return Err(PublishError::Misuse("a deletion has no bitstream"));
        }
        let (name, listed) = self.admit(&mut member.entry)?;
        let mut entry = member.finish().map_err(|finding| Refused::from(*finding))?;
        self.zip.append(&name, listed, length, (&data, crc)).map_err(|_| PublishError::Misuse(TOO_LARGE))?;
        self.unpacked = self.unpacked.saturating_add(length);
        Ok(self.manifest.try_push(&mut entry)?)
    }

    /// Completes an entry and checks that it can be added. Returns the name of its member, and its length if that is listed.
    fn admit(&mut self, entry: &mut Entry) -> Result<(String, u64), PublishError> {
        self.complete(entry);
        self.manifest.try_out(entry)?;
        let path = path(entry);
        let name = path.strip_prefix('/').unwrap_or(&path);
        if let Some((code, problem)) = name_fault(name) {
            return Err(Refused::from(Finding::new(code).arg("member", name).arg("problem", problem)).into());
        }
        if !self.names.insert(near_key(name)) {
            return Err(Refused::from(Finding::new(Code::ZIP_16).arg("member", name).arg("other", name)).into());
        }
        let length = entry.first_md().and_then(|md| md.attributes.length()).and_then(|field| field.value());
        Ok((name.into(), length.map_or(0, |own| own.0)))
    }

    /// Fills in values that the manifest requires and the entry lacks.
    fn complete(&self, entry: &mut Entry) {
        let number = self.entries().saturating_add(1);
        let extension = entry.uri().map(|uri| extension(uri.path())).unwrap_or_default();
        // A patch would have to be packaged as well.
        let is_patch = |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(Relation::is_patch);
        entry.links.retain(|link| !is_patch(link) || link.attributes.path().is_some());
        let attributes = entry.first_md().map(|md| &md.attributes);
        let (typed, placed) = (
            attributes.is_some_and(|own| own.media_type().is_some()),
            attributes.is_some_and(|own| own.path().is_some()),
        );
        if !typed {
            set(entry, AttributeValue::Type(Field::new(MediaType::bytes())));
        }
        if !placed {
            let path = format!("/resources/{number}{extension}");
            set(entry, AttributeValue::Path(Field::read(&path, Span::default())));
        }
    }

    /// Adds bytes of the bitstream of the entry that was pushed last.
    ///
    /// # Errors
    ///
    /// If there is none.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), PublishError> {
        let member = self.member.as_mut().ok_or(PublishError::Misuse("bytes without an entry"))?;
        member.update(bytes);
        self.unpacked = self.unpacked.saturating_add(bytes.len() as u64);
        self.zip.write(bytes);
        Ok(())
    }

    fn end_member(&mut self) -> Result<(), PublishError> {
        let Some(member) = self.member.take() else { return Ok(()) };
        self.zip.end().map_err(|_| PublishError::Misuse(TOO_LARGE))?;
        let mut entry = member.finish().map_err(|finding| Refused::from(*finding))?;
        Ok(self.manifest.try_push(&mut entry)?)
    }

    /// Returns the output written since the last call.
    pub fn take(&mut self) -> Vec<u8> {
        let bytes = self.zip.take();
        self.digest.update(&bytes);
        self.length = self.length.saturating_add(bytes.len() as u64);
        bytes
    }

    /// The number of entries so far.
    pub fn entries(&self) -> u64 {
        self.manifest.entries().saturating_add(u64::from(self.member.is_some()))
    }

    /// Bytes of the bitstreams so far.
    pub fn unpacked(&self) -> u64 {
        self.unpacked
    }

    /// Bytes of output that were not taken yet.
    pub(in crate::build) fn waiting(&self) -> usize {
        self.zip.waiting()
    }

    /// Bytes of the manifest so far.
    pub(in crate::build) fn manifest_bytes(&self) -> u64 {
        self.manifest.bytes()
    }

    /// Ends the package.
    ///
    /// # Errors
    ///
    /// If the bytes of the last entry did not match its description, or the manifest as a whole is invalid.
    pub fn finish(self) -> Result<Packed, PublishError> {
        let head = self.manifest.head().clone();
        let mut accepted = Accepted::default();
        let packed = self.finish_as(head, &mut accepted)?;
        Ok(Packed { accepted, ..packed })
    }

    /// Ends the package with a manifest whose head is known only now.
    pub(in crate::build) fn finish_as(mut self, head: Head, accepted: &mut Accepted) -> Result<Packed, PublishError> {
        self.end_member()?;
        let PackageWriter { mut zip, manifest, mut digest, length, .. } = self;
        let manifest = manifest.finish_as(head, accepted)?;
        zip.begin("manifest.xml", manifest.len() as u64, false);
        zip.write(manifest.as_bytes());
        zip.end().map_err(|_| PublishError::Misuse("the manifest is too large"))?;
        let rest = zip.finish();
        digest.update(&rest);
        let length = length.saturating_add(rest.len() as u64);
        let sha256 = to_hex(&digest.finalize());
        Ok(Packed { rest, manifest, length, sha256, accepted: Accepted::default() })
    }
}

pub(in crate::build) fn is_deletion(entry: &Entry) -> bool {
    let change = entry.first_md().and_then(|md| md.attributes.change()).and_then(|field| field.value());
    change == Some(&Change::Deleted)
}

/// The extension of a file name, if it is harmless.
fn extension(path: &str) -> String {
    let name = path.rsplit('/').next().unwrap_or("");
    let Some((_, extension)) = name.rsplit_once('.') else { return String::new() };
    let plain = (1..=8).contains(&extension.len()) && extension.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if plain { format!(".{}", extension.to_ascii_lowercase()) } else { String::new() }
}
