//! Puts pieces together from the events of a page.

use alloc::{boxed::Box, collections::VecDeque, string::String, sync::Arc, vec::Vec};

use resourcesync::{
    span::{Place, Span},
    xml::{Context, Start, XML},
};

use super::{
    Damage, Head, Header, Identify, MetadataFormat, Name, OAI, OaiError, Piece, Scope, SetEntry, Token,
    element::Element, markup::Markup, piece::ErrorCode, repair::Origin,
};
use crate::{
    bytes::Bytes,
    catalogue::Code,
    limits::{Limits, PageLimit},
    note::Note,
    request::Verb,
    stamp::{Datestamp, is_blank},
};

/// What an event leads to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// The next event.
    Event,
    /// An element of which every byte is kept has begun; it is passed over.
    Markup,
    /// An element that means nothing has begun; it is passed over.
    Skip,
    /// An item has ended.
    Item,
    /// The root is that of something else.
    OtherRoot,
}

/// The pieces so far, and what is being put together.
#[derive(Debug)]
pub(super) struct Assembly {
    pub(super) pieces: VecDeque<Piece>,
    limits: Limits,
    /// The open elements of the envelope.
    path: Vec<Element>,
    /// The namespace of the root.
    namespace: String,
    /// The prefix of the list, which its items have too.
    prefix: String,
    pub(super) verb: Option<Verb>,
    head: Head,
    /// True once the head was given.
    headed: bool,
    has_error: bool,
    /// The verb element has ended.
    answered: bool,
    /// `</OAI-PMH>` has been read.
    pub(super) ended: bool,
    /// The name of a root that is not ours.
    pub(super) other_root: Option<String>,
    text: String,
    text_cut: bool,
    /// The element whose value is read; a token or an error also has attributes.
    token: Token,
    error: String,
    identify: Box<Identify>,
    format: MetadataFormat,
    set: SetEntry,
    pub(super) item: Item,
    /// `xml:lang` and `xml:space` of open elements, with the depth of each.
    inherited: Vec<(usize, bool, String)>,
    /// The number of declarations around the items, and the scope they make, which is that of most metadata.
    around_items: usize,
    scope: Option<Arc<Scope>>,
    /// The limit that keeps the page from being used.
    pub(super) limit: Option<PageLimit>,
    markup: Pending,
    noted: Vec<Code>,
}

/// The item that is being read.
#[derive(Debug, Default)]
pub(super) struct Item {
    /// Where it began.
    pub(super) start: Option<Place>,
    /// Its number in the page.
    pub(super) number: u64,
    header: Header,
    has_header: bool,
    datestamp_span: Span,
    metadata: Option<Pending>,
    has_metadata: bool,
    about: Vec<Pending>,
    damage: Option<Damage>,
}

/// Markup whose bytes have not been cut out yet.
#[derive(Debug, Default, Clone)]
pub(super) struct Pending {
    from: u64,
    to: u64,
    scope: Arc<Scope>,
    root: Name,
    lang: Option<String>,
    space: Option<String>,
}

impl Pending {
    fn cut(self, all: &Bytes, base: u64) -> Markup {
        let index = |offset: u64| usize::try_from(offset.saturating_sub(base)).unwrap_or(usize::MAX);
        let Pending { scope, root, lang, space, .. } = self;
        Markup { raw: all.slice(index(self.from)..index(self.to)), scope, root, lang, space }
    }
}

/// How deep the items of a list are: the root, the verb.
pub(super) const LIST_DEPTH: usize = 2;

impl Assembly {
    pub(super) fn new(limits: Limits) -> Assembly {
        Assembly {
            pieces: VecDeque::new(),
            limits,
            path: Vec::new(),
            namespace: String::new(),
            prefix: String::new(),
            verb: None,
            head: Head::default(),
            headed: false,
            has_error: false,
            answered: false,
            ended: false,
            other_root: None,
            text: String::new(),
            text_cut: false,
            token: Token::default(),
            error: String::new(),
            identify: Box::default(),
            format: MetadataFormat::default(),
            set: SetEntry::default(),
            item: Item::default(),
            inherited: Vec::new(),
            around_items: 0,
            scope: None,
            limit: None,
            markup: Pending::default(),
            noted: Vec::new(),
        }
    }

