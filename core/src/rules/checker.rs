//! The Checker, which checks items against the items accepted before.

use alloc::{boxed::Box, sync::Arc, vec::Vec};

use super::{
    COMMON, CheckContext, DocumentState, EntryShape, KindProfile, KnownPackages, PackageMembers, PathStep,
    depends::Extent,
    dispatch::{Dispatch, Which},
    document::no_index_form,
    document_state::{FirstLoc, LocKey},
    silent_shapes::SilentShapes,
    table,
};
use crate::{
    diagnostic::{Code, Finding, Sink},
    limits::Limits,
    model::Item,
    model::{AnyField, Element, Entry, Kind, Link, Md, Root},
    span::Span,
};

/// What is known of the document before it is read.
#[derive(Debug, Clone, Default)]
pub struct DocumentContext {
    /// The expected kind.
    pub expect: Option<Kind>,
    /// Whether a sitemap without ResourceSync elements is allowed.
    pub plain_sitemap: bool,
    /// Whether what search engines reject is reported.
    pub search_engines: bool,
    /// The limits of this run.
    pub limits: Limits,
    /// The package around the document, if it is a manifest in one.
    pub members: Option<Arc<dyn PackageMembers>>,
    /// The packages in the same run, if the document is a dump.
    pub packages: Option<Arc<KnownPackages>>,
    /// The seed of hashes: a random number of each run, so that nobody can prepare documents whose entries collide.
    pub seed: u64,
}

/// Checks one document, item by item.
#[derive(Debug)]
pub struct Checker {
    which: Which,
    context: DocumentContext,
    kind: Option<Kind>,
    /// What the document is checked against.
    profile: &'static KindProfile,
    root: Root,
    memory: DocumentState,
    /// Items read before the kind was known.
    waiting: Vec<Waiting>,
    /// True if too many items were buffered, so checking started without the kind.
    hasty: bool,
    /// Shapes of which only some checks are needed.
    silent: SilentShapes,
}

#[derive(Debug)]
enum Waiting {
    Link(Link),
    Other(Element),
    Entry(Box<Entry>),
}

impl Waiting {
    fn keep(item: Item<'_>) -> Option<Waiting> {
        match item {
            Item::Link(link) => Some(Waiting::Link(link.clone())),
            Item::Other(element) => Some(Waiting::Other(element.clone())),
            Item::Entry(entry) => Some(Waiting::Entry(Box::new(entry.clone()))),
            Item::Root(_) | Item::Md(_) | Item::Namespace(_) | Item::Extensions(_) | Item::End(_) => None,
        }
    }

    fn item(&self) -> Item<'_> {
        match self {
            Waiting::Link(link) => Item::Link(link),
            Waiting::Other(element) => Item::Other(element),
            Waiting::Entry(entry) => Item::Entry(entry),
        }
    }
}

impl Checker {
    /// Creates a Checker for one document.
    pub fn new(context: DocumentContext) -> Checker {
        let memory = DocumentState::seeded(context.seed);
        Checker {
            which: match context.members.is_some() || context.packages.is_some() {
                true => Which::DocumentWithPackages,
                false => Which::Document,
            },
            context,
            kind: None,
            profile: &COMMON,
            root: Root::default(),
            memory,
            waiting: Vec::new(),
            hasty: false,
            silent: SilentShapes::default(),
        }
    }

    /// Creates a Checker that only compares the entries of a dump with its packages, for a dump that was
    /// already checked.
    pub(crate) fn of_packages() -> Checker {
        Checker { which: Which::Packages, ..Checker::new(DocumentContext::default()) }
    }

    /// Sets the packages that the next entries are compared with.
    pub(crate) fn against(&mut self, packages: KnownPackages) -> &mut Checker {
        self.context.packages = Some(Arc::new(packages));
        self
    }

    /// Compares a dump with packages in the same run.
    pub(crate) fn set_packages(&mut self, packages: Arc<KnownPackages>) {
        self.which = Which::DocumentWithPackages;
        self.silent.clear();
        self.context.packages = Some(packages);
    }

    /// The kind of the document, once it is known from its head.
    pub fn kind(&self) -> Kind {
        self.kind.unwrap_or_default()
    }

    /// The limits of this run.
    pub(crate) fn limits(&self) -> &Limits {
        &self.context.limits
    }

    /// Entries accepted so far.
    pub fn entries(&self) -> u64 {
        self.memory
            .entries
            .saturating_add(self.waiting.iter().filter(|w| matches!(w, Waiting::Entry(_))).count() as u64)
    }

    /// Accepts a plain sitemap where no kind is expected: nothing in its root announces ResourceSync.
    pub(crate) fn allow_plain_sitemap(&mut self) {
        self.context.plain_sitemap = true;
    }

    /// True if the user expects a kind other than a plain sitemap.
    pub(crate) fn expects_resource_sync(&self) -> bool {
        self.context.expect.is_some_and(|kind| kind != Kind::Sitemap)
    }

