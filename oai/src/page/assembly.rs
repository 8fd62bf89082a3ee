//! Assembles pieces from the events of a page.

use alloc::{boxed::Box, collections::VecDeque, string::String, sync::Arc, vec::Vec};

use resourcesync::{
    span::Span,
    xml::{Context, Start, XML},
};

use super::{
    Damage, Head, Header, Identify, MetadataFormat, OAI, Piece, Scope, SetEntry, Token,
    element::{Element, Places},
    item::{Asides, Item, Pending},
    origin::Origin,
    sniff::floor,
};
use crate::{
    catalogue::Code,
    limits::{Limits, PageLimit},
    note::{Note, is_lost},
    request::Verb,
};

/// The result of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Next {
    /// The next event.
    Event,
    /// An element whose bytes are kept unparsed has started; its content is skipped.
    Markup,
    /// An unknown element has started; its content is skipped.
    Skip,
    /// An item has ended.
    Item,
    /// The root element is not that of OAI-PMH.
    OtherRoot,
}

/// The finished pieces and the ones being assembled.
#[derive(Debug)]
pub(super) struct Assembly {
    pub(super) pieces: VecDeque<Piece>,
    pub(super) limits: Limits,
    /// The open elements of the envelope.
    pub(super) path: Vec<Element>,
    pub(super) places: Places,
    /// The namespace of the root.
    pub(super) namespace: String,
    /// The prefix of the list and its items.
    pub(super) prefix: String,
    pub(super) verb: Option<Verb>,
    pub(super) head: Head,
    /// True once the head has been returned.
    pub(super) headed: bool,
    pub(super) has_error: bool,
    /// The verb element has ended.
    pub(super) answered: bool,
    /// `</OAI-PMH>` has been read.
    pub(super) ended: bool,
    /// The name of a root element that is not `OAI-PMH`.
    pub(super) other_root: Option<String>,
    pub(super) text: String,
    pub(super) text_cut: bool,
    /// The element whose value is being read; tokens and errors also have attributes.
    pub(super) token: Token,
    pub(super) error: String,
    pub(super) identify: Box<Identify>,
    pub(super) format: MetadataFormat,
    pub(super) set: SetEntry,
    pub(super) item: Item,
    /// `xml:lang` and `xml:space` of open elements, with the depth of each.
    pub(super) inherited: Vec<(usize, bool, String)>,
    /// The number of declarations around the items, and their scope, which applies to most metadata.
    pub(super) around_items: usize,
    pub(super) scope: Option<Arc<Scope>>,
    /// The limit that makes the page unusable.
    pub(super) limit: Option<PageLimit>,
    pub(super) markup: Pending,
    pub(super) noted: Vec<Code>,
    /// A record or a token stood where it is not read.
    has_lost: bool,
}

/// The depth of the items of a list: below the root and the verb.
pub(super) const LIST_DEPTH: usize = 2;

impl Assembly {
    pub(super) fn new(limits: Limits) -> Assembly {
        Assembly {
            pieces: VecDeque::new(),
            limits,
            path: Vec::new(),
            places: Places::default(),
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
            has_lost: false,
        }
    }

    /// Starts inside the list of a page.
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

    /// The context of the items of the open list.
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

    /// The open list, with the prefix of its elements.
    pub(super) fn list(&self) -> Option<(Verb, &str)> {
        match (self.path.get(..LIST_DEPTH), self.verb) {
            (Some([Element::Root, Element::Verb(_)]), Some(verb)) => Some((verb, &self.prefix)),
            _ => None,
        }
    }

    /// Adds a note; each code occurs at most once per page.
    pub(super) fn note_once(&mut self, note: Note) {
        if !self.noted.contains(&note.code) {
            self.noted.push(note.code);
            self.pieces.push_back(Piece::Note(note));
        }
    }

    pub(super) fn start(&mut self, start: &Start<'_>) -> Next {
        let Some(parent) = self.path.last().copied() else { return self.root(start) };
        if parent.is_container() {
            self.contained(start);
            return self.begin_markup(start);
        }
        let element = match start.namespace == self.namespace {
            true => parent.child(start.local),
            false => Element::Unknown,
        };
        if element == Element::Unknown {
            if parent == Element::Header {
                self.contained(start);
                return self.begin_markup(start);
            }
            let in_token = parent == Element::Token;
            let name = if in_token { "resumptionToken" } else { start.local };
            let note = Note::new(Code::OAI_09).at(start.span).arg("element", name);
            // Told also if something harmless was told before it.
            match !self.has_lost && is_lost(name) {
                true => self.pieces.push_back(Piece::Note(note)),
                false => self.note_once(note),
            }
            self.has_lost |= is_lost(name);
            return Next::Skip;
        }
        self.place(element, start);
        if let Element::Verb(verb) = element {
            self.answers(verb, start);
            self.around_items = start.declared_around().count().saturating_add(start.declarations().count());
            self.scope = None;
        }
        self.path.push(element);
        self.look_at_attributes(element, start);
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
        self.look_at_attributes(Element::Root, start);
        Next::Event
    }

    /// Records `xml:lang` and `xml:space` for the content of the element, and checks its own attributes.
    fn look_at_attributes(&mut self, element: Element, start: &Start<'_>) {
        // Most tags of the envelope have no attributes.
        if start.span.length() <= (start.local.len().saturating_add(start.prefix.len()).saturating_add(3)) as u64 {
            return;
        }
        for attribute in start.attributes().filter(|attribute| attribute.namespace == XML) {
            if matches!(attribute.local, "lang" | "space") {
                self.inherited.push((self.path.len(), attribute.local == "lang", attribute.value.into()));
            }
        }
        self.attributes(element, start);
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

    pub(super) fn text(&mut self, text: &str, cut: bool) {
        if !self.path.last().is_some_and(|element| element.is_value()) {
            return self.stray(text);
        }
        let room =
            (self.limits.oai_header_values.max(self.limits.oai_token_bytes) as usize).saturating_sub(self.text.len());
        self.text_cut |= cut || text.len() > room;
        self.text.push_str(floor(text, room));
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
            Element::Metadata | Element::About | Element::SetDescription | Element::Description => {
                self.item.asides = Asides::None;
                self.emptied(element, end);
            }
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
}