    /// Inside the list of a page that was being read.
    pub(super) fn inside(origin: &Origin) -> Assembly {
        Assembly {
            path: alloc::vec![Element::Root, Element::Verb(origin.verb)],
            namespace: origin.namespace.clone(),
            prefix: origin.prefix.clone(),
            verb: Some(origin.verb),
            headed: true,
            around_items: origin.around_items,
            ..Assembly::new(origin.limits.clone())
        }
    }

    /// What is around the items of the list that is open.
    pub(super) fn origin(&self, context: Context) -> Option<Origin> {
        Some(Origin {
            context,
            namespace: self.namespace.clone(),
            prefix: self.prefix.clone(),
            verb: self.verb?,
            around_items: self.around_items,
            limits: self.limits.clone(),
        })
    }

    /// The list that is open, with the prefix of its elements.
    pub(super) fn list(&self) -> Option<(Verb, &str)> {
        match (self.path.get(..LIST_DEPTH), self.verb) {
            (Some([Element::Root, Element::Verb(_)]), Some(verb)) => Some((verb, &self.prefix)),
            _ => None,
        }
    }

    /// A note, each code at most once a page.
    pub(super) fn note_once(&mut self, note: Note) {
        if !self.noted.contains(&note.code) {
            self.noted.push(note.code);
            self.pieces.push_back(Piece::Note(note));
        }
    }

    /// Gives up the item that is being read: everything inside the list is forgotten.
    pub(super) fn abandon_item(&mut self) {
        self.path.truncate(LIST_DEPTH);
        self.inherited.retain(|(depth, ..)| *depth <= LIST_DEPTH);
        self.item = Item { number: self.item.number, ..Item::default() };
    }

    /// The next item has begun, or what is left of one.
    pub(super) fn count_item(&mut self) -> u64 {
        self.item.number = self.item.number.saturating_add(1);
        self.item.number
    }

    pub(super) fn start(&mut self, start: &Start<'_>) -> Next {
        let Some(parent) = self.path.last().copied() else { return self.root(start) };
        if parent.is_container() {
            return self.begin_markup(start);
        }
        let element = match start.namespace == self.namespace {
            true => parent.child(start.local),
            false => Element::Unknown,
        };
        if element == Element::Unknown {
            if parent == Element::Header {
                return self.begin_markup(start);
            }
            self.note_once(Note::new(Code::OAI_09).at(start.span).arg("element", start.local));
            return Next::Skip;
        }
        if let Element::Verb(_) = element {
            self.around_items = start.declared_around().count().saturating_add(start.declarations().count());
            self.scope = None;
        }
        self.path.push(element);
        self.inherit(start);
        self.begin(element, start);
        Next::Event
    }

    fn root(&mut self, start: &Start<'_>) -> Next {
        if start.local != "OAI-PMH" {
            self.other_root = Some(start.local.into());
            return Next::OtherRoot;
        }
        self.namespace = start.namespace.into();
        if start.namespace != OAI {
            self.note_once(Note::new(Code::OAI_02).at(start.span).arg("namespace", start.namespace));
        }
        self.path.push(Element::Root);
        self.inherit(start);
        Next::Event
    }

    /// Remembers `xml:lang` and `xml:space` for what is inside.
    fn inherit(&mut self, start: &Start<'_>) {
        // Most tags of the envelope are a name between brackets.
        if start.span.length() <= (start.local.len().saturating_add(start.prefix.len()).saturating_add(3)) as u64 {
            return;
        }
        for attribute in start.attributes().filter(|attribute| attribute.namespace == XML) {
            if matches!(attribute.local, "lang" | "space") {
                self.inherited.push((self.path.len(), attribute.local == "lang", attribute.value.into()));
            }
        }
    }

