//! The content of one response: a document, a page or a `robots.txt`.

use alloc::{
    boxed::Box,
    string::{String, ToString},
    vec::Vec,
};

use resourcesync::{
    codec::Gunzip,
    diagnostic::{Reason, ReasonCode},
    fixity::Digester,
    limits::Limits,
    model::{AnyField, Field, Item, Kind, Md, Shape},
    read::{ReadEvent, Reader},
    value::{Algorithm, Capability, Datetime, Uri},
};

use super::{Head, Role};
use crate::{
    change::Change,
    listed_resource::ListedResource,
    package::{Package, Stated},
};

/// The maximum number of bytes examined of a page or a `robots.txt`.
const TEXT: usize = 1 << 20;

/// An entry that links to a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Child {
    pub(crate) uri: String,
    pub(crate) capability: Option<Capability>,
    /// `at`, `completed`, `from` and `until`, as the entry claims.
    pub(crate) at: Option<String>,
    pub(crate) completed: Option<String>,
    pub(crate) from: Option<String>,
    pub(crate) until: Option<String>,
    /// What the entry claims of a package.
    pub(crate) stated: Stated,
}

/// An entry of a list.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Listed {
    /// A resource.
    Resource(ListedResource),
    /// A change.
    Change(Change),
    /// A package.
    Package(Package),
}

/// A response being read.
#[derive(Debug)]
pub(crate) struct Content {
    role: Role,
    /// True if only its digest is required.
    is_polling: bool,
    digester: Digester,
    gunzip: Option<Box<GunzipBox>>,
    /// The first bytes, until gzip has been detected or excluded.
    first: Option<Vec<u8>>,
    reader: Box<Reader>,
    /// The start of the text, if it may be a page.
    pub(crate) text: Vec<u8>,
    keeps_text: bool,
    bytes: u64,
    /// True until anything but blanks has been read.
    is_blank: bool,
    limits: Limits,
    shape: Option<Shape>,
    pub(crate) kind: Kind,
    /// True once the first entry has been read, so that the kind is known.
    has_begun: bool,
    pub(crate) at: Option<String>,
    pub(crate) completed: Option<String>,
    pub(crate) from: Option<String>,
    pub(crate) until: Option<String>,
    pub(crate) up: Option<String>,
    pub(crate) index: Option<String>,
    /// The next page of a list that is served in pages.
    pub(crate) next: Option<String>,
    pub(crate) children: Vec<Child>,
    pub(crate) entries: u64,
    pub(crate) unreadable: u64,
    /// The reason why it cannot be read.
    pub(crate) problem: Option<Reason>,
    is_over: bool,
}

/// The decoder of a document stored as gzip.
struct GunzipBox(Gunzip);

impl core::fmt::Debug for GunzipBox {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("Gunzip")
    }
}

impl Content {
    pub(crate) fn new(role: Role, is_polling: bool, head: &Head, limits: &Limits) -> Content {
        let keeps_text = matches!(role, Role::Start | Role::Robots) && head.status == 200;
        Content {
            role,
            is_polling,
            digester: Digester::new([Algorithm::Sha256]),
            gunzip: None,
            first: Some(Vec::new()),
            reader: Box::new(Reader::new(limits)),
            text: Vec::new(),
            keeps_text,
            bytes: 0,
            is_blank: true,
            limits: limits.clone(),
            shape: None,
            kind: Kind::Unknown,
            has_begun: false,
            at: None,
            completed: None,
            from: None,
            until: None,
            up: None,
            index: None,
            next: None,
            children: Vec::new(),
            entries: 0,
            unreadable: 0,
            problem: None,
            is_over: false,
        }
    }

