//! The ways in which reading ends early: end of input, read errors, faults.

use alloc::boxed::Box;

use crate::{
    span::{Place, Span},
    xml::{
        decode::Undecodable,
        detail::Detail,
        event::means_utf8,
        fault::{EncodingFault, Fault, FaultArg, FaultKind, LimitKind, Problem, named},
        input::End,
        reader::{Step, Stepped, Within, Xml},
    },
};

impl Xml {
    /// Handles the end of the available input inside a piece of markup: end of the document, a decoding
    /// error, or more to come.
    ///
    /// `opener` is the start of the markup at `at`.
    pub(super) fn run_out(&mut self, truncated: Detail, opener: Option<(usize, usize)>) -> Stepped {
        let rest = self.input.rest(self.at).len();
        let after = |bytes: usize| rest.saturating_add(bytes);
        let problem = match &self.input.end {
            End::Open => return Ok(Step::Enough),
            End::Finished => match opener {
                Some((start, end)) => Problem::new(truncated, rest, rest).related(start, end),
                None => Problem::new(truncated, rest, rest),
            },
            End::Illegal(character) => Problem::new(Detail::IllegalCharacter, rest, after(character.len_utf8()))
                .with("character", named(*character)),
            End::TooLong => Problem::limit(LimitKind::DocumentBytes, self.limits.document_bytes, rest, rest),
            End::Undecodable(Undecodable::Other(fault)) => Problem::encoding(*fault, rest, rest),
            End::Undecodable(Undecodable::Utf16(bytes)) => {
                Problem::new(Detail::InvalidUtf16, rest, rest).with("bytes", bytes.as_str())
            }
            End::Undecodable(Undecodable::Utf8(bytes, length)) => {
                let mut problem = Problem::new(Detail::InvalidUtf8, rest, after(*length)).with("bytes", bytes.as_str());
                if let Some(declared) = self.declared.as_ref().filter(|name| !means_utf8(name)) {
                    problem.kind = FaultKind::Encoding(EncodingFault::Declared);
                    problem.args.push(("encoding", FaultArg::from(declared.as_str())));
                }
                problem
            }
        };
        Err(self.fault(problem))
    }

    /// Handles the end of the input while elements are open.
    pub(super) fn unclosed(&mut self) -> Stepped {
        let Some(innermost) = self.open.last() else { return self.run_out(Detail::NoRoot, None) };
        if self.input.end != End::Finished {
            return self.run_out(Detail::TruncatedElement, None);
        }
        let element = self.names.get(innermost.name..).unwrap_or_default();
        let rest = self.input.rest(self.at).len();
        let problem = Problem::new(Detail::TruncatedElement, rest, rest)
            .with("element", element)
            .with("open", self.open.len() as u64);
        let related = innermost.name_span;
        let mut fault = self.fault(problem);
        fault.related = Some(related);
        Err(fault)
    }

    /// Converts an obstacle at `at` to a fault.
    #[allow(clippy::boxed_local)]
    pub(super) fn fault(&self, problem: Box<Problem>) -> Box<Fault> {
        let span = |(start, end): (usize, usize)| Span::new(self.place(start), self.place(end));
        Box::new(Fault {
            kind: problem.kind,
            span: span((problem.start, problem.end)),
            related: problem
                .related
                .map(span)
                .or((self.within != Within::Nothing && is_cut(problem.kind)).then_some(self.opener)),
            args: problem.args,
        })
    }

    /// The position `distance` bytes after `at`.
    fn place(&self, distance: usize) -> Place {
        let mut ruler = self.ruler;
        let ahead = self.input.text().as_bytes().get(self.at..).unwrap_or_default();
        match ahead.get(..distance) {
            Some(bytes) => ruler.advance(bytes),
            // Each byte that is not a character counts as one character.
            None => {
                ruler.advance(ahead);
                ruler.advance_plain(distance.saturating_sub(ahead.len()));
            }
        }
        ruler.place()
    }
}

/// The document is truncated: `related` is the start of the unfinished markup.
fn is_cut(kind: FaultKind) -> bool {
    use Detail::{TruncatedCdata, TruncatedComment, TruncatedInstruction, TruncatedTag};
    matches!(kind, FaultKind::NotWellFormed(TruncatedCdata | TruncatedComment | TruncatedInstruction | TruncatedTag))
}
