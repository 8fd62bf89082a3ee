//! The end of a page: complete, truncated, or not OAI-PMH.

use alloc::{boxed::Box, string::String};

use resourcesync::{
    read::fault_text,
    xml::{Detail, Fault, FaultKind},
};

use super::{
    Cut, Ending, Piece, Sniffed, SniffedKind,
    held::Held,
    input::Broken,
    reader::{PageReader, State},
    resume::is_about_entities,
    sniff::{HEAD, sniff},
};
use crate::{catalogue::Code, note::Note};

impl PageReader {
    /// Adds a note on data after the page.
    pub(super) fn note_after_end(&mut self, fault: &Fault) {
        self.assembly.note_once(Note::new(Code::OAI_04).at(fault.span).arg("reason", fault_text(fault)));
    }

    /// Ends the page with an unrecoverable fault.
    pub(super) fn end_with(&mut self, fault: Fault) {
        if self.assembly.ended {
            self.note_after_end(&fault);
            return self.whole();
        }
        let is_oai = self.assembly.verb.is_some() || self.xml.depth() > 0;
        let is_doctype = fault.kind == FaultKind::NotWellFormed(Detail::Doctype);
        if is_oai {
            self.cut_by(fault);
        } else {
            self.state = State::Naming(is_doctype.then_some(fault));
        }
    }

    fn cut_by(&mut self, fault: Fault) {
        if is_about_entities(&fault) {
            self.assembly.note_once(Note::new(Code::OAI_08).at(fault.span));
        }
        self.cut(Cut::Fault(fault));
    }

    /// Determines the type of a response that is not a page. Returns false if more bytes are needed.
    pub(super) fn name(&mut self) -> bool {
        self.held.drop_all();
        let is_all = self.finished || self.broken.is_some();
        if self.input.quote().len() < HEAD && !is_all {
            return false;
        }
        let State::Naming(fault) = core::mem::replace(&mut self.state, State::Ended) else { return false };
        let sniffed = sniff(self.input.quote(), self.assembly.other_root.as_deref());
        match fault {
            Some(fault) if sniffed.kind != SniffedKind::Html => self.cut_by(fault),
            _ => self.end(Ending::NotOai(sniffed)),
        }
        true
    }

    /// The compressed body is damaged, or its compression is not supported.
    pub(super) fn break_off(&mut self, broken: Broken) {
        match broken {
            Broken::Packed(name) => {
                let kind = SniffedKind::Packed(name);
                self.end(Ending::NotOai(Sniffed { kind, first_line: String::new() }));
            }
            Broken::Gzip(problem) => self.cut(Cut::Gzip(problem)),
        }
    }

    pub(super) fn cut(&mut self, cut: Cut) {
        if self.assembly.ended {
            return self.whole();
        }
        self.end(Ending::Cut(Box::new(cut)));
    }

    pub(super) fn whole(&mut self) {
        let (sha256, bytes) = self.input.digest();
        // The digest includes the rest of the body.
        if self.finished || self.broken.is_some() {
            self.end(Ending::Whole { sha256, bytes });
        } else {
            self.held.drop_all();
            self.state = State::Reading;
        }
    }

    fn end(&mut self, ending: Ending) {
        self.assembly.pieces.push_back(Piece::End(ending));
        self.state = State::Ended;
        self.held = Held::default();
    }
}