    /// True for the beginning of a document, as opposed to a page.
    pub(super) fn is_cut(&self) -> bool {
        const DECLARATION: &[u8] = b"<?xml";
        let text = self.text.trim_ascii_start();
        let is_xml = text.starts_with(DECLARATION) || DECLARATION.starts_with(text);
        let is_page = || self.text.windows(5).any(|tag| tag.eq_ignore_ascii_case(b"<html"));
        self.problem.is_some() && (self.shape.is_some() || (is_xml && !is_page()))
    }

    /// The SHA-256 of the bytes.
    pub(crate) fn digest(&mut self) -> String {
        core::mem::take(&mut self.digester).finish().to_string()
    }

    pub(crate) fn push(&mut self, bytes: &[u8], listed: &mut dyn FnMut(Listed)) {
        self.digester.push(bytes);
        if self.is_polling || self.role == Role::Again {
            return;
        }
        let Some(mut first) = self.first.take() else { return self.unpack(bytes, listed) };
        first.extend_from_slice(bytes);
        match first.get(..2) {
            None => self.first = Some(first),
            Some(magic) => {
                if magic == [0x1f, 0x8b] {
                    self.gunzip = Some(Box::new(GunzipBox(Gunzip::new(self.limits.inflate_ratio))));
                }
                self.unpack(&first, listed);
            }
        }
    }

    fn unpack(&mut self, bytes: &[u8], listed: &mut dyn FnMut(Listed)) {
        let Some(mut gunzip) = self.gunzip.take() else { return self.read(bytes, listed) };
        let outcome = gunzip.0.push(bytes, &mut |unpacked| self.read(unpacked, listed));
        if let Err(error) = outcome {
            self.broken(Reason::new(ReasonCode::InvalidGzip).arg("problem", error.as_str()));
        }
        self.gunzip = Some(gunzip);
    }

    fn broken(&mut self, reason: Reason) {
        self.problem.get_or_insert(reason);
    }

