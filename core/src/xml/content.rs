//! Character data: text, CDATA sections, and content outside the root element.

use memchr::{memchr, memchr_iter};

use crate::xml::{
    detail::Detail,
    fault::Problem,
    input::End,
    name,
    reader::{Step, Stepped, Within, Xml},
    reference, tag,
};

impl Xml {
    /// Skips white space up to the next markup, for a reader that ignores it there. Events for it took a seventh of
    /// reading.
    #[inline]
    pub(crate) fn pass_blanks(&mut self) {
        let between = self.within == Within::Nothing && !self.owed_end && self.stopped.is_none();
        if !between || self.open.is_empty() {
            return;
        }
        let mut blanks = tag::blanks(self.input.bytes(self.at), 0);
        // What was pushed since is looked at, too: else it would depend on the window whether there is an event.
        if blanks == self.input.bytes(self.at).len() && self.input.read_on(self.at) {
            blanks = tag::blanks(self.input.bytes(self.at), 0);
        }
        if self.input.bytes(self.at).get(blanks) == Some(&b'<') {
            self.advance(blanks);
        }
    }

    /// Reads white space, and nothing else, before and after the root element.
    pub(super) fn outside(&mut self) -> Stepped {
        let rest = self.input.rest(self.at);
        let blanks = tag::blanks(rest.as_bytes(), 0);
        match name::character(rest, blanks) {
            None | Some('<') => {
                self.advance(blanks);
                Ok(Step::Again)
            }
            Some(found) => {
                let detail = if self.root_seen { Detail::ContentAfterRoot } else { Detail::TextBeforeRoot };
                Err(self.fault(Problem::new(detail, blanks, blanks.saturating_add(found.len_utf8()))))
            }
        }
    }

    /// Reads text of an element, up to the next markup.
    pub(super) fn text(&mut self) -> Stepped {
        let rest = self.input.rest(self.at);
        let bytes = rest.as_bytes();
        let end = memchr(b'<', bytes);
        let raw = end.map_or(rest, |end| rest.get(..end).unwrap_or_default());
        let (length, complete) = (raw.len(), end.is_some());
        if complete && self.is_fresh(length) && reference::special(raw.as_bytes()).is_none() {
            return Ok(self.said_raw(length, length, false));
        }
        let taken = match self.gathered.text_from(raw, complete, self.limits.name_bytes) {
            Ok(taken) => taken,
            Err(problem) => return Err(self.fault(problem)),
        };
        self.advance(taken);
        if complete {
            return Ok(self.said_gathered(false));
        }
        match self.input.end {
            End::Open => Ok(Step::Enough),
            _ => self.unclosed(),
        }
    }

    /// Reads the content of a CDATA section.
    pub(super) fn cdata(&mut self) -> Stepped {
        let rest = self.input.rest(self.at);
        let bytes = rest.as_bytes();
        let mut ends = memchr_iter(b'>', bytes).filter_map(|index| index.checked_sub(2));
        let end = ends.find(|end| bytes.get(*end..).is_some_and(|tail| tail.starts_with(b"]]")));
        let Some(end) = end else {
            let taken = self.gathered.cdata_from(rest, false);
            self.advance(taken);
            return self.run_out(Detail::TruncatedCdata, None);
        };
        let raw = rest.get(..end).unwrap_or_default();
        let all = end.saturating_add(3);
        if self.is_fresh(end) && memchr(b'\r', raw.as_bytes()).is_none() {
            return Ok(self.said_raw(end, all, true));
        }
        self.gathered.cdata_from(raw, true);
        self.advance(all);
        Ok(self.said_gathered(true))
    }

    /// True if nothing of this text was buffered, and `length` bytes can be passed on without copying.
    fn is_fresh(&self, length: usize) -> bool {
        self.ruler.offset() == self.opener.end.offset && length <= self.limits.value_bytes as usize
    }

    fn said_raw(&mut self, text: usize, all: usize, cdata: bool) -> Step {
        let (from, to) = (self.at, self.at.saturating_add(text));
        self.advance(all);
        self.within = Within::Nothing;
        Step::Raw(from, to, cdata)
    }

    fn said_gathered(&mut self, cdata: bool) -> Step {
        self.within = Within::Nothing;
        Step::TextBuffer(cdata)
    }
}
