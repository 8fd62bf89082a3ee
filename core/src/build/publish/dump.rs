//! The dumps of a set: packages, copies of their manifests, and the document that lists them.

use alloc::{format, string::String, vec::Vec};

use super::{
    DumpHistory, PackageRecord, Settings, Store,
    change_lists::{check_end, datetime},
    files::{Files, PORTION},
    layout::SetLayout,
};
use crate::{
    build::{
        ChangeDump, ChangeDumpManifest, ChangePackage, Deflated, Document, Package, PackageWriter, Packed,
        PublishError, ResourceDump, ResourceDumpManifest,
    },
    model::{Entry, Head},
    value::{Capability, Datetime, Hashes, Uri},
};

/// A dump being written.
#[derive(Debug)]
pub(super) struct Dump {
    /// The history of a Change Dump.
    changes: bool,
    history: DumpHistory,
    package: Option<PackageWriter>,
    from: Datetime,
    last: Option<Datetime>,
}

impl Dump {
    pub(super) fn of_resources(set: &SetLayout) -> Dump {
        let history = DumpHistory::since(set.at.clone());
        Dump { changes: false, from: set.at.clone(), history, package: None, last: None }
    }

    pub(super) fn of_changes(history: DumpHistory) -> Dump {
        let from = history.packages.last().map_or(&history.from, |package| &package.until).clone();
        Dump { changes: true, history, package: None, from, last: None }
    }

    pub(super) fn is_of_changes(&self) -> bool {
        self.changes
    }

