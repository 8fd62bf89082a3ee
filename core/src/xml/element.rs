//! Start tags and end tags.

use alloc::boxed::Box;

use memchr::memchr;

use crate::{
    span::Span,
    xml::{
        detail::Detail,
        fault::{LimitKind, Problem},
        input::End,
        name::{self, Name},
        reader::{Open, Step, Stepped, Within, Xml},
        tag::blanks,
        text_buffer::floor,
    },
};
impl Xml {
    /// Reads a start tag, from its `<`; buffers until its end.
    #[inline]
    pub(super) fn start_tag(&mut self) -> Stepped {
        let rest = self.input.rest(self.at);
        let mut end = None;
        if self.looked == 0 {
            self.looked = 1;
            let first = name::character(rest, 1).unwrap_or_default();
            if !name::is_first(first) && first != ':' {
                let stray = || Problem::new(Detail::BareLessThan, 0, 1);
                let misnamed = name::is_later(first).then(|| name::misplaced(Detail::BadName, 1, first));
                return Err(self.fault(misnamed.unwrap_or_else(stray)));
            }
            if self.root_seen && self.open.is_empty() {
                return Err(self.fault(Problem::new(Detail::SecondRoot, 0, 1)));
            }
            // Nearly every tag is correct and complete, so that parsing also finds its end; searching for the end first
            // took an eighth of the time. All other tags are parsed below, once their end is known.
            if let Ok(true) = self.tag.read(rest, &self.limits) {
                end = Some(self.tag.end);
            }
        }
        let read = end.is_some();
        if !read {
            let found = self.markup_end.tag(rest.as_bytes().get(self.looked..).unwrap_or_default());
            end = found.map(|end| self.looked.saturating_add(end));
        }
        let limit = self.limits.tag_bytes as usize;
        if end.unwrap_or(rest.len()) > limit {
            let held = rest.get(..floor(rest, limit)).unwrap_or_default();
            let problem = self.tag.read(held, &self.limits).err();
            return Err(self.fault(problem.unwrap_or_else(|| too_long(limit))));
        }
        let text = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        if end.is_none() {
            self.looked = rest.len();
            if self.input.end == End::Open {
                return Ok(Step::Enough);
            }
        }
        if !read {
            match self.tag.read(text, &self.limits) {
                Ok(true) => {}
                Ok(false) => return self.run_out(Detail::TruncatedTag, None),
                Err(problem) => return Err(self.fault(problem)),
            }
        }
        let name = self.tag.name;
        if self.open.len() >= self.limits.depth as usize {
            return Err(self.fault(Problem::limit(LimitKind::Depth, self.limits.depth.into(), 1, name.end)));
        }
        let bindings = self.namespaces.mark();
        let entered = self.namespaces.enter(text, &mut self.tag, &self.limits);
        if let Err(problem) = entered.and_then(|()| self.namespaces.distinct(text, &mut self.tag)) {
            return Err(self.fault(problem));
        }
        let start = self.names.len();
        self.names.push_str(name.whole(text));
        let (from, length) = (self.at, text.len());
        let plain = self.advance(length);
        let name_span = self.name_span(from, name, plain);
        self.open.push(Open { name: start, bindings, name_span });
        self.root_seen = true;
        self.within = Within::Nothing;
        self.owed_end = self.tag.empty;
        Ok(Step::Start(from, plain))
    }

    /// The name of the tag that started at `from`, with the position `begin`.
    fn name_span(&self, from: usize, name: Name, plain: bool) -> Span {
        let start = self.begin.ahead(1);
        if plain {
            return Span::new(start, self.begin.ahead(name.end));
        }
        let mut ruler = self.begin;
        let text = self.input.text().as_bytes();
        ruler.advance(text.get(from..from.saturating_add(name.end)).unwrap_or_default());
        Span::new(start, ruler.place())
    }

    /// Reads an end tag, from its `</`; buffers until its end.
    pub(super) fn end_tag(&mut self) -> Stepped {
        let rest = self.input.rest(self.at);
        let bytes = rest.as_bytes();
        let expected = self.open.last().map(|open| self.names.get(open.name..).unwrap_or_default());
        // The fast path for a matching end tag.
        let after = expected.and_then(|expected| bytes.get(2..)?.strip_prefix(expected.as_bytes()));
        if let (Some([b'>', ..]), Some(expected)) = (after, expected) {
            return Ok(self.end_after(expected.len().saturating_add(3)));
        }
        let looked = self.looked.max(2);
        let found = memchr(b'>', bytes.get(looked..).unwrap_or_default());
        let end = found.map(|found| looked.saturating_add(found).saturating_add(1));
        let limit = self.limits.tag_bytes as usize;
        if end.unwrap_or(rest.len()) > limit {
            let held = rest.get(..floor(rest, limit)).unwrap_or_default();
            let problem = read_end(held, self.limits.name_bytes).err();
            return Err(self.fault(problem.unwrap_or_else(|| too_long(limit))));
        }
        let text = rest.get(..end.unwrap_or(rest.len())).unwrap_or_default();
        if end.is_none() {
            self.looked = rest.len();
            if self.input.end == End::Open {
                return Ok(Step::Enough);
            }
        }
        let name = match read_end(text, self.limits.name_bytes) {
            Ok(name) => name,
            Err(problem) => return Err(self.fault(problem)),
        };
        let Some(end) = end else { return self.run_out(Detail::TruncatedTag, None) };
        let found = name.whole(text);
        match (expected, self.open.last()) {
            (Some(expected), _) if expected == found => Ok(self.end_after(end)),
            (Some(expected), Some(open)) => {
                let problem =
                    Problem::new(Detail::MismatchedEnd, 2, name.end).with("expected", expected).with("found", found);
                let mut fault = self.fault(problem);
                fault.related = Some(open.name_span);
                Err(fault)
            }
            _ => Err(self.fault(Problem::new(Detail::EndWithoutStart, 2, name.end).with("found", found))),
        }
    }

    fn end_after(&mut self, length: usize) -> Step {
        self.advance(length);
        self.close();
        self.within = Within::Nothing;
        Step::End
    }

    /// Leaves the innermost element.
    pub(super) fn close(&mut self) {
        if let Some(open) = self.open.pop() {
            self.names.truncate(open.name);
            self.namespaces.back(open.bindings);
        }
    }
}

fn too_long(limit: usize) -> Box<Problem> {
    Problem::limit(LimitKind::TagBytes, limit as u64, 0, 1)
}

/// The name in a complete or incomplete end tag.
fn read_end(text: &str, name_bytes: u32) -> Result<Name, Box<Problem>> {
    let name = name::read(text, 2, name_bytes)?;
    let next = blanks(text.as_bytes(), name.end);
    match name::character(text, next) {
        None | Some('>') => Ok(name),
        Some(found) if next == name.end => Err(name::misplaced(Detail::BadName, next, found)),
        Some(found) => Err(name::misplaced(Detail::UnexpectedCharacter, next, found)),
    }
}
