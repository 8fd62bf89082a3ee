//! One answer being read. It needs nothing of the walk, so several can be read side by side.

use alloc::{borrow::Cow, boxed::Box, string::String, sync::Arc, vec::Vec};

use crate::{
    fixity::{Algorithms, Digester, digest},
    model::Kind,
    read::sniff::{self, Looks},
    report::Checked,
    rules::Package,
    source::{
        Fetch, Held, Method, Missed, Purpose, Resource, Response,
        discovery::{announcements, header_targets, resolve, sitemaps},
    },
    validate::{Options, Outcome, Sampling, Source, Validation},
    value::{Algorithm, Hashes},
};

/// Bytes of a page or a `robots.txt` that are looked at.
const TEXT: usize = 1 << 20;

/// An answer being read.
///
/// Push its bytes in windows of any size, then finish.
#[derive(Debug)]
pub struct Visit<'a> {
    fetch: Fetch,
    response: Response,
    /// True if a header announces a Capability List, as any resource may.
    announces: bool,
    bytes: u64,
    body: Body<'a>,
}

#[derive(Debug)]
enum Body<'a> {
    /// It is not looked at.
    Unwanted,
    /// It may be a page, or a document.
    Undecided(Vec<u8>, Box<Validation<'a>>),
    Document(Box<Validation<'a>>),
    Text(Vec<u8>),
    Resource(Algorithms, Box<Digester>),
}

/// What came of a fetch, for [`Walk::handle`](super::Walk::handle).
#[derive(Debug)]
pub struct Visited {
    pub(super) id: u64,
    pub(super) what: What,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub(super) enum What {
    Missed(Missed),
    Had(Response, Held, Option<Outcome>),
    Interrupted(Outcome),
}

impl Fetch {
    /// What the report says of where it comes from.
    pub fn source(&self) -> Source {
        Source { name: self.uri.clone(), uri: Some(self.uri.clone()), via: self.via }
    }

    /// The digests it is to be compared with.
    pub fn hashes(&self) -> Hashes {
        self.hash.as_deref().map(Hashes::readable).unwrap_or_default()
    }

    /// True if nobody promised it, so that it need not be there.
    pub fn is_optional(&self) -> bool {
        self.probe
    }
}

impl<'a> Visit<'a> {
    /// At the beginning of the body of an answer.
    pub fn new(options: &'a Options, fetch: &Fetch, response: Response) -> Visit<'a> {
        Visit::with(Cow::Borrowed(options), fetch, response)
    }

    /// The same with options of its own, for callers that keep it where nothing can be borrowed.
    pub fn owning(options: Options, fetch: &Fetch, response: Response) -> Visit<'static> {
        Visit::with(Cow::Owned(options), fetch, response)
    }

    fn with(options: Cow<'a, Options>, fetch: &Fetch, response: Response) -> Visit<'a> {
        let sampling = match fetch.sample {
            0 => Sampling::Nothing,
            u64::MAX => Sampling::All,
            most => Sampling::Some(usize::try_from(most).unwrap_or(usize::MAX)),
        };
        let source = Source { uri: Some(response.uri.clone()), ..fetch.source() };
        let validation = || Box::new(Validation::of(options, source).noting(sampling));
        let body = match fetch.purpose {
            _ if !response.is_success() => Body::Unwanted,
            Purpose::Resource => {
                let wanted = Algorithms::of(&fetch.hashes());
                Body::Resource(wanted, Box::new(Digester::of(wanted)))
            }
            Purpose::Robots => Body::Text(Vec::new()),
            Purpose::Discovery => Body::Undecided(Vec::new(), validation()),
            Purpose::Document | Purpose::Topic | Purpose::Package => Body::Document(validation()),
        };
        let announces = fetch.purpose == Purpose::Discovery && announces(&response);
        Visit { fetch: fetch.clone(), response, announces, bytes: 0, body }
    }

    /// False once more bytes would change nothing.
    pub fn wants_more(&self) -> bool {
        match &self.body {
            Body::Unwanted => false,
            Body::Text(text) => text.len() < TEXT,
            Body::Resource(..) => self.fetch.method == Method::Get,
            Body::Document(validation) if self.announces => validation.may_be_resource_sync(),
            Body::Undecided(..) | Body::Document(_) => true,
        }
    }

    /// Takes the next window.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        match &mut self.body {
            Body::Unwanted => {}
            Body::Document(validation) => validation.push(bytes),
            Body::Resource(_, digester) => digester.push(bytes),
            Body::Text(text) => {
                let room = TEXT.saturating_sub(text.len());
                text.extend_from_slice(bytes.get(..room).unwrap_or(bytes));
            }
            Body::Undecided(head, _) => {
                let room = sniff::HEAD.saturating_sub(head.len());
                let (own, rest) = bytes.split_at_checked(room).unwrap_or((bytes, &[]));
                head.extend_from_slice(own);
                if head.len() >= sniff::HEAD {
                    self.decide();
                    let counted = self.bytes;
                    self.push(rest);
                    self.bytes = counted;
                }
            }
        }
    }

    /// Looks what the first bytes are.
    fn decide(&mut self) {
        let body = core::mem::replace(&mut self.body, Body::Unwanted);
        self.body = match body {
            Body::Undecided(head, mut validation) => match sniff::like(&head) {
                _ if sniff::is_page(&head, self.response.header("content-type").unwrap_or("")) => Body::Text(head),
                Looks::Other(..) if self.announces => Body::Unwanted,
                _ => {
                    validation.push(&head);
                    Body::Document(validation)
                }
            },
            other => other,
        };
    }

    /// Says that no more bytes will come.
    pub fn finish(mut self) -> Visited {
        self.decide();
        self.end(Validation::finish)
    }

    /// Says that the rest cannot be had, and why.
    pub fn cut(mut self, reason: &str) -> Visited {
        self.decide();
        match self.body {
            Body::Document(_) => self.end(|validation| validation.unreadable(reason)),
            _ => Visited { id: self.fetch.id, what: What::Missed(Missed::Failed { reason: reason.into() }) },
        }
    }

    /// Says that the user stopped the walk.
    pub fn interrupted(self) -> Visited {
        let validation = match self.body {
            Body::Document(validation) | Body::Undecided(_, validation) => *validation,
            _ => Validation::owning(Options::default(), self.fetch.source()),
        };
        Visited { id: self.fetch.id, what: What::Interrupted(validation.interrupted()) }
    }

    fn end(self, end: impl FnOnce(Validation<'a>) -> Outcome) -> Visited {
        let Visit { fetch, response, announces, bytes, body } = self;
        let id = fetch.id;
        if !response.is_success() && fetch.purpose != Purpose::Topic {
            return Visited { id, what: What::Missed(refused(response.status)) };
        }
        let source = Source { uri: Some(response.uri.clone()), ..fetch.source() };
        let (held, outcome) = match body {
            Body::Resource(wanted, digester) => {
                (Held::Resource(resource(wanted, *digester, &fetch, &response, bytes)), None)
            }
            Body::Text(text) if fetch.purpose == Purpose::Robots => {
                let sitemaps = sitemaps(&String::from_utf8_lossy(&text));
                (Held::Robots(sitemaps), Some(plain(source, Kind::Robots, bytes)))
            }
            Body::Text(text) => (page(&text, &response), Some(plain(source, Kind::Html, bytes))),
            Body::Unwanted if fetch.purpose == Purpose::Topic => {
                (Held::Topic(None, bytes), Some(plain(source, Kind::Topic, bytes)))
            }
            Body::Document(_) if fetch.purpose == Purpose::Topic && bytes == 0 => {
                (Held::Topic(None, 0), Some(plain(source, Kind::Topic, 0)))
            }
            Body::Unwanted => (Held::Page(Vec::new()), Some(plain(source, Kind::Unknown, 0))),
            Body::Document(validation) | Body::Undecided(_, validation) => {
                let mut outcome = end(*validation);
                let mut memo = outcome.memo.take().map(|memo| *memo).unwrap_or_default();
                if outcome.kind == Kind::Package {
                    memo.kind = Kind::Package;
                }
                match fetch.purpose {
                    Purpose::Topic => (Held::Topic(Some(memo), bytes), Some(outcome)),
                    // A resource that says where it is described, not a document that describes.
                    _ if announces && !memo.is_resource_sync() => {
                        (Held::Page(Vec::new()), Some(plain(outcome.source, Kind::Unknown, 0)))
                    }
                    _ => (Held::Document(memo), Some(outcome)),
                }
            }
        };
        Visited { id, what: What::Had(response, held, outcome) }
    }
}

impl Visited {
    /// Something could not be had.
    pub fn missed(fetch: &Fetch, missed: Missed) -> Visited {
        Visited { id: fetch.id, what: What::Missed(missed) }
    }

    /// A package was verified. What its verification remembered ([`Verification::met`](crate::package::Verification::met))
    /// is compared with the rest of the Source.
    pub fn package(fetch: &Fetch, response: Response, mut outcome: Outcome, package: Package) -> Visited {
        let memo = outcome.inside.iter_mut().find_map(|inside| inside.memo.take()).map(|memo| *memo);
        outcome.source.uri = Some(response.uri.clone());
        let held = Held::Package(Arc::new(package), memo);
        Visited { id: fetch.id, what: What::Had(response, held, Some(outcome)) }
    }
}

/// What a status that is no success says.
fn refused(status: u16) -> Missed {
    let reason = alloc::format!("the server answered {status}");
    if matches!(status, 404 | 410) { Missed::Missing { reason } } else { Missed::Failed { reason } }
}

fn announces(response: &Response) -> bool {
    !header_targets(response, "resourcesync").is_empty()
}

fn page(text: &[u8], response: &Response) -> Held {
    let text = sniff::text(text);
    let (mut found, base) = announcements(&text);
    let base = base.and_then(|base| resolve(&response.uri, &base)).unwrap_or_else(|| response.uri.clone());
    for one in &mut found {
        one.href = one.href.take().and_then(|href| resolve(&base, &href));
        if one.href.is_none() && one.problem.is_none() {
            one.problem = Some("no-href");
        }
    }
    Held::Page(found)
}

fn resource(wanted: Algorithms, digester: Digester, fetch: &Fetch, response: &Response, bytes: u64) -> Resource {
    if !response.has_sent_bytes() {
        return Resource { length: None, digests: Vec::new() };
    }
    let mut digests = Vec::new();
    digester.finish_into(&mut digests);
    let own = |algorithm: Algorithm| {
        let value = digest(wanted, &digests, &algorithm).map(<[u8]>::to_vec)?;
        Some((algorithm, value))
    };
    Resource {
        length: (fetch.method == Method::Get).then_some(bytes),
        digests: Algorithm::KNOWN.into_iter().filter_map(own).collect(),
    }
}

/// An input in which no single document is to be judged.
pub(super) fn plain(source: Source, kind: Kind, bytes: u64) -> Outcome {
    Outcome {
        source,
        kind,
        entries: 0,
        bytes,
        incomplete: false,
        foreign: None,
        checked: Checked::default(),
        inside: Vec::new(),
        memo: None,
    }
}
