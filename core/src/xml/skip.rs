//! Skips the content of an element, checking it.

use memchr::memchr3;

use crate::{
    span::{Place, Span},
    xml::{
        event::Event,
        name::Name,
        reader::{Open, Step, Within, Xml},
    },
};

impl Xml {
    /// Skips and checks everything up to the end of the element at `depth`; returns the end or a fault, or `None` if more
    /// bytes are needed.
    ///
    /// Skipped content is not buffered, so the length of a text is unlimited.
    pub fn skip(&mut self, depth: usize) -> Option<Event<'_>> {
        self.gathered.keep(false);
        let step = loop {
            self.skip_usual(depth);
            match self.said() {
                None => break None,
                Some(Ok(Step::End)) if self.open.len() < depth => break Some(Ok(Step::End)),
                Some(Ok(_)) => {}
                Some(Err(fault)) => break Some(Err(fault)),
            }
        };
        self.gathered.keep(true);
        match step? {
            Ok(step) => self.event(step),
            Err(fault) => Some(Event::Fault(fault)),
        }
    }

    /// Skips text without references and tags that are complete and correct, inside the element at `depth`. Everything else is left to
    /// `said`, which starts where this ends: a comment, a fault, an incomplete tag.
    ///
    /// Lines and columns are counted once for all of it. Most of a page of OAI-PMH is metadata: this reads it in two thirds of the time.
    fn skip_usual(&mut self, depth: usize) {
        if self.within != Within::Nothing || self.owed_end || self.stopped.is_some() {
            return;
        }
        let mut at = self.at;
        // The places of the elements that are open from here on are not known yet.
        let mut placed = self.open.len();
        while let Some(text) = usual_text(self.input.bytes(at)) {
            at = at.saturating_add(text);
            let length = match self.input.bytes(at) {
                [b'<', b'/', name @ ..] if self.open.len() > depth => {
                    let expected = self.open.last().and_then(|open| self.names.get(open.name..)).unwrap_or_default();
                    let Some([b'>', ..]) = name.strip_prefix(expected.as_bytes()) else { break };
                    let length = expected.len().saturating_add(3);
                    self.close();
                    placed = placed.min(self.open.len());
                    length
                }
                [b'<', b'/' | b'!' | b'?', ..] => break,
                _ => match self.usual_start(at) {
                    Some(length) => length,
                    None => break,
                },
            };
            at = at.saturating_add(length);
        }
        if at == self.at {
            return;
        }
        for index in placed..self.open.len() {
            self.locate(index);
        }
        self.advance(at.saturating_sub(self.at));
        self.position = self.ruler.place();
    }

    /// Opens the element whose start tag is at an index, and returns the length of the tag; `None` if it is incomplete or wrong.
    #[inline]
    fn usual_start(&mut self, at: usize) -> Option<usize> {
        let text = self.input.rest(at);
        let is_whole = matches!(self.tag.read(text, &self.limits), Ok(true));
        let is_within = self.tag.end <= self.limits.tag_bytes as usize && self.open.len() < self.limits.depth as usize;
        if !is_whole || !is_within {
            return None;
        }
        let bindings = self.namespaces.mark();
        let entered = self.namespaces.enter(text, &mut self.tag, &self.limits);
        if entered.and_then(|()| self.namespaces.distinct(text, &mut self.tag)).is_err() {
            self.namespaces.back(bindings);
            return None;
        }
        if self.tag.empty {
            self.namespaces.back(bindings);
        } else {
            let name = self.names.len();
            self.names.push_str(self.tag.name.whole(text));
            self.open.push(Open { name, bindings, name_span: indices(at, self.tag.name) });
        }
        Some(self.tag.end)
    }

    /// Moves to the name of an open element of which only the indices are known, and sets its places.
    #[cold]
    fn locate(&mut self, index: usize) {
        let Some(Span { start, end }) = self.open.get(index).map(|open| open.name_span) else { return };
        let index_of = |place: Place| usize::try_from(place.offset).unwrap_or(usize::MAX);
        let (from, to) = (index_of(start), index_of(end));
        self.advance(from.saturating_sub(self.at));
        let mut ruler = self.ruler;
        ruler.advance(self.input.text().as_bytes().get(from..to).unwrap_or_default());
        if let Some(open) = self.open.get_mut(index) {
            open.name_span = Span::new(self.ruler.place(), ruler.place());
        }
    }
}

/// The indices of a name, where its places will be.
fn indices(at: usize, name: Name) -> Span {
    let place = |index: usize| Place { offset: at.saturating_add(index) as u64, ..Place::default() };
    Span::new(place(name.start), place(name.end))
}

