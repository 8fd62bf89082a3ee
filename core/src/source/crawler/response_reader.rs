//! Reads the body of one response, independent of the crawler, so that several can be read concurrently.

use alloc::{borrow::Cow, boxed::Box, string::String, sync::Arc, vec::Vec};

use crate::{
    diagnostic::{Code, Finding, Reason, ReasonCode},
    fixity::{Algorithms, Digester, digest},
    model::Kind,
    read::sniff::{self, Sniffed},
    report::{Checked, Times, Via},
    rules::KnownPackage,
    source::{
        Content, Fetch, FetchError, FetchedResource, Leaf, Method, Purpose, Response,
        discovery::{announcements, header_targets, resolve_iri, sitemaps},
    },
    validate::{InputOrigin, Options, Outcome, Sampling, Validation},
    value::{Algorithm, Hashes},
};

/// A response being read.
///
/// Push its bytes in windows of any size, then finish.
#[derive(Debug)]
pub struct ResponseReader<'a> {
    options: Cow<'a, Options>,
    fetch: Fetch,
    response: Response,
    /// True if a header announces a Capability List, as any resource may.
    announces: bool,
    /// True if a list is read only until it begins to list resources.
    heads_only: bool,
    bytes: u64,
    body: Body<'a>,
}

#[derive(Debug)]
enum Body<'a> {
    /// It is ignored.
    Unwanted,
    /// It may be a page, or a document.
    Undecided(Vec<u8>, Box<Validation<'a>>),
    Document(Box<Validation<'a>>),
    Text(Vec<u8>),
    Resource(Algorithms, Box<Digester>),
}

/// The outcome of a fetch, for [`Crawler::handle`](super::Crawler::handle).
#[derive(Debug)]
pub struct FetchOutcome {
    pub(super) id: u64,
    pub(super) ending: Ending,
    /// The hosts to which starts redirected.
    pub(super) led: Vec<String>,
}

#[derive(Debug)]
#[expect(clippy::large_enum_variant, reason = "it is taken apart at once")]
pub(super) enum Ending {
    Error(FetchError),
    Fetched(Response, Content, Option<Outcome>),
    Interrupted(Outcome),
}

impl Fetch {
    /// The input in the report.
    pub fn origin(&self) -> InputOrigin {
        InputOrigin { name: self.uri.clone(), uri: Some(self.uri.clone()), via: self.via }
    }

    /// The listed digests.
    pub fn hashes(&self) -> Hashes {
        self.hash.as_deref().map(Hashes::readable).unwrap_or_default()
    }

    /// True if the user specified it, so that it may redirect to another public host; false if a document links to it.
    pub fn is_start(&self) -> bool {
        self.parent.is_none()
    }

    /// True if nothing links to it, so that it may be absent.
    pub fn is_optional(&self) -> bool {
        self.probe
    }
}

impl<'a> ResponseReader<'a> {
    /// Starts reading the body of a response.
    pub(super) fn new(
        options: impl Into<Cow<'a, Options>>,
        fetch: &Fetch,
        response: Response,
        heads_only: bool,
    ) -> ResponseReader<'a> {
        let sampling = match fetch.sample {
            0 => Sampling::Nothing,
            u64::MAX => Sampling::All,
            most => Sampling::Some(usize::try_from(most).unwrap_or(usize::MAX)),
        };
        let options = options.into();
        let origin = InputOrigin { uri: Some(response.uri.clone()), ..fetch.origin() };
        let validation = || Box::new(Validation::new(options.clone(), origin).with_summary(sampling));
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
        ResponseReader { options, fetch: fetch.clone(), response, announces, heads_only, bytes: 0, body }
    }

    /// False once further bytes make no difference.
    pub fn wants_more(&self) -> bool {
        match &self.body {
            Body::Unwanted => false,
            // One byte more shows that there is more.
            Body::Text(text) => text.len() <= self.options.limits.page_bytes as usize,
            Body::Resource(..) => self.fetch.method == Method::Get,
            Body::Document(validation) if self.announces && !validation.may_be_resource_sync() => false,
            Body::Document(validation) if self.heads_only && Leaf::is_leaf(validation.kind()) => false,
            // Of a topic the length counts.
            Body::Document(validation) => self.fetch.purpose == Purpose::Topic || validation.wants_more(),
            Body::Undecided(..) => true,
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
                let room = (self.options.limits.page_bytes as usize).saturating_add(1).saturating_sub(text.len());
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

    /// Sniffs the first bytes.
    fn decide(&mut self) {
        let body = core::mem::replace(&mut self.body, Body::Unwanted);
        self.body = match body {
            Body::Undecided(head, mut validation) => match sniff::sniff(&head) {
                _ if self.is_page(&head) => Body::Text(head),
                Sniffed::Other(..) if self.announces => Body::Unwanted,
                _ => {
                    validation.push(&head);
                    Body::Document(validation)
                }
            },
            other => other,
        };
    }

    fn is_page(&self, head: &[u8]) -> bool {
        sniff::is_page(head, self.response.header("content-type").unwrap_or(""), &self.response.uri)
    }

    /// Ends reading: the body was read completely, or until [`wants_more`](ResponseReader::wants_more)
    /// returned false.
    pub fn finish(mut self) -> FetchOutcome {
        self.decide();
        self.end(Validation::finish)
    }

    /// Ends reading early: the rest of the body cannot be read.
    pub fn fail(mut self, reason: Reason) -> FetchOutcome {
        self.decide();
        match self.body {
            Body::Document(_) => self.end(|validation| validation.unreadable(reason)),
            _ => FetchOutcome::new(self.fetch.id, Ending::Error(FetchError::Failed { reason })),
        }
    }

    /// Ends reading early: the user interrupted the crawl.
    pub fn interrupted(self) -> FetchOutcome {
        let validation = match self.body {
            Body::Document(validation) | Body::Undecided(_, validation) => *validation,
            _ => Validation::new(Options::default(), self.fetch.origin()),
        };
        FetchOutcome::new(self.fetch.id, Ending::Interrupted(validation.interrupted()))
    }

    fn end(self, end: impl FnOnce(Validation<'a>) -> Outcome) -> FetchOutcome {
        let ResponseReader { options, fetch, response, announces, bytes, body, .. } = self;
        let id = fetch.id;
        if !response.is_success() && fetch.purpose != Purpose::Topic {
            return FetchOutcome::new(id, Ending::Error(refused(response.status)));
        }
        let origin = InputOrigin { uri: Some(response.uri.clone()), ..fetch.origin() };
        let limit = options.limits.page_bytes as usize;
        let text_of = |kind: Kind, mut text: Vec<u8>| {
            if text.len() <= limit {
                return (text, plain(origin.clone(), kind, bytes));
            }
            text.truncate(limit);
            let outcome =
                Validation::new(options, origin.clone()).limited(Finding::new(Code::LIM_19).arg("limit", limit));
            (text, Outcome { kind, bytes, ..outcome })
        };
        let (content, outcome) = match body {
            Body::Resource(wanted, digester) => {
                (Content::Resource(resource(wanted, *digester, &fetch, &response, bytes)), None)
            }
            Body::Text(text) if fetch.purpose == Purpose::Robots => {
                let (text, outcome) = text_of(Kind::Robots, text);
                (Content::Robots(sitemaps(&String::from_utf8_lossy(&text))), Some(outcome))
            }
            Body::Text(text) => {
                let (text, outcome) = text_of(Kind::Html, text);
                (page(&text, &response), Some(outcome))
            }
            Body::Unwanted if fetch.purpose == Purpose::Topic => {
                (Content::Topic(None, bytes), Some(plain(origin, Kind::Topic, bytes)))
            }
            Body::Document(_) if fetch.purpose == Purpose::Topic && bytes == 0 => {
                (Content::Topic(None, 0), Some(plain(origin, Kind::Topic, 0)))
            }
            Body::Unwanted => (Content::Page(Vec::new()), Some(plain(origin, Kind::Unknown, 0))),
            Body::Document(validation) | Body::Undecided(_, validation) => {
                let mut outcome = end(*validation);
                let mut summary = outcome.summary.take().map(|summary| *summary).unwrap_or_default();
                if outcome.kind == Kind::Package {
                    summary.kind = Kind::Package;
                }
                match fetch.purpose {
                    Purpose::Topic => (Content::Topic(Some(summary), bytes), Some(outcome)),
                    // A host was named, and what is there need not be a document.
                    _ if fetch.probe && fetch.via == Via::Argument && outcome.foreign.is_some() => {
                        (Content::Page(Vec::new()), Some(plain(outcome.origin, outcome.kind, bytes)))
                    }
                    // A resource with a link to its description, not a description.
                    _ if announces && !summary.is_resource_sync() => {
                        (Content::Page(Vec::new()), Some(plain(outcome.origin, Kind::Unknown, 0)))
                    }
                    _ => (Content::Document(summary), Some(outcome)),
                }
            }
        };
        FetchOutcome::new(id, Ending::Fetched(response, content, outcome))
    }
}

impl FetchOutcome {
    fn new(id: u64, ending: Ending) -> FetchOutcome {
        FetchOutcome { id, ending, led: Vec::new() }
    }

    /// Adds the hosts to which starts are known to redirect, for the next fetches: [`Fetch::led`].
    #[must_use]
    pub fn with_led(self, led: Vec<String>) -> FetchOutcome {
        FetchOutcome { led, ..self }
    }

    /// The outcome of a fetch without a response.
    pub fn failed(fetch: &Fetch, error: FetchError) -> FetchOutcome {
        FetchOutcome::new(fetch.id, Ending::Error(error))
    }

    /// The outcome of a package, from [`Readers::verification`](super::Readers::verification).
    pub fn package(fetch: &Fetch, response: Response, mut outcome: Outcome, package: KnownPackage) -> FetchOutcome {
        let summary = outcome.inside.iter_mut().find_map(|inside| inside.summary.take()).map(|summary| *summary);
        outcome.origin.uri = Some(response.uri.clone());
        let content = Content::Package(Arc::new(package), summary);
        FetchOutcome::new(fetch.id, Ending::Fetched(response, content, Some(outcome)))
    }
}

/// A response with an error status.
fn refused(status: u16) -> FetchError {
    let reason = Reason::new(ReasonCode::HttpStatus).arg("status", status);
    if matches!(status, 404 | 410) { FetchError::NotFound { reason } } else { FetchError::Failed { reason } }
}

fn announces(response: &Response) -> bool {
    !header_targets(response, "resourcesync").is_empty()
}

fn page(text: &[u8], response: &Response) -> Content {
    let text = sniff::text(text);
    let (mut found, base) = announcements(&text);
    let base = base.and_then(|base| resolve_iri(&response.uri, &base)).unwrap_or_else(|| response.uri.clone());
    for one in &mut found {
        one.href = one.href.take().and_then(|href| resolve_iri(&base, &href));
        if one.href.is_none() && one.problem.is_none() {
            one.problem = Some("no-href");
        }
    }
    Content::Page(found)
}

fn resource(wanted: Algorithms, digester: Digester, fetch: &Fetch, response: &Response, bytes: u64) -> FetchedResource {
    if !response.has_sent_bytes() {
        return FetchedResource { length: None, digests: Vec::new() };
    }
    let mut digests = Vec::new();
    digester.finish_into(&mut digests);
    let own = |algorithm: Algorithm| {
        let value = digest(wanted, &digests, &algorithm).map(<[u8]>::to_vec)?;
        Some((algorithm, value))
    };
    FetchedResource {
        length: (fetch.method == Method::Get).then_some(bytes),
        digests: Algorithm::KNOWN.into_iter().filter_map(own).collect(),
    }
}

/// An input that is not validated as a document.
pub(super) fn plain(origin: InputOrigin, kind: Kind, bytes: u64) -> Outcome {
    Outcome {
        origin,
        kind,
        entries: 0,
        bytes,
        incomplete: false,
        foreign: None,
        checked: Checked::default(),
        inside: Vec::new(),
        summary: None,
        times: Times::default(),
    }
}