    fn begin(&mut self, element: Element, start: &Start<'_>) {
        self.text.clear();
        self.text_cut = false;
        match element {
            Element::Request => {
                let attributes = start.attributes().filter(|attribute| attribute.namespace.is_empty());
                self.head.arguments =
                    attributes.map(|attribute| (attribute.local.into(), attribute.value.into())).collect();
            }
            Element::Error => {
                self.give_head(None);
                self.has_error = true;
                let code = start.attributes().find(|attribute| attribute.local == "code");
                self.error = code.map(|code| code.value.into()).unwrap_or_default();
            }
            Element::Verb(verb) => {
                self.verb = Some(verb);
                self.prefix = start.prefix.into();
                self.give_head(Some(verb));
            }
            Element::Token => self.begin_token(start),
            Element::Header => {
                if self.path.len() == LIST_DEPTH.saturating_add(1) {
                    self.begin_item(start.span.start);
                } else if self.item.has_header {
                    self.item.damage.get_or_insert(Damage::Several("header"));
                }
                self.item.has_header = true;
                self.item.header = Header::default();
                let status = start.attributes().find(|attribute| attribute.local == "status");
                self.item.header.is_deleted = status.is_some_and(|status| status.value == "deleted");
            }
            Element::Metadata => {
                if self.item.has_metadata {
                    self.item.damage.get_or_insert(Damage::Several("metadata"));
                }
                self.item.has_metadata = true;
            }
            _ if element.is_item() => self.begin_item(start.span.start),
            _ => {}
        }
    }

    fn begin_item(&mut self, place: Place) {
        let number = self.count_item();
        self.item = Item { start: Some(place), number, ..Item::default() };
        self.set = SetEntry::default();
        self.format = MetadataFormat::default();
    }

    fn begin_token(&mut self, start: &Start<'_>) {
        self.token = Token { span: start.span, ..Token::default() };
        for attribute in start.attributes() {
            let value = attribute.value.trim_matches(is_blank);
            let is_right = match attribute.local {
                "cursor" => {
                    self.token.cursor = value.parse().ok();
                    self.token.cursor.is_some()
                }
                "completeListSize" => {
                    self.token.complete_list_size = value.parse().ok();
                    self.token.complete_list_size.is_some()
                }
                "expirationDate" => {
                    let expires = Datestamp::read(value);
                    let is_right = expires.stamp.is_some() && expires.is_exact;
                    self.token.expires = Some(expires);
                    is_right
                }
                _ => true,
            };
            if !is_right {
                let note = Note::new(Code::OAI_22).at(attribute.span).arg("attribute", attribute.local);
                self.note_once(note.arg("value", value));
            }
        }
    }

    /// An element whose bytes are kept begins.
    fn begin_markup(&mut self, start: &Start<'_>) -> Next {
        let around: Vec<(&str, &str)> = start.declared_around().collect();
        // Items seldom declare anything: then what is around is always the same.
        let is_usual = around.len() == self.around_items;
        let scope = match &self.scope {
            Some(scope) if is_usual => scope.clone(),
            _ => Arc::new(Scope::new(around.iter().copied())),
        };
        if is_usual && self.scope.is_none() {
            self.scope = Some(scope.clone());
        }
        let inherited = |is_lang: bool| {
            self.inherited.iter().rev().find(|(_, own, _)| *own == is_lang).map(|(_, _, value)| value.clone())
        };
        self.markup = Pending {
            from: start.span.start.offset,
            to: 0,
            scope,
            root: Name { prefix: start.prefix.into(), local: start.local.into(), namespace: start.namespace.into() },
            lang: inherited(true),
            space: inherited(false),
        };
        Next::Markup
    }

    /// It has ended.
    pub(super) fn end_markup(&mut self, end: Span, cut_now: impl FnOnce(u64, u64) -> Bytes) {
        let mut markup = core::mem::take(&mut self.markup);
        markup.to = end.end.offset;
        match self.path.last() {
            Some(Element::Metadata) => {
                if self.item.metadata.is_some() {
                    self.item.damage.get_or_insert(Damage::Several("element in metadata"));
                }
                self.item.metadata = Some(markup);
            }
            Some(Element::About) if self.item.about.len() >= self.limits.oai_about as usize => {
                self.item.damage.get_or_insert(Damage::Limit(PageLimit::Abouts));
            }
            Some(Element::About) => self.item.about.push(markup),
            Some(parent) => {
                let (from, parent) = (markup.from, *parent);
                let bytes = cut_now(markup.from, markup.to);
                let markup = markup.cut(&bytes, from);
                match parent {
                    Element::SetDescription => self.set.descriptions.push(markup),
                    Element::Description => self.identify.descriptions.push(markup),
                    _ => self.item.header.extra.push(markup),
                }
            }
            None => {}
        }
    }

