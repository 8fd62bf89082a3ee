//! Invalid requests, which are answered with an error: OAI-50.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{ProviderCheck, answer::Reply, ask::Ask, step::Step};
use crate::{
    catalogue::Code,
    note::Note,
    page::ErrorCode::{
        self, BadArgument, BadResumptionToken, BadVerb, CannotDisseminateFormat, IdDoesNotExist, NoRecordsMatch,
        NoSetHierarchy,
    },
    stamp::Granularity,
};

/// What no repository has.
const NOTHING: &str = "no-such-value-0";

/// An invalid request.
pub(super) struct Invalid {
    /// What is wrong with it.
    problem: &'static str,
    /// The errors of which one is required.
    expected: &'static [ErrorCode],
    /// Its arguments; `None` if this repository offers none to make it of.
    arguments: fn(&ProviderCheck) -> Option<Arguments>,
}

type Arguments = Vec<(&'static str, String)>;

/// The invalid requests, in order.
pub(super) const INVALID: &[Invalid] = &[
    Invalid { problem: "no-verb", expected: &[BadVerb], arguments: |_| Some(Vec::new()) },
    Invalid { problem: "unknown-verb", expected: &[BadVerb], arguments: |_| Some(one("verb", "NoSuchVerb")) },
    Invalid {
        problem: "verb-twice",
        expected: &[BadVerb],
        arguments: |_| Some(all(&[("verb", "Identify"), ("verb", "Identify")])),
    },
    Invalid { problem: "missing-argument", expected: &[BadArgument], arguments: |_| Some(one("verb", "ListRecords")) },
    Invalid {
        problem: "foreign-argument",
        expected: &[BadArgument],
        arguments: |_| Some(all(&[("verb", "Identify"), ("noSuchArgument", "1")])),
    },
    Invalid {
        problem: "repeated-argument",
        expected: &[BadArgument],
        arguments: |check| {
            let prefix = check.known.prefix();
            Some(all(&[("verb", "ListRecords"), ("metadataPrefix", &prefix), ("metadataPrefix", &prefix)]))
        },
    },
    Invalid {
        problem: "token-and-argument",
        // The token may have expired meanwhile, or be one that was never sent.
        expected: &[BadArgument, BadResumptionToken],
        arguments: |check| {
            let token = check.a_token().unwrap_or_else(|| NOTHING.to_string());
            let prefix = check.known.prefix();
            Some(all(&[("verb", "ListRecords"), ("resumptionToken", &token), ("metadataPrefix", &prefix)]))
        },
    },
    Invalid {
        problem: "bad-token",
        expected: &[BadResumptionToken],
        arguments: |_| Some(all(&[("verb", "ListRecords"), ("resumptionToken", NOTHING)])),
    },
    Invalid {
        problem: "bad-prefix-asked",
        expected: &[CannotDisseminateFormat],
        arguments: |_| Some(all(&[("verb", "ListRecords"), ("metadataPrefix", NOTHING)])),
    },
    Invalid {
        problem: "bad-identifier",
        expected: &[IdDoesNotExist],
        arguments: |check| {
            let prefix = check.known.prefix();
            let base = check.known.record.as_ref().map_or("oai:no-such-host.invalid:0", |own| own.identifier.as_str());
            let identifier = format!("{base}-{NOTHING}");
            Some(all(&[("verb", "GetRecord"), ("identifier", &identifier), ("metadataPrefix", &prefix)]))
        },
    },
    Invalid {
        problem: "bad-set",
        expected: &[NoRecordsMatch, BadArgument, NoSetHierarchy],
        arguments: |check| {
            let prefix = check.known.prefix();
            Some(all(&[("verb", "ListIdentifiers"), ("metadataPrefix", &prefix), ("set", NOTHING)]))
        },
    },
    Invalid {
        problem: "from-after-until",
        expected: &[BadArgument],
        arguments: |check| Some(dates(check, "2020-01-02", "2020-01-01")),
    },
    Invalid {
        problem: "mixed-granularity",
        expected: &[BadArgument],
        arguments: |check| Some(dates(check, "2020-01-01", "2020-01-02T00:00:00Z")),
    },
    Invalid {
        problem: "too-fine",
        expected: &[BadArgument],
        arguments: |check| match check.known.granularity() {
            Some(Granularity::Day) => Some(dates(check, "2020-01-01T00:00:00Z", "")),
            _ => Some(dates(check, "2020-01-01T00:00:00.0Z", "")),
        },
    },
    Invalid {
        problem: "malformed-date",
        expected: &[BadArgument],
        arguments: |check| Some(dates(check, "2020-13-45", "")),
    },
    Invalid {
        problem: "empty-argument",
        expected: &[BadArgument, IdDoesNotExist],
        arguments: |check| {
            let prefix = check.known.prefix();
            Some(all(&[("verb", "GetRecord"), ("identifier", ""), ("metadataPrefix", &prefix)]))
        },
    },
    Invalid {
        problem: "format-of-record",
        expected: &[CannotDisseminateFormat],
        arguments: |check| {
            let identifier = &check.known.record.as_ref()?.identifier;
            Some(all(&[("verb", "GetRecord"), ("identifier", identifier), ("metadataPrefix", NOTHING)]))
        },
    },
];

fn one(name: &'static str, value: &str) -> Arguments {
    all(&[(name, value)])
}

fn all(arguments: &[(&'static str, &str)]) -> Arguments {
    arguments.iter().map(|(name, value)| (*name, value.to_string())).collect()
}

/// A list between these dates; an empty one is not sent.
fn dates(check: &ProviderCheck, from: &str, until: &str) -> Arguments {
    let prefix = check.known.prefix();
    let mut arguments = all(&[("verb", "ListIdentifiers"), ("metadataPrefix", &prefix)]);
    let given = [("from", from), ("until", until)].into_iter().filter(|(_, date)| !date.is_empty());
    arguments.extend(given.map(|(name, date)| (name, date.to_string())));
    arguments
}

impl ProviderCheck {
    /// The invalid request with this number.
    pub(super) fn invalid(&self, number: u8) -> Option<Ask> {
        let invalid = INVALID.get(usize::from(number))?;
        let arguments = (invalid.arguments)(self)?;
        let arguments = arguments.into_iter().map(|(name, value)| (name.to_string(), value)).collect();
        Some(Ask::raw(Step::Invalid(number), arguments))
    }

    /// The response to an invalid request.
    pub(super) fn check_reply(&mut self, number: u8, input: u64, reply: &Reply) {
        let Some(invalid) = INVALID.get(usize::from(number)) else { return };
        if invalid.expected.iter().any(|code| reply.has(code)) {
            return;
        }
        let expected: Vec<&str> = invalid.expected.iter().map(ErrorCode::as_str).collect();
        let note = Note::new(Code::OAI_50).arg("problem", invalid.problem).arg("response", reply.word());
        self.found(input, note.arg("expected", expected.join("`, `")));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::provider::family;

    #[test]
    fn there_are_seventeen_and_each_has_words() {
        assert_eq!(INVALID.len(), 17);
        for invalid in INVALID {
            assert!(family().terms.iter().any(|(word, ..)| *word == invalid.problem), "{}", invalid.problem);
        }
    }
}