    fn read(&mut self, mut bytes: &[u8], listed: &mut dyn FnMut(Listed)) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if self.is_blank {
            // A newline before the XML declaration, as a deployed Source writes it, leaves no doubt about the document.
            bytes = bytes.trim_ascii_start();
            self.is_blank = bytes.is_empty();
        }
        if self.keeps_text {
            let room = TEXT.saturating_sub(self.text.len());
            self.text.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
        }
        if self.bytes > self.limits.document_bytes {
            self.broken(
                Reason::new(ReasonCode::BodyTooLong)
                    .arg("n", self.limits.document_bytes)
                    .arg("limit", "document_bytes"),
            );
        }
        while !bytes.is_empty() && self.problem.is_none() && self.role != Role::Robots {
            let taken = self.reader.push(bytes);
            bytes = bytes.get(taken..).unwrap_or_default();
            self.items(listed);
        }
    }

    /// Marks the end of the bytes.
    pub(crate) fn finish(&mut self, listed: &mut dyn FnMut(Listed)) {
        if let Some(first) = self.first.take() {
            self.read(&first, listed);
        }
        if let Some(mut gunzip) = self.gunzip.take()
            && let Err(error) = gunzip.0.finish(&mut |unpacked| self.read(unpacked, listed))
        {
            self.broken(Reason::new(ReasonCode::InvalidGzip).arg("problem", error.as_str()));
        }
        if self.role == Role::Robots {
            return;
        }
        self.reader.finish();
        self.items(listed);
        if !self.is_over {
            self.broken(Reason::new(ReasonCode::Truncated));
        }
    }

    fn items(&mut self, listed: &mut dyn FnMut(Listed)) {
        while let Some(event) = self.reader.next() {
            match event {
                ReadEvent::Encoding(..) => {}
                ReadEvent::Fault(fault) => {
                    let text = resourcesync::read::fault_text(&fault);
                    self.problem.get_or_insert(Reason::other(text));
                }
                ReadEvent::Item(item) => match item {
                    Item::Root(root) => self.shape = root.shape,
                    Item::Md(md) if !self.has_begun => {
                        if self.kind == Kind::Unknown {
                            self.kind = kind(self.shape, md);
                            self.at = written(md.attributes.at());
                            self.completed = written(md.attributes.completed());
                            self.from = written(md.attributes.from());
                            self.until = written(md.attributes.until());
                        }
                    }
                    Item::Link(link) => {
                        let href = link.attributes.href().and_then(|href| href.value()).map(Uri::as_str);
                        let is =
                            |name| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|rel| rel.is(name));
                        for (name, place) in
                            [("up", &mut self.up), ("index", &mut self.index), ("next", &mut self.next)]
                        {
                            if is(name) && place.is_none() {
                                *place = href.map(ToString::to_string);
                            }
                        }
                    }
                    Item::Entry(entry) => {
                        self.has_begun = true;
                        self.entries = self.entries.saturating_add(1);
                        if self.entries > self.limits.entries {
                            let reason = Reason::other(alloc::format!(
                                "more than {} entries (limit entries)",
                                self.limits.entries
                            ));
                            self.problem.get_or_insert(reason);
                        }
                        let md = entry.first_md().map(|md| &md.attributes);
                        let capability = md.and_then(|md| md.capability()).and_then(|field| field.value());
                        // An index that is served as a `urlset`: its entries name the capability of their lists.
                        let is_list = matches!(capability, Some(Capability::ResourceList | Capability::ChangeList));
                        match (self.kind, self.role) {
                            // For a list given by the user, its Capability List is read first.
                            (Kind::ResourceList | Kind::ChangeList, Role::Start) if self.up.is_some() => {}
                            (Kind::ResourceList | Kind::ResourceDumpManifest, _) if !is_list => {
                                match ListedResource::of(entry) {
                                    Some(resource) => listed(Listed::Resource(resource)),
                                    None => self.unreadable = self.unreadable.saturating_add(1),
                                }
                            }
                            (Kind::ChangeList, Role::Changes | Role::ChangeList)
                            | (Kind::ChangeDumpManifest, Role::Manifest)
                                if !is_list =>
                            {
                                let change = Change::of(entry, self.entries.saturating_sub(1));
                                if change.resource.is_none() {
                                    self.unreadable = self.unreadable.saturating_add(1);
                                }
                                listed(Listed::Change(change));
                            }
                            (Kind::ResourceDump | Kind::ChangeDump, Role::Dump) => match Package::of(entry) {
                                Some(package) => listed(Listed::Package(package)),
                                None => self.unreadable = self.unreadable.saturating_add(1),
                            },
                            (kind, _) if kind.is_plain() => {}
                            _ => match entry.uri() {
                                Some(uri) => {
                                    self.children.push(Child {
                                        uri: uri.as_str().to_string(),
                                        capability: capability.cloned(),
                                        at: written(md.and_then(|md| md.at())),
                                        completed: written(md.and_then(|md| md.completed())),
                                        from: written(md.and_then(|md| md.from())),
                                        until: written(md.and_then(|md| md.until())),
                                        stated: md.map(Stated::of).unwrap_or_default(),
                                    });
                                }
                                None => self.unreadable = self.unreadable.saturating_add(1),
                            },
                        }
                    }
                    Item::End(_) => self.is_over = true,
                    Item::Md(_) | Item::Other(_) | Item::Namespace(_) | Item::Extensions(_) => {}
                },
            }
            if self.problem.is_some() {
                return;
            }
        }
    }
}

/// A date and time, if it can be read, as written.
fn written(field: Option<&Field<Datetime>>) -> Option<String> {
    field.filter(|field| field.value().is_some()).map(|field| field.text().into_owned())
}

fn kind(shape: Option<Shape>, md: &Md) -> Kind {
    let capability = md.attributes.capability().and_then(|capability| capability.value());
    match (shape, capability) {
        (Some(shape), Some(capability)) => Kind::from_parts(shape, capability),
        _ => Kind::Unknown,
    }
}
