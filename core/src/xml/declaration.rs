//! The XML declaration, and a comparison of the declared encoding with the actual one.

use alloc::boxed::Box;

use crate::{
    span::Span,
    xml::{
        detail::Detail,
        fault::{EncodingFault, LimitKind, Problem},
        input::End,
        name::character,
        reader::{Step, Stepped, Within, Xml},
        tag::blanks,
        text_buffer::floor,
    },
};

impl Xml {
    /// Reads from `<?xml` on; buffers until its end.
    pub(super) fn declaration(&mut self) -> Stepped {
        let rest = self.input.rest(self.at);
        let found = self.markup_end.instruction(rest.as_bytes().get(self.looked..).unwrap_or_default());
        let end = found.map(|end| self.looked.saturating_add(end));
        let limit = self.limits.tag_bytes as usize;
        if end.unwrap_or(rest.len()) > limit {
            let held = rest.get(..floor(rest, limit)).unwrap_or_default();
            let problem = read(held, false).err();
            let too_long = || Problem::limit(LimitKind::TagBytes, limit as u64, 0, 5);
            return Err(self.fault(problem.unwrap_or_else(too_long)));
        }
        let Some(end) = end else {
            self.looked = rest.len();
            if self.input.end == End::Open {
                return Ok(Step::Enough);
            }
            return match read(rest, false) {
                Ok(_) => self.run_out(Detail::TruncatedInstruction, None),
                Err(problem) => Err(self.fault(problem)),
            };
        };
        let encoding = match read(rest.get(..end).unwrap_or_default(), true) {
            Ok(encoding) => encoding,
            Err(problem) => return Err(self.fault(problem)),
        };
        self.within = Within::Nothing;
        let Some((from, to)) = encoding else {
            self.advance(end);
            return Ok(Step::Again);
        };
        let name = rest.get(from..to).unwrap_or_default();
        match check_encoding(name, self.input.utf16(), self.first > 0) {
            DeclaredEncoding::Right => {
                self.advance(end);
                Ok(Step::Again)
            }
            DeclaredEncoding::Contradiction(actual) => {
                let problem = Problem::encoding(EncodingFault::Contradiction, from, to);
                Err(self.fault(problem.with("encoding", name).with("actual", actual)))
            }
            DeclaredEncoding::Other => {
                self.declared = Some(name.into());
                self.advance(from);
                let start = self.ruler.place();
                self.advance(to.saturating_sub(from));
                let span = Span::new(start, self.ruler.place());
                self.advance(end.saturating_sub(to));
                Ok(Step::Declared(Box::new(span)))
            }
        }
    }
}

