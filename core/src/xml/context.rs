//! The open elements around a position.

use alloc::{string::String, vec::Vec};

use crate::{
    limits::Limits,
    span::Place,
    xml::{
        event::Start,
        namespaces::Namespaces,
        position::PositionTracker,
        reader::{Open, Xml},
    },
};

/// The open elements at a position of a document, and the namespaces that they declare.
#[derive(Debug, Clone)]
pub struct Context {
    open: Vec<Open>,
    names: String,
    namespaces: Namespaces,
}

impl Xml {
    /// The outermost `depth` open elements, all of them if there are fewer.
    pub fn context(&self, depth: usize) -> Context {
        let mut namespaces = self.namespaces.clone();
        let mut names = self.names.clone();
        if let Some(next) = self.open.get(depth) {
            namespaces.back(next.bindings);
            names.truncate(next.name);
        }
        Context { open: self.open.iter().take(depth).cloned().collect(), names, namespaces }
    }

    /// Creates a reader inside a document: `context` are the open elements at `place`, where the pushed bytes start.
    /// They are UTF-8.
    ///
    /// Offsets count from the start of the document, and so does the limit on its length.
    pub fn inside(limits: &Limits, context: &Context, place: Place) -> Xml {
        let mut xml = Xml::new(limits);
        let Context { open, names, namespaces } = context.clone();
        (xml.open, xml.names, xml.namespaces) = (open, names, namespaces);
        xml.input.start_inside(place.offset);
        xml.ruler = PositionTracker::at(place);
        xml.begin = xml.ruler;
        xml.position = place;
        (xml.begun, xml.root_seen) = (true, true);
        xml
    }

    /// The number of open elements. `<x/>` counts until its end event was read.
    pub fn depth(&self) -> usize {
        self.open.len()
    }

    /// The namespaces declared by the open elements, outermost first: a later one hides an earlier one of the same prefix.
    pub fn declared(&self) -> impl Iterator<Item = (&str, &str)> {
        self.namespaces.declared()
    }
}

impl<'a> Start<'a> {
    /// The namespaces declared by the elements around this one, outermost first: a later one hides an earlier one of the same
    /// prefix.
    pub fn declared_around(&self) -> impl Iterator<Item = (&'a str, &'a str)> + use<'a> {
        let around = self.inside.xml.open.last().map_or(0, |open| open.bindings.saturating_sub(1));
        self.inside.xml.namespaces.declared().take(around)
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String, vec::Vec};

    use super::*;
    use crate::xml::Event;

    const DOCUMENT: &str = "<?xml version='1.0'?>\n<a xmlns='urn:d' xmlns:p='urn:p'>\n<b xmlns:p='urn:q'>x</b>\n<c>é\n<p:d/> &lt;</c><e/></a>\n";

    fn told(event: &Event<'_>) -> String {
        match event {
            Event::Start(start) => format!("{}:{} {:?}", start.namespace, start.local, start.span.start),
            Event::Text { text, span, .. } => format!("{text:?} {:?} {:?}", span.start, span.end),
            Event::End { span } => format!("end {:?}", span.start),
            other => format!("{other:?}"),
        }
    }

    fn rest(mut xml: Xml, bytes: &str) -> Vec<String> {
        let mut all = Vec::new();
        for piece in bytes.as_bytes().chunks(3) {
            xml.push(piece);
            while let Some(event) = xml.next() {
                all.push(told(&event));
            }
        }
        xml.finish();
        while let Some(event) = xml.next() {
            all.push(told(&event));
        }
        all
    }

    #[test]
    fn reading_inside_a_document_gives_what_reading_all_of_it_gives() {
        let all = rest(Xml::new(&Limits::default()), DOCUMENT);
        let mut xml = Xml::new(&Limits::default());
        xml.push(DOCUMENT.as_bytes());
        let mut taken = 0;
        while let Some(event) = xml.next() {
            // After <x/> its end event is pending, so reading cannot start here.
            let is_empty =
                matches!(event, Event::Start(_)) && DOCUMENT[..xml.position().offset as usize].ends_with("/>");
            taken += 1;
            if xml.depth() == 0 || is_empty {
                continue;
            }
            let place = xml.position();
            let later = Xml::inside(&Limits::default(), &xml.context(usize::MAX), place);
            assert_eq!(rest(later, &DOCUMENT[place.offset as usize..]), all[taken..], "{place:?}");
        }
    }

    #[test]
    fn a_context_may_be_of_the_outer_elements_only() {
        let mut xml = Xml::new(&Limits::default());
        xml.push(DOCUMENT.as_bytes());
        while xml.depth() < 2 {
            xml.next();
        }
        assert_eq!(xml.declared().collect::<Vec<_>>(), [("", "urn:d"), ("p", "urn:p"), ("p", "urn:q")]);
        let place = DOCUMENT.find("<c>").unwrap();
        let place = Place { offset: place as u64, line: 4, column: 1 };
        let mut outer = Xml::inside(&Limits::default(), &xml.context(1), place);
        assert_eq!(outer.declared().collect::<Vec<_>>(), [("", "urn:d"), ("p", "urn:p")]);
        outer.push(&DOCUMENT.as_bytes()[place.offset as usize..]);
        outer.finish();
        let mut all = Vec::new();
        while let Some(event) = outer.next() {
            all.push(told(&event));
        }
        assert!(all.iter().any(|event| event.starts_with("urn:p:d")), "{all:?}");
        assert!(all.iter().all(|event| !event.starts_with("Fault")), "{all:?}");
    }

    #[test]
    fn a_tag_knows_what_is_declared_around_it() {
        let mut xml = Xml::new(&Limits::default());
        xml.push(DOCUMENT.as_bytes());
        let mut around = Vec::new();
        while let Some(event) = xml.next() {
            if let Event::Start(start) = event {
                around.push(start.declared_around().map(|(prefix, _)| String::from(prefix)).collect::<Vec<_>>());
            }
        }
        assert_eq!(
            around,
            [alloc::vec![], alloc::vec!["", "p"], alloc::vec!["", "p"], alloc::vec!["", "p"], alloc::vec!["", "p"]]
        );
    }
}
