//! Finds the next piece of markup and its kind.

use crate::{
    span::Span,
    xml::{
        detail::Detail,
        fault::Problem,
        input::End,
        reader::{Step, Stepped, Within, Xml},
    },
};

impl Xml {
    /// Performs the next step.
    #[inline]
    pub(super) fn step(&mut self) -> Stepped {
        if self.stopped.is_some() {
            return Ok(Step::Enough);
        }
        match self.within {
            Within::Nothing => self.between(),
            Within::StartTag => self.start_tag(),
            Within::EndTag => self.end_tag(),
            Within::Text => self.text(),
            Within::Cdata => self.cdata(),
            Within::Comment => self.comment(),
            Within::Target => self.target(),
            Within::Instruction => self.instruction(),
            Within::Declaration => self.declaration(),
        }
    }

    /// Reads between two pieces of markup.
    #[inline]
    fn between(&mut self) -> Stepped {
        if self.owed_end {
            self.owed_end = false;
            self.begin = self.ruler;
            self.begin.step_back(2);
            self.close();
            return Ok(Step::End);
        }
        if !self.begun {
            return self.begin_document();
        }
        match self.input.bytes(self.at) {
            [] => self.end_of_input(),
            [b'<', b'/', ..] => {
                self.enter(Within::EndTag, 2);
                self.end_tag()
            }
            [b'<', b'?', ..] => {
                self.enter(Within::Target, 2);
                self.target()
            }
            [b'<', b'!', ..] => self.bang(),
            [b'<', _, ..] => {
                self.enter(Within::StartTag, 1);
                self.start_tag()
            }
            [b'<'] => self.run_out(Detail::TruncatedTag, Some((0, 1))),
            _ if self.open.is_empty() => self.outside(),
            _ => {
                self.gathered.clear();
                self.enter(Within::Text, 0);
                self.text()
            }
        }
    }

    /// Reads `<!` and what follows it.
    fn bang(&mut self) -> Stepped {
        let bytes = self.input.bytes(self.at);
        let known: [(&[u8], Option<Within>); 3] =
            [(b"<!--", Some(Within::Comment)), (b"<![CDATA[", Some(Within::Cdata)), (b"<!DOCTYPE", None)];
        for (word, within) in known {
            let length = word.len().min(bytes.len());
            let (head, start) = (bytes.get(..length).unwrap_or_default(), word.get(..length).unwrap_or_default());
            // HTML's `<!doctype` is rejected as well.
            let same = head == start || (within.is_none() && head.eq_ignore_ascii_case(start));
            match within {
                _ if !same => continue,
                _ if length < word.len() => return self.run_out(Detail::TruncatedTag, Some((0, length))),
                None => return Err(self.fault(Problem::new(Detail::Doctype, 0, length))),
                Some(Within::Cdata) if self.open.is_empty() => {
                    let detail = if self.root_seen { Detail::ContentAfterRoot } else { Detail::TextBeforeRoot };
                    return Err(self.fault(Problem::new(detail, 0, length)));
                }
                Some(within) => {
                    self.gathered.clear();
                    self.enter(within, length);
                    self.advance(length);
                    return Ok(Step::Again);
                }
            }
        }
        Err(self.fault(Problem::new(Detail::BadMarkup, 0, 2)))
    }

    /// Records the start of markup, whose type is determined by `opener` bytes.
    #[inline]
    fn enter(&mut self, within: Within, opener: usize) {
        self.within = within;
        self.looked = 0;
        self.begin = self.ruler;
        self.opener = Span::new(self.ruler.place(), self.ruler.ahead(opener));
    }

    /// Reads a byte order mark before the first character.
    fn begin_document(&mut self) -> Stepped {
        let rest = self.input.rest(self.at);
        if rest.is_empty() && self.input.end == End::Open {
            return Ok(Step::Enough);
        }
        self.begun = true;
        if rest.starts_with('\u{FEFF}') {
            self.ruler.skip_mark();
            self.at = self.at.saturating_add(3);
            self.plain = self.at;
            self.first = 3;
        }
        if self.input.utf16().is_some() {
            return Ok(Step::Utf16);
        }
        Ok(Step::Again)
    }

    /// Handles the end of the available input between two pieces of markup.
    fn end_of_input(&mut self) -> Stepped {
        if self.input.end != End::Finished {
            return self.run_out(Detail::NoRoot, None);
        }
        if !self.open.is_empty() {
            return self.unclosed();
        }
        if !self.root_seen {
            let empty = self.input.readable_offset() == self.first;
            return self.run_out(if empty { Detail::EmptyDocument } else { Detail::NoRoot }, None);
        }
        self.position = self.ruler.place();
        Ok(Step::Enough)
    }
}