/// The length of the text before the next markup; `None` if it is incomplete or contains references or `]]`.
#[inline]
fn usual_text(bytes: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        let rest = bytes.get(at..)?;
        let found = at.saturating_add(if rest.first() == Some(&b'<') { 0 } else { memchr3(b'<', b'&', b']', rest)? });
        match bytes.get(found..)? {
            [b'<', ..] => return Some(found),
            // Not a part of `]]>`.
            [b']', next, ..] if *next != b']' => at = found.saturating_add(1),
            _ => return None,
        }
    }
}

#[cfg(test)]
mod tests {
    use alloc::{format, string::String, vec::Vec};

    use super::*;
    use crate::{limits::Limits, xml::FaultKind};

    /// What follows an element that is skipped or read event by event, in windows of this size.
    fn after(document: &str, window: usize, skips: bool) -> Vec<String> {
        let limits = Limits { depth: 6, tag_bytes: 60, ..Limits::default() };
        let (mut xml, mut told, mut inside) = (Xml::new(&limits), Vec::new(), None);
        let mut pieces = document.as_bytes().chunks(window);
        loop {
            let event = match inside {
                Some(depth) if skips => xml.skip(depth),
                _ => xml.next(),
            };
            let Some(event) = event else {
                match pieces.next() {
                    Some(piece) => xml.push(piece),
                    None if told.last().is_some_and(|last: &String| last == "finished") => return told,
                    None => {
                        xml.finish();
                        told.push("finished".into());
                    }
                }
                continue;
            };
            let shown = match &event {
                Event::Start(start) => format!("{} {:?}", start.local, start.span),
                other => format!("{other:?}"),
            };
            let ends = matches!(event, Event::End { .. });
            let is_fault = matches!(event, Event::Fault(_));
            match inside {
                Some(depth) if ends && xml.depth() < depth => inside = None,
                Some(_) if is_fault => {}
                Some(_) => continue,
                None if xml.depth() == 2 && !ends => inside = Some(2),
                None => {}
            }
            let shown = if matches!(inside, Some(2)) && !is_fault { String::from("skipped") } else { shown };
            told.push(format!("{shown} {:?}", xml.position()));
            if is_fault {
                return told;
            }
        }
    }

    #[test]
    fn what_is_skipped_is_read_as_event_by_event() {
        let inside = [
            "<b>\r\né<c d='e'>x]y]]z</c>\n<c/><d>漢\n</d></b>",
            "<b xmlns='urn:b' xmlns:p='urn:p'><p:c p:d='' d=''><e/></p:c>&amp;<!-- < --><![CDATA[<x>]]><?p q?></b>",
            "<b/>",
            "<b><c>é\n\n<d>",
            "<b><c>\n<d></c></b>",
            "<b>]]></b>",
            "<b>&x;</b>",
            "<b><p:c/></b>",
            "<b><c a='1' a='2'/></b>",
            "<b xmlns:p='u' xmlns:q='u'><c p:a='1' q:a='2'/></b>",
            "<b>\n<c><d><e><f><g/></f></e></d></c></b>",
            "<b>\n<c><d><e><f/></e></d></c></b>",
            "<b><c a='this is a tag that is longer than such a tag may be here' b='1'/></b>",
            "<b><c",
            "<b>\u{1}</b>",
            "<b><-/></b>",
        ];
        for inside in inside {
            let document = format!("<a>\n{inside}<z>\n</z></a>\n");
            let all = after(&document, usize::MAX, false);
            for window in [1, 2, 3, 7, usize::MAX] {
                assert_eq!(after(&document, window, true), all, "{document} in windows of {window}");
            }
        }
    }

    #[test]
    fn an_element_is_passed_over_whatever_the_windows() {
        let long = format!("<a><b>{}&lt;<c/></b><d/></a>", "x&amp;]]\r".repeat(40_000));
        for window in [1, 7, 4096, 65_536] {
            let mut xml = Xml::new(&Limits::default());
            let mut pieces = long.as_bytes().chunks(window);
            while xml.depth() < 2 {
                if xml.next().is_none() {
                    xml.push(pieces.next().unwrap());
                }
            }
            let end = loop {
                match xml.skip(2) {
                    Some(Event::End { span }) => break span,
                    Some(other) => panic!("{other:?}"),
                    None => xml.push(pieces.next().unwrap()),
                }
            };
            assert_eq!(end.start.offset as usize, long.find("</b>").unwrap());
            assert_eq!(xml.depth(), 1);
        }
    }

    #[test]
    fn what_is_passed_over_is_checked() {
        let mut xml = Xml::new(&Limits::default());
        xml.push(b"<a><b><c>\x0b</c></b></a>");
        while xml.depth() < 2 {
            xml.next();
        }
        let Some(Event::Fault(fault)) = xml.skip(2) else { panic!() };
        assert!(matches!(fault.kind, FaultKind::NotWellFormed(crate::xml::Detail::IllegalCharacter)));
        assert_eq!(fault.span.start.offset, 9);
    }
}