    fn stem(&self) -> &'static str {
        if self.changes { "changedump" } else { "resourcedump" }
    }

    fn package_name(&self, number: u64) -> String {
        format!("{}-{number}.zip", self.stem())
    }

    fn manifest_stem(&self, number: u64) -> String {
        format!("{}-{number}-manifest", self.stem())
    }

    /// The files of earlier publications that are still listed.
    pub(super) fn kept(&self, set: &SetLayout) -> Vec<String> {
        let files = |package: &PackageRecord| {
            [set.file(&self.package_name(package.number)), set.path(&self.manifest_stem(package.number))]
        };
        self.history.packages.iter().flat_map(files).collect()
    }

    /// The root metadata of the manifest; a package of changes has `until`.
    fn head(&self, set: &SetLayout, until: Option<&Datetime>) -> Head {
        if !self.changes {
            return ResourceDumpManifest::new(set.up.clone(), set.at.clone()).into_head();
        }
        let manifest = ChangeDumpManifest::new(set.up.clone(), self.from.clone());
        until.map_or_else(|| manifest.clone(), |until| manifest.clone().until(until.clone())).into_head()
    }

    /// Adds an entry; its bytes are written next.
    pub(super) fn push<S: Store>(
        &mut self,
        entry: Entry,
        set: &SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
    ) -> Result<(), PublishError<S::Error>> {
        self.add(Listed::of(&entry), set, settings, files, |package| package.push(entry))
    }

    /// Adds an entry with its bytes.
    pub(super) fn push_deflated<S: Store>(
        &mut self,
        deflated: Deflated,
        set: &SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
    ) -> Result<(), PublishError<S::Error>> {
        self.add(Listed::of(deflated.entry()), set, settings, files, |package| package.push_deflated(deflated))
    }

    fn add<S: Store>(
        &mut self,
        listed: Listed,
        set: &SetLayout,
        settings: &Settings,
        files: &mut Files<S>,
        push: impl FnOnce(&mut PackageWriter) -> Result<(), PublishError>,
    ) -> Result<(), PublishError<S::Error>> {
        if self.package.as_ref().is_some_and(|package| is_full(package, listed.length, settings)) {
            let until = self.last.as_ref().map_or_else(|| self.from.clone(), Datetime::to_utc);
            self.close(until, set, files)?;
        }
        let mut package = match self.package.take() {
            Some(package) => package,
            None => self.open(set, files)?,
        };
        let verdict = push(&mut package).map_err(PublishError::widen);
        self.package = Some(package);
        verdict?;
        self.last = listed.datetime.or(self.last.take());
        self.drain(files)
    }

    fn open<S: Store>(&self, set: &SetLayout, files: &mut Files<S>) -> Result<PackageWriter, PublishError<S::Error>> {
        let head = self.head(set, None);
        let options = set.options.clone();
        let package = PackageWriter::new(
            if self.changes { ChangeDumpManifest::KIND } else { ResourceDumpManifest::KIND },
            head,
            options,
        )?;
        files.begin(set.file(&self.package_name(self.history.next)))?;
        Ok(package)
    }

    pub(super) fn write<S: Store>(&mut self, bytes: &[u8], files: &mut Files<S>) -> Result<(), PublishError<S::Error>> {
        let package = self.package.as_mut().ok_or(PublishError::Misuse("bytes without an entry"))?;
        for portion in bytes.chunks(PORTION) {
            package.write(portion).map_err(PublishError::widen)?;
        }
        self.drain(files)
    }

    fn drain<S: Store>(&mut self, files: &mut Files<S>) -> Result<(), PublishError<S::Error>> {
        match &mut self.package {
            Some(package) if package.waiting() >= PORTION => files.write(&package.take()),
            _ => Ok(()),
        }
    }

    fn close<S: Store>(
        &mut self,
        until: Datetime,
        set: &SetLayout,
        files: &mut Files<S>,
    ) -> Result<(), PublishError<S::Error>> {
        let Some(package) = self.package.take() else { return Ok(()) };
        let head = self.head(set, Some(&until));
        let Packed { rest, manifest, length, sha256, .. } =
            package.finish_as(head, &mut files.accepted).map_err(PublishError::widen)?;
        files.write(&rest)?;
        files.end()?;
        let number = self.history.next;
        files.put(set.path(&self.manifest_stem(number)), &manifest)?;
        let from = core::mem::replace(&mut self.from, until.clone());
        self.history.packages.push(PackageRecord { number, from, until, length, sha256 });
        self.history.next = number.saturating_add(1);
        Ok(())
    }

    pub(super) fn end<S: Store>(
        mut self,
        set: &mut SetLayout,
        files: &mut Files<S>,
    ) -> Result<DumpHistory, PublishError<S::Error>> {
        if self.changes {
            check_end(self.last.as_ref(), &set.at)?;
        }
        self.close(set.at.clone(), set, files)?;
        let text = if self.changes { self.change_dump(set) } else { self.resource_dump(set) }?;
        let capability = if self.changes { Capability::ChangeDump } else { Capability::ResourceDump };
        files.put_document(set.path(self.stem()), set.listed(capability.clone(), self.stem(), None), &text)?;
        set.add(capability, self.stem());
        Ok(self.history)
    }

    fn resource_dump(&self, set: &SetLayout) -> Result<String, crate::build::Refused> {
        let mut dump = ResourceDump::new(set.up.clone(), set.at.clone()).begin_with(set.options.clone())?;
        for package in &self.history.packages {
            let (uri, manifest, hashes) = self.listed(package, set);
            let entry = Package::new(uri, package.length).hash(hashes);
            dump.push(entry.at(set.at.clone()).contents(manifest))?;
        }
        dump.finish()
    }

    fn change_dump(&self, set: &SetLayout) -> Result<String, crate::build::Refused> {
        let first = self.history.packages.first().map_or(&self.history.from, |package| &package.from);
        let mut dump = ChangeDump::new(set.up.clone(), first.clone()).begin_with(set.options.clone())?;
        for package in &self.history.packages {
            let (uri, manifest, hashes) = self.listed(package, set);
            let entry = ChangePackage::new(uri, package.length, package.from.clone()).until(package.until.clone());
            dump.push(entry.hash(hashes).contents(manifest))?;
        }
        dump.finish()
    }

    fn listed(&self, package: &PackageRecord, set: &SetLayout) -> (Uri, Uri, Hashes) {
        let hashes = format!("sha-256:{}", package.sha256).parse().unwrap_or_default();
        (set.file_uri(&self.package_name(package.number)), set.uri(&self.manifest_stem(package.number)), hashes)
    }
}

/// What an entry lists that matters here.
struct Listed {
    length: u64,
    datetime: Option<Datetime>,
}

impl Listed {
    fn of(entry: &Entry) -> Listed {
        let length = entry.first_md().and_then(|md| md.attributes.length()).and_then(|field| field.value());
        Listed { length: length.map_or(0, |length| length.0), datetime: datetime(entry) }
    }
}

/// True if an entry of this size must go to the next package.
fn is_full(package: &PackageWriter, length: u64, settings: &Settings) -> bool {
    let unpacked = package.unpacked();
    // An entry is much smaller than a tenth of a document.
    let manifest = settings.max_document_bytes.saturating_sub(settings.max_document_bytes / 10);
    package.entries() >= settings.max_package_entries.max(1)
        || unpacked > 0 && unpacked.saturating_add(length) > settings.max_package_bytes
        || package.manifest_bytes() > manifest
}