    /// True once an element of ResourceSync was read.
    pub(crate) fn has_resource_sync(&self) -> bool {
        let is_of_it = |waiting: &Waiting| match waiting {
            Waiting::Link(_) => true,
            Waiting::Entry(entry) => !(entry.md.is_empty() && entry.links.is_empty()),
            Waiting::Other(_) => false,
        };
        self.memory.md_count > 0
            || !self.memory.links.is_empty()
            || self.memory.described
            || self.waiting.iter().any(is_of_it)
    }

    /// True for an entry beyond the limit, which is counted and nothing else (LIM-02).
    pub(crate) fn is_beyond(&self, item: Item<'_>) -> bool {
        matches!(item, Item::Entry(_)) && self.memory.entries > self.context.limits.entries
    }

    /// Checks and accepts an item; buffers items that cannot be checked before the kind is known.
    pub fn take(&mut self, item: Item<'_>, sink: &mut dyn Sink) {
        self.take_shaped(item, None, sink);
    }

    /// As `take`, for items of one reader, which tells the shapes of entries: once an entry was checked without a finding, others of its shape
    /// need only the checks that depend on more.
    pub(crate) fn take_shaped(&mut self, item: Item<'_>, shape: Option<EntryShape>, sink: &mut dyn Sink) {
        if self.kind.is_none() {
            match item {
                Item::Md(md) => {
                    let kind = self.kind_by(md);
                    (self.kind, self.profile) = (Some(kind), self.profile_by(md, kind));
                }
                Item::End(_) => self.kind = Some(if self.root.shape.is_some() { Kind::Sitemap } else { Kind::Unknown }),
                Item::Root(_) | Item::Namespace(_) | Item::Extensions(_) => {}
                _ if self.waiting.len() < self.context.limits.late_head_entries as usize => {
                    return self.waiting.extend(Waiting::keep(item));
                }
                _ => {
                    self.hasty = true;
                    self.kind = Some(Kind::Unknown);
                }
            }
            if self.kind.is_some() {
                self.catch_up(item, sink);
                return;
            }
        } else if self.hasty && self.memory.md.is_none() {
            self.settle(item, sink);
        }
        let Item::Entry(entry) = item else {
            self.look(item, sink);
            return self.accept(item);
        };
        if !self.is_beyond(item) {
            let first_loc = self.loc_key(item).and_then(|key| self.memory.enter_loc(key, entry));
            let extent = self.silent.extent(shape);
            let mut noting = Noting { sink, is_silent: true };
            self.look_by(item, first_loc, extent, &mut noting);
            if let (true, Extent::All, Some(shape)) = (noting.is_silent, extent, shape) {
                self.silent.insert(shape.number);
            }
            if cfg!(debug_assertions) {
                self.look_again(item, first_loc, extent);
            }
        }
        self.accept_but_loc(item);
    }

    /// Runs the checks that were skipped, which must find nothing.
    fn look_again(&self, item: Item<'_>, first_loc: Option<FirstLoc>, extent: Extent) {
        let Extent::From(first) = extent else { return };
        let mut found: Vec<Finding> = Vec::new();
        self.look_by(item, first_loc, Extent::Below(first), &mut found);
        assert!(
            found.is_empty(),
            "a check finds something in a shape that was silent, so it depends on more than it declares: {found:?}"
        );
    }

    fn loc_key(&self, item: Item<'_>) -> Option<LocKey> {
        if let Item::Entry(entry) = item { LocKey::of(self.context.seed, self.profile, entry) } else { None }
    }

    /// Reports that entries were checked before the head was known, if there is a head.
    fn settle(&mut self, item: Item<'_>, sink: &mut dyn Sink) {
        match item {
            Item::Md(_) => {
                let limit = self.context.limits.late_head_entries;
                sink.found(Finding::new(Code::LIM_10).at(self.root.span).arg("limit", limit));
            }
            Item::End(_) => self.kind = Some(Kind::Sitemap),
            _ => {}
        }
    }

    /// Checks the buffered items in the order they were read, once the head is known.
    fn catch_up(&mut self, item: Item<'_>, sink: &mut dyn Sink) {
        let waiting = core::mem::take(&mut self.waiting);
        let mut after = waiting.iter().skip_while(|waiting| !matches!(waiting, Waiting::Entry(_))).peekable();
        if let (true, Item::Md(md)) = (after.peek().is_some(), item) {
            let before = waiting.iter().take_while(|waiting| !matches!(waiting, Waiting::Entry(_)));
            let links = before.filter(|waiting| matches!(waiting, Waiting::Link(_))).count() as u64;
            let link = after.find_map(|waiting| if let Waiting::Link(link) = waiting { Some(link.span) } else { None });
            self.memory.late =
                Some(link.map_or((PathStep::Md(1), md.span), |span| (PathStep::Link(links.saturating_add(1)), span)));
        }
        // The values of the head come first, since entries are compared with them.
        if matches!(item, Item::Md(_)) {
            self.look(item, sink);
            self.accept(item);
        }
        for waiting in &waiting {
            self.look(waiting.item(), sink);
            self.accept(waiting.item());
        }
        if !matches!(item, Item::Md(_)) {
            self.look(item, sink);
            self.accept(item);
        }
    }

