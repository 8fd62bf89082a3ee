//! Reads the dumps of a Source, and their indexes, for the packages that they list. No package is read here.
//!
//! A dump is only a place for bytes: one that cannot be read is passed over, and proves nothing.

use alloc::{
    boxed::Box,
    collections::{BTreeSet, VecDeque},
    string::String,
    vec::Vec,
};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    limits::Limits,
    model::Kind,
    value::key,
};

use crate::{
    known::Role,
    package::Package,
    survey::{
        Head, Read, Request, Step,
        content::{Content, Listed},
    },
};

/// The maximum number of dumps that are read, with their indexes.
const DOCUMENTS: usize = 1_000;
/// The maximum number of packages that are considered.
const PACKAGES: usize = 100_000;

/// What the dumps list.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Offered {
    /// The packages.
    pub packages: Vec<Package>,
    /// The dumps that were read.
    pub documents: Vec<Read>,
    /// The dumps that were not, and why.
    pub unread: Vec<(String, Reason)>,
}

/// The document being read.
#[derive(Debug)]
struct Reading {
    uri: String,
    status: u16,
    content: Box<Content>,
    packages: Vec<Package>,
}

/// Reads dumps.
#[derive(Debug)]
pub struct Dumps {
    limits: Limits,
    tasks: VecDeque<String>,
    seen: BTreeSet<String>,
    requested: Option<String>,
    reading: Option<Reading>,
    offered: Offered,
}

impl Dumps {
    /// Begins with the dumps that Capability Lists name.
    pub fn new(dumps: &[String], limits: &Limits) -> Dumps {
        let mut own = Dumps {
            limits: limits.clone(),
            tasks: VecDeque::new(),
            seen: BTreeSet::new(),
            requested: None,
            reading: None,
            offered: Offered::default(),
        };
        dumps.iter().cloned().for_each(|uri| own.want(uri));
        own
    }

    fn want(&mut self, uri: String) {
        if self.seen.len() < DOCUMENTS && self.seen.insert(key(&uri)) {
            self.tasks.push_back(uri);
        }
    }

    /// The next step.
    #[allow(clippy::should_implement_trait)] // it never ends by itself
    pub fn next(&mut self) -> Step {
        let Some(uri) = self.tasks.pop_front() else { return Step::Done };
        self.requested = Some(uri.clone());
        Step::Read(Request { uri, ..Request::default() })
    }

    /// Processes the head of the response.
    pub fn answer(&mut self, head: Head) {
        let Some(uri) = self.requested.take() else { return };
        let content = Box::new(Content::new(Role::Dump, false, &head, &self.limits));
        self.reading = Some(Reading { uri, status: head.status, content, packages: Vec::new() });
    }

    /// Processes bytes of the body, without content coding.
    pub fn push(&mut self, bytes: &[u8]) {
        if let Some(Reading { content, packages, .. }) = &mut self.reading {
            content.push(bytes, &mut |listed| packages.extend(package(listed)));
        }
    }

    /// Processes the end of the body.
    pub fn end(&mut self) {
        let Some(Reading { uri, status, mut content, mut packages }) = self.reading.take() else { return };
        content.finish(&mut |listed| packages.extend(package(listed)));
        if status != 200 {
            return self.unread(uri, Reason::new(ReasonCode::HttpStatus).arg("status", status));
        }
        if let Some(problem) = content.problem.take() {
            return self.unread(uri, problem);
        }
        let (kind, entries) = (content.kind, content.entries);
        match kind {
            Kind::ResourceDump | Kind::ChangeDump => {
                let at = content.at.take();
                let room = PACKAGES.saturating_sub(self.offered.packages.len());
                let readable = packages.into_iter().filter(Package::is_readable);
                // A package without a time has that of its dump.
                self.offered.packages.extend(
                    readable.take(room).map(|package| Package { at: package.at.or_else(|| at.clone()), ..package }),
                );
            }
            Kind::ResourceDumpIndex | Kind::ChangeDumpIndex => {
                content.children.drain(..).for_each(|child| self.want(child.uri))
            }
            kind => return self.unread(uri, Reason::new(ReasonCode::Format).arg("looks", kind.title())),
        }
        let at = content.at.take();
        self.offered.documents.push(Read { uri, role: Role::Dump, kind, entries, at, unread: None, is_same: false });
    }

    /// Processes a missing response or a truncated body.
    pub fn failed(&mut self, reason: Reason) {
        let uri = self.reading.take().map(|reading| reading.uri).or_else(|| self.requested.take());
        if let Some(uri) = uri {
            self.unread(uri, reason);
        }
    }

    /// Processes a truncated body whose document will be requested again.
    pub fn again(&mut self) {
        if let Some(reading) = self.reading.take() {
            self.tasks.push_front(reading.uri);
        }
    }

    /// Ends reading early.
    pub fn stop(&mut self, _: &Reason) {
        (self.requested, self.reading) = (None, None);
        self.tasks.clear();
    }

    /// What was found, once everything has been read.
    pub fn finish(self) -> Offered {
        self.offered
    }

    fn unread(&mut self, uri: String, reason: Reason) {
        self.offered.unread.push((uri, reason));
    }
}

/// The package of an entry.
fn package(listed: Listed) -> Option<Package> {
    match listed {
        Listed::Package(package) => Some(package),
        Listed::Resource(_) | Listed::Change(_) => None,
    }
}
