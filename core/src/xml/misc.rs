//! Comments and processing instructions, which are checked and skipped without buffering.

use memchr::memmem;

use crate::xml::{
    detail::Detail,
    fault::Problem,
    name,
    reader::{Step, Stepped, Within, Xml},
};

impl Xml {
    /// Reads the content of a comment.
    pub(super) fn comment(&mut self) -> Stepped {
        let bytes = self.input.bytes(self.at);
        let found = self.markup_end.comment(bytes.get(self.looked..).unwrap_or_default());
        let end = found.map(|end| self.looked.saturating_add(end));
        let checked = bytes.get(..end.unwrap_or(bytes.len())).unwrap_or_default();
        let hyphens = memmem::find(checked, b"--");
        // Two hyphens are the end, or the last available bytes, or an error.
        let allowed = checked.len().saturating_sub(if end.is_some() { 3 } else { 2 });
        if let Some(hyphens) = hyphens.filter(|hyphens| *hyphens < allowed) {
            return Err(self.fault(Problem::new(Detail::DoubleHyphen, hyphens, hyphens.saturating_add(2))));
        }
        if let Some(end) = end {
            self.advance(end);
            self.within = Within::Nothing;
            return Ok(Step::Comment);
        }
        self.looked = match checked {
            [.., b'-', b'-'] => 2,
            [.., b'-'] => 1,
            _ => 0,
        };
        self.advance(checked.len().saturating_sub(self.looked));
        self.run_out(Detail::TruncatedComment, None)
    }

    /// Reads `<?` and the name after it.
    pub(super) fn target(&mut self) -> Stepped {
        let rest = self.input.rest(self.at);
        let (end, ..) = name::run(rest, 2);
        let bytes = rest.as_bytes();
        let limit = self.limits.name_bytes;
        let found = match (name::character(rest, end), bytes.get(end.saturating_add(1))) {
            // A name of this length is rejected below, for the same reason regardless of what follows.
            _ if end.saturating_sub(2) > limit as usize => None,
            (None, _) | (Some('?'), None) => return self.run_out(Detail::TruncatedInstruction, None),
            (Some('?'), Some(b'>')) => None,
            (Some(' ' | '\t' | '\n' | '\r'), _) => None,
            (Some(found), _) => Some(found),
        };
        if end == 2 {
            return Err(self.fault(Problem::new(Detail::BadTarget, 0, 2)));
        }
        let name = match name::read(rest, 2, limit) {
            Ok(name) => name,
            Err(problem) => return Err(self.fault(problem)),
        };
        let target = name.whole(rest);
        if name.local != name.start {
            return Err(self.fault(Problem::new(Detail::NameColons, 2, end).with("name", target)));
        }
        if let Some(found) = found {
            return Err(self.fault(Problem::new(Detail::BadTarget, end, end.saturating_add(found.len_utf8()))));
        }
        if target.eq_ignore_ascii_case("xml") {
            if target != "xml" {
                return Err(self.fault(Problem::new(Detail::ReservedTarget, 2, end).with("target", target)));
            }
            if self.begin.offset() != self.first {
                return Err(self.fault(Problem::new(Detail::LateDeclaration, 0, end)));
            }
            self.within = Within::Declaration;
            self.looked = end;
            return Ok(Step::Again);
        }
        self.target.clear();
        self.target.push_str(target);
        self.within = Within::Instruction;
        self.advance(end);
        Ok(Step::Again)
    }

    /// Reads the content of a processing instruction after its name.
    pub(super) fn instruction(&mut self) -> Stepped {
        let bytes = self.input.bytes(self.at);
        let length = bytes.len();
        if let Some(end) = self.markup_end.instruction(bytes) {
            self.advance(end);
            self.within = Within::Nothing;
            return Ok(Step::Instruction);
        }
        // The feed keeps a question mark at the end in its state.
        self.advance(length);
        self.run_out(Detail::TruncatedInstruction, None)
    }
}