    fn kind_by(&self, md: &Md) -> Kind {
        let capability = md.attributes.capability().and_then(|capability| capability.value());
        match (self.root.shape, capability, self.context.expect) {
            (Some(shape), Some(capability), _) => Kind::from_parts(shape, capability),
            (_, None, Some(expected)) => expected,
            _ => Kind::Unknown,
        }
    }

    /// The requirements of the kind. A misspelt capability determines the kind but imposes no requirements (GEN-06, AT-30);
    /// nor does that of a manifest or notification that is an index (GEN-07).
    fn profile_by(&self, md: &Md, kind: Kind) -> &'static KindProfile {
        let misspelt = md.attributes.capability().is_some_and(|capability| capability.loose().is_some());
        let known = !misspelt || self.context.expect == Some(kind);
        if known && !no_index_form::breaks(self.root.shape, md) { KindProfile::of(kind) } else { &COMMON }
    }

    /// Checks an item against those accepted before, without changing the state.
    pub fn look(&self, item: Item<'_>, sink: &mut dyn Sink) {
        if !self.is_beyond(item) {
            let first_loc = self.loc_key(item).and_then(|key| self.memory.first_loc(key));
            self.look_by(item, first_loc, Extent::All, sink);
        }
    }

    fn look_by(&self, item: Item<'_>, first_loc: Option<FirstLoc>, extent: Extent, sink: &mut dyn Sink) {
        let root = if let Item::Root(root) = item { root } else { &self.root };
        let mut cx = CheckContext {
            profile: self.profile,
            root,
            memory: &self.memory,
            limits: &self.context.limits,
            expect: self.context.expect,
            plain_sitemap: self.context.plain_sitemap,
            search_engines: self.context.search_engines,
            members: self.context.members.as_deref(),
            packages: self.context.packages.as_deref(),
            found: None,
            bytes: if let Item::End(bytes) = item { bytes } else { 0 },
            entry: None,
            step: PathStep::Own,
            first_loc,
            sink,
        };
        let dispatch = Dispatch::of(self.which, extent);
        match item {
            Item::Root(_) => dispatch.root.iter().for_each(|check| check(&mut cx)),
            Item::Md(md) => {
                let number = self.memory.md_count.saturating_add(1);
                cx.step = PathStep::Md(number);
                if number == 1 {
                    table::head(&mut cx, md);
                    dispatch.head.iter().for_each(|check| check(&mut cx, md));
                }
                dispatch.md(&mut cx, md);
            }
            Item::Link(link) => {
                cx.step = PathStep::Link((self.memory.links.len() as u64).saturating_add(1));
                table::root_link(&mut cx, link);
                dispatch.link(&mut cx, link);
            }
            Item::Other(element) => dispatch.element.iter().for_each(|check| check(&mut cx, element)),
            Item::Namespace(namespace) => dispatch.namespace.iter().for_each(|check| check(&mut cx, namespace)),
            Item::Entry(entry) => {
                cx.entry = Some(entry);
                dispatch.entry(&mut cx, entry);
            }
            Item::End(_) => {
                table::end(&mut cx);
                dispatch.end.iter().for_each(|check| check(&mut cx));
            }
            Item::Extensions(_) => {}
        }
    }

    /// Accepts the item as part of the document.
    pub fn accept(&mut self, item: Item<'_>) {
        if let (Some(key), Item::Entry(entry), false) = (self.loc_key(item), item, self.is_beyond(item)) {
            self.memory.enter_loc(key, entry);
        }
        self.accept_but_loc(item);
    }

    fn accept_but_loc(&mut self, item: Item<'_>) {
        if self.is_beyond(item) {
            self.memory.entries = self.memory.entries.saturating_add(1);
            return;
        }
        match item {
            Item::Root(root) => self.root = root.clone(),
            Item::Md(md) => {
                self.memory.md_count = self.memory.md_count.saturating_add(1);
                if self.memory.md.is_none() {
                    self.memory.md = Some(md.clone());
                }
                self.note_late(PathStep::Md(self.memory.md_count), md.span);
            }
            Item::Link(link) => {
                self.memory.links.push(link.clone());
                self.note_late(PathStep::Link(self.memory.links.len() as u64), link.span);
            }
            Item::Entry(entry) => self.memory.accept(self.profile, entry),
            Item::Other(_) | Item::Namespace(_) | Item::Extensions(_) | Item::End(_) => {}
        }
    }

    fn note_late(&mut self, step: PathStep, span: Span) {
        if self.memory.entries > 0 && self.memory.late.is_none() {
            self.memory.late = Some((step, span));
        }
    }
}

/// Passes findings on and notes that there was one.
struct Noting<'s> {
    sink: &'s mut dyn Sink,
    is_silent: bool,
}

impl Sink for Noting<'_> {
    fn found(&mut self, finding: Finding) {
        self.is_silent = false;
        self.sink.found(finding);
    }

    fn wants(&self, finding: &Finding) -> bool {
        self.sink.wants(finding)
    }
}