    pub(super) fn text(&mut self, text: &str, cut: bool) {
        if self.path.last().is_some_and(|element| element.is_value()) {
            let room = (self.limits.oai_header_values.max(self.limits.oai_token_bytes) as usize)
                .saturating_sub(self.text.len());
            self.text_cut |= cut || text.len() > room;
            self.text.push_str(floor(text, room));
        }
    }

    pub(super) fn end(&mut self, end: Span) -> Next {
        let depth = self.path.len();
        let Some(element) = self.path.pop() else { return Next::Event };
        self.inherited.retain(|(own, ..)| *own < depth);
        if element.is_value() {
            self.end_value(element, end);
            return Next::Event;
        }
        match element {
            Element::Root => {
                self.give_head(None);
                self.ended = true;
                if !self.answered && !self.has_error {
                    self.note_once(Note::new(Code::OAI_09).at(end));
                }
            }
            Element::Verb(verb) => {
                self.answered = true;
                if verb == Verb::Identify {
                    let identify = core::mem::take(&mut self.identify);
                    self.pieces.push_back(Piece::Identify(identify));
                } else if self.item.number == 0 {
                    self.note_once(Note::new(Code::OAI_20).at(end).arg("verb", verb.as_str()));
                }
            }
            Element::Record => return Next::Item,
            Element::Header if self.path.len() == LIST_DEPTH => return Next::Item,
            Element::Set => {
                let set = core::mem::take(&mut self.set);
                self.pieces.push_back(Piece::Set(set));
            }
            Element::Format => {
                let format = core::mem::take(&mut self.format);
                self.pieces.push_back(Piece::MetadataFormat(format));
            }
            _ => {}
        }
        Next::Event
    }

    fn end_value(&mut self, element: Element, end: Span) {
        let raw = core::mem::take(&mut self.text);
        let text = raw.trim_matches(is_blank);
        let is_long = self.text_cut || text.len() > self.limits.oai_header_values as usize;
        let keep = || Some(String::from(text));
        match element {
            Element::ResponseDate => {
                let date = Datestamp::read(text);
                if !date.is_exact
                    || date.stamp.is_none_or(|stamp| stamp.granularity() == crate::stamp::Granularity::Day)
                {
                    self.note_once(Note::new(Code::OAI_06).at(end).arg("value", text));
                }
                self.head.response_date = Some(date);
            }
            Element::Request => self.head.base_url = keep(),
            Element::Error => {
                let code = ErrorCode::read(&self.error);
                if !code.is_known() {
                    self.note_once(Note::new(Code::OAI_52).at(end).arg("code", code.as_str()));
                }
                self.pieces.push_back(Piece::Error(OaiError { code, text: text.into() }));
            }
            Element::Token => self.end_token(&raw),
            Element::Identifier => {
                if is_long {
                    self.item.damage.get_or_insert(Damage::Limit(PageLimit::HeaderValues));
                } else if !self.item.header.identifier.is_empty() {
                    self.item.damage.get_or_insert(Damage::Several("identifier"));
                }
                self.item.header.identifier = text.into();
            }
            Element::Datestamp => {
                self.item.header.datestamp = Some(Datestamp::read(text));
                self.item.datestamp_span = end;
            }
            Element::SetSpec if self.path.last() == Some(&Element::Set) => self.set.spec = keep(),
            Element::SetSpec => {
                if is_long {
                    self.item.damage.get_or_insert(Damage::Limit(PageLimit::HeaderValues));
                }
                if self.item.header.sets.len() >= self.limits.oai_sets_per_record as usize {
                    self.item.damage.get_or_insert(Damage::Limit(PageLimit::SetsPerRecord));
                } else {
                    self.item.header.sets.push(text.into());
                }
            }
            Element::SetName => self.set.name = keep(),
            Element::MetadataPrefix => self.format.prefix = keep(),
            Element::Schema => self.format.schema = keep(),
            Element::MetadataNamespace => self.format.namespace = keep(),
            Element::RepositoryName => self.identify.repository_name = keep(),
            Element::BaseUrl => self.identify.base_url = keep(),
            Element::ProtocolVersion => self.identify.protocol_version = keep(),
            Element::AdminEmail => self.identify.admin_emails.push(text.into()),
            Element::EarliestDatestamp => self.identify.earliest_datestamp = Some(Datestamp::read(text)),
            Element::DeletedRecord => self.identify.deleted_record = keep(),
            Element::Granularity => self.identify.granularity = keep(),
            Element::Compression => self.identify.compressions.push(text.into()),
            _ => {}
        }
        // The next value is gathered in the same place.
        self.text = raw;
        self.text.clear();
    }