enum DeclaredEncoding {
    Right,
    Other,
    /// The actual encoding.
    Contradiction(&'static str),
}

/// Compares a declared encoding with UTF-8 or, with the order of its bytes, UTF-16.
fn check_encoding(name: &str, utf16: Option<bool>, mark: bool) -> DeclaredEncoding {
    let is = |other: &str| name.eq_ignore_ascii_case(other);
    let wide = |start: &str| name.get(..start.len()).is_some_and(|head| head.eq_ignore_ascii_case(start));
    if let Some(little) = utf16 {
        let (actual, other) = if little { ("UTF-16LE", "UTF-16BE") } else { ("UTF-16BE", "UTF-16LE") };
        let right = is("utf-16") || is(actual) || is("iso-10646-ucs-2");
        return match right {
            true => DeclaredEncoding::Right,
            false => DeclaredEncoding::Contradiction(if is(other) { actual } else { "UTF-16" }),
        };
    }
    if is("utf-8") {
        return DeclaredEncoding::Right;
    }
    // A byte order mark means UTF-8; in UTF-16 or UTF-32 the declaration would not have been readable.
    if mark || wide("utf-16") || wide("utf-32") || wide("ucs-") || wide("iso-10646-ucs-") {
        return DeclaredEncoding::Contradiction("UTF-8");
    }
    DeclaredEncoding::Other
}

/// Parses `<?xml … ?>` and returns the position of the encoding name. If not `complete`, an early end is not
/// an error.
fn read(text: &str, complete: bool) -> Result<Option<(usize, usize)>, Box<Problem>> {
    const NAMES: [&str; 3] = ["version", "encoding", "standalone"];
    let bytes = text.as_bytes();
    let malformed = |at: usize| {
        let width = character(text, at).map_or(0, char::len_utf8);
        Problem::new(Detail::BadDeclaration, at, at.saturating_add(width))
    };
    let unfinished = |encoding| if complete { Err(malformed(text.len())) } else { Ok(encoding) };
    let (mut at, mut due, mut encoding) = (5, 0, None);
    loop {
        let next = blanks(bytes, at);
        let name_end = next.saturating_add(
            bytes
                .iter()
                .skip(next)
                .take_while(|byte| byte.is_ascii_alphabetic())
                .take(NAMES.len().saturating_mul(4))
                .count(),
        );
        match bytes.get(next) {
            None => return unfinished(encoding),
            // The version is mandatory.
            Some(b'?') if due > 0 => match bytes.get(next.saturating_add(1)) {
                None => return unfinished(encoding),
                Some(b'>') => return Ok(encoding),
                Some(_) => return Err(malformed(next)),
            },
            Some(_) if next == at => return Err(malformed(next)),
            Some(_) => {}
        }
        let name = text.get(next..name_end).unwrap_or_default();
        if name_end == bytes.len() && !complete {
            return Ok(encoding);
        }
        let Some(which) = NAMES.iter().position(|known| *known == name) else { return Err(malformed(next)) };
        if which < due || (due == 0 && which != 0) {
            return Err(malformed(next));
        }
        due = which.saturating_add(1);
        let equals = blanks(bytes, name_end);
        match bytes.get(equals) {
            None => return unfinished(encoding),
            Some(b'=') => {}
            Some(_) => return Err(malformed(equals)),
        }
        let open = blanks(bytes, equals.saturating_add(1));
        let quote = match bytes.get(open) {
            None => return unfinished(encoding),
            Some(quote @ (b'"' | b'\'')) => *quote,
            Some(_) => return Err(malformed(open)),
        };
        let from = open.saturating_add(1);
        let inside = bytes.get(from..).unwrap_or_default();
        let Some(length) = inside.iter().position(|byte| *byte == quote || *byte == b'<') else {
            return unfinished(encoding);
        };
        let to = from.saturating_add(length);
        if bytes.get(to) == Some(&b'<') {
            return Err(malformed(to));
        }
        let value = text.get(from..to).unwrap_or_default();
        match which {
            0 if value != "1.0" => return Err(Problem::new(Detail::OtherVersion, from, to).with("version", value)),
            1 if !is_encoding_name(value) => {
                return Err(Problem::new(Detail::BadEncodingName, from, to).with("encoding", value));
            }
            1 => encoding = Some((from, to)),
            2 if value != "yes" && value != "no" => {
                return Err(Problem::new(Detail::BadStandalone, from, to).with("standalone", value));
            }
            _ => {}
        }
        at = to.saturating_add(1);
    }
}

fn is_encoding_name(name: &str) -> bool {
    name.starts_with(|first: char| first.is_ascii_alphabetic())
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'_' | b'-'))
}

#[cfg(test)]
mod tests {
    use super::read;
    use crate::xml::{Detail, FaultKind};

    fn detail(text: &str) -> Option<Detail> {
        match read(text, true) {
            Err(problem) => match problem.kind {
                FaultKind::NotWellFormed(detail) => Some(detail),
                _ => None,
            },
            Ok(_) => None,
        }
    }

    #[test]
    fn the_declaration_follows_its_grammar() {
        assert_eq!(detail("<?xml version='1.0'?>"), None);
        assert_eq!(detail("<?xml version = \"1.0\"\nencoding='UTF-8' standalone='no' ?>"), None);
        assert_eq!(detail("<?xml version='1.0' standalone='yes'?>"), None);
        assert_eq!(detail("<?xml version='1.1'?>"), Some(Detail::OtherVersion));
        assert_eq!(detail("<?xml version='1.0' encoding=''?>"), Some(Detail::BadEncodingName));
        assert_eq!(detail("<?xml version='1.0' encoding='8bit'?>"), Some(Detail::BadEncodingName));
        assert_eq!(detail("<?xml version='1.0' standalone='YES'?>"), Some(Detail::BadStandalone));
        for wrong in [
            "<?xml?>",
            "<?xml ?>",
            "<?xml encoding='UTF-8'?>",
            "<?xml version='1.0' standalone='no' encoding='UTF-8'?>",
            "<?xml version='1.0' version='1.0'?>",
            "<?xml version='1.0'encoding='UTF-8'?>",
            "<?xml version='1.0\"?>",
            "<?xml version=1.0?>",
            "<?xml VERSION='1.0'?>",
            "<?xml version='1.0' valid='no'?>",
            "<?xml version='1.0' ? ?>",
        ] {
            assert_eq!(detail(wrong), Some(Detail::BadDeclaration), "{wrong}");
        }
    }

    #[test]
    fn a_cut_declaration_is_unfinished_wherever_it_is_cut() {
        let whole = "<?xml version='1.0' encoding=\"UTF-8\" standalone='no' ?>";
        for end in 5..whole.len() {
            assert!(read(&whole[..end], false).is_ok(), "{end}");
        }
    }
}