    fn end_token(&mut self, raw: &str) {
        let mut token = core::mem::take(&mut self.token);
        let value = raw.trim_matches(is_blank);
        if value.len() != raw.len() && !value.is_empty() {
            self.note_once(Note::new(Code::OAI_23).at(token.span));
        }
        if self.text_cut || value.len() > self.limits.oai_token_bytes as usize {
            // A part of a token is no token.
            self.limit = Some(PageLimit::TokenBytes);
            return;
        }
        token.value = value.into();
        self.pieces.push_back(Piece::Token(token));
    }

    fn give_head(&mut self, verb: Option<Verb>) {
        if self.headed {
            if verb.is_some() {
                self.note_once(Note::new(Code::OAI_09).arg("element", verb.map_or("", Verb::as_str)));
            }
            return;
        }
        self.headed = true;
        let head = Head { verb, ..core::mem::take(&mut self.head) };
        if head.response_date.is_none() {
            self.note_once(Note::new(Code::OAI_06));
        }
        self.pieces.push_back(Piece::Head(head));
    }

    /// The item that has just ended, of these bytes.
    pub(super) fn take_item(&mut self, span: Span, raw: Bytes) {
        let item = core::mem::take(&mut self.item);
        let (number, base) = (item.number, span.start.offset);
        self.item.number = number;
        let is_record = self.verb != Some(Verb::ListIdentifiers);
        let identifier = item.header.identifier.clone();
        let missing = match &item {
            _ if !item.has_header => Some("header"),
            _ if identifier.is_empty() => Some("identifier"),
            _ if is_record && item.metadata.is_none() && !item.header.is_deleted => Some("metadata"),
            _ => None,
        };
        if let Some(part) = missing {
            let note = Note::new(Code::OAI_42).at(span).arg("part", part);
            self.pieces.push_back(Piece::Note(if identifier.is_empty() { note } else { note.of(&identifier) }));
        }
        if let Some(why) = item.damage.or(missing.map(Damage::Missing)) {
            let identifier = Some(identifier).filter(|identifier| !identifier.is_empty());
            self.pieces.push_back(Piece::Damaged(super::Damaged { raw, why, identifier, number, span, origin: None }));
            return;
        }
        self.note_header(&item.header, item.datestamp_span, span);
        if !is_record {
            self.pieces.push_back(Piece::Header(item.header));
            return;
        }
        let has_content = item.metadata.is_some() || !item.about.is_empty();
        if item.header.is_deleted && has_content {
            self.pieces.push_back(Piece::Note(Note::new(Code::OAI_39).at(span).of(&identifier)));
        }
        // What is deleted has nothing to keep, whatever was sent along.
        let metadata = item.metadata.filter(|_| !item.header.is_deleted).map(|markup| markup.cut(&raw, base));
        let about = item.about.into_iter().map(|markup| markup.cut(&raw, base)).collect();
        let record = super::Record { header: item.header, metadata, about, number, span, raw };
        self.pieces.push_back(Piece::Record(record));
    }

    fn note_header(&mut self, header: &Header, place: Span, span: Span) {
        match &header.datestamp {
            None => {
                let note = Note::new(Code::OAI_42).at(span).of(&header.identifier);
                self.pieces.push_back(Piece::Note(note.arg("part", "datestamp")));
            }
            Some(datestamp) if !datestamp.is_exact => {
                let note = Note::new(Code::OAI_32).at(place).of(&header.identifier);
                self.pieces.push_back(Piece::Note(note.arg("value", datestamp.text.as_str())));
            }
            Some(_) => {}
        }
    }
}

/// The beginning of a text, no longer than so many bytes.
pub(super) fn floor(text: &str, most: usize) -> &str {
    let end = (0..=most.min(text.len())).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    text.get(..end).unwrap_or_default()
}
