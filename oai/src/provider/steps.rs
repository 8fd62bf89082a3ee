//! The order of the requests, and what becomes of each response.

use alloc::{format, string::String};

use super::{ProviderCheck, ask::Ask, family::disagreement, invalid::INVALID, step::Step};
use crate::{
    page::{ErrorCode, Header},
    provider::answer::Reply,
    request::Verb,
    stamp::{Granularity, Stamp},
};

/// The steps before the invalid requests, in order.
const STEPS: [Step; 17] = [
    Step::Identify,
    Step::IdentifyAsIs,
    Step::IdentifyByPost,
    Step::Formats,
    Step::Sets,
    Step::Records,
    Step::RecordsByPost,
    Step::Identifiers,
    Step::FirstRecord,
    Step::LastRecord,
    Step::DeletedRecord,
    Step::FormatsOfRecord,
    Step::Second,
    Step::Day,
    Step::BeforeEarliest,
    Step::Set,
    Step::OtherFormat,
];

impl ProviderCheck {
    /// The request of the next step that applies to this repository.
    pub(super) fn next_step(&mut self) -> Option<Ask> {
        loop {
            let number = self.step;
            self.step = number.saturating_add(1);
            let ask = match number.checked_sub(STEPS.len()) {
                None => self.ask(*STEPS.get(number)?),
                Some(number) => {
                    INVALID.get(number)?;
                    self.invalid(u8::try_from(number).ok()?)
                }
            };
            if ask.is_some() {
                return ask;
            }
        }
    }

    fn ask(&self, step: Step) -> Option<Ask> {
        let prefix = self.known.prefix();
        let in_prefix = ("metadataPrefix", prefix.as_str());
        let record =
            |header: &Header| Ask::new(step, Verb::GetRecord, &[("identifier", &header.identifier), in_prefix]);
        let list = |arguments: &[(&str, &str)]| {
            let all: alloc::vec::Vec<_> = [in_prefix].into_iter().chain(arguments.iter().copied()).collect();
            Ask::new(step, Verb::ListIdentifiers, &all)
        };
        let known = &self.known;
        let at = |stamp: Stamp| {
            let stamp = format!("{stamp}");
            list(&[("from", &stamp), ("until", &stamp)])
        };
        let stamp = || known.any.as_ref()?.datestamp.as_ref()?.stamp;
        Some(match step {
            Step::Identify => Ask::new(step, Verb::Identify, &[]),
            Step::IdentifyAsIs if !self.plan.all_headers => return None,
            Step::IdentifyAsIs => Ask { identity: true, ..Ask::new(step, Verb::Identify, &[]) },
            Step::IdentifyByPost => Ask { is_post: true, ..Ask::new(step, Verb::Identify, &[]) },
            Step::Formats => Ask::new(step, Verb::ListMetadataFormats, &[]),
            Step::Sets => Ask::new(step, Verb::ListSets, &[]),
            Step::Records => Ask::new(step, Verb::ListRecords, &[in_prefix]),
            Step::RecordsByPost => Ask { is_post: true, ..Ask::new(step, Verb::ListRecords, &[in_prefix]) },
            Step::Identifiers => list(&[]),
            Step::FirstRecord => record(known.record.as_ref()?),
            Step::LastRecord => {
                let is_first =
                    |last: &&Header| known.record.as_ref().is_some_and(|own| own.identifier == last.identifier);
                record(known.last.as_ref().filter(|last| !is_first(last))?)
            }
            Step::DeletedRecord => record(known.deleted.as_ref()?),
            Step::FormatsOfRecord => {
                Ask::new(step, Verb::ListMetadataFormats, &[("identifier", &known.record.as_ref()?.identifier)])
            }
            Step::Second => at(stamp().filter(|stamp| {
                stamp.granularity() == Granularity::Second && known.granularity() == Some(Granularity::Second)
            })?),
            Step::Day => at(stamp()?.to(Granularity::Day)),
            Step::BeforeEarliest => {
                let until = format!("{}", known.earliest()?.previous());
                list(&[("until", Some(until.as_str()).filter(|until| !until.is_empty())?)])
            }
            Step::Set => list(&[("set", &self.set_to_ask()?)]),
            Step::OtherFormat => {
                let mut others = known.formats.iter().filter_map(|format| format.prefix.as_deref());
                let other = others.find(|other| *other != prefix && !other.is_empty())?;
                Ask::new(step, Verb::ListRecords, &[("metadataPrefix", other)])
            }
            // These follow from responses.
            Step::RecordsAgain | Step::Verify | Step::Invalid(_) => return None,
        })
    }

    /// Takes a response that is final.
    pub(super) fn took(&mut self, ask: &Ask, input: u64, reply: &Reply) {
        self.remember_coding(&reply.head, reply.bytes, ask.identity);
        if let Some(identifier) = ask.argument("identifier")
            && matches!(ask.step, Step::FirstRecord | Step::LastRecord | Step::DeletedRecord)
        {
            self.compare_record(input, identifier, reply);
        }
        match ask.step {
            Step::Identify => self.identified(input, reply),
            Step::IdentifyByPost => self.compare_post(Step::Identify, input, reply),
            Step::RecordsByPost => self.compare_post(Step::Records, input, reply),
            Step::Formats => self.formats_listed(input, reply),
            Step::FormatsOfRecord => {
                if let Some(identifier) = ask.argument("identifier") {
                    self.formats_of(input, identifier, reply);
                }
            }
            Step::Sets | Step::Records | Step::Identifiers | Step::OtherFormat => self.listed(ask, input, reply),
            Step::RecordsAgain => self.compare_again(input, reply),
            Step::Second | Step::Day => {
                self.dated(ask, input, reply);
                self.listed(ask, input, reply);
            }
            Step::Set => self.listed(ask, input, reply),
            Step::Verify => self.verified(reply),
            Step::Invalid(number) => self.check_reply(number, input, reply),
            Step::IdentifyAsIs | Step::FirstRecord | Step::LastRecord | Step::DeletedRecord | Step::BeforeEarliest => {}
        }
    }

    fn identified(&mut self, input: u64, reply: &Reply) {
        self.known.identify.clone_from(&reply.identify);
        self.known.identify_input = input;
        self.known.start = reply.page.response_date.as_ref().and_then(|date| date.stamp);
        if reply.identify.is_none() {
            // Without a description nothing else can be checked.
            self.stop("failures");
        }
        self.listed_first(Step::Identify, input, reply);
    }

    /// A record by itself, against the lists.
    fn compare_record(&mut self, input: u64, identifier: &str, reply: &Reply) {
        let listed = self.lists.get(&Step::Records).and_then(|list| list.header(identifier)).cloned();
        let Some(listed) = listed else { return };
        match reply.headers.first() {
            Some(own) if own.identifier == identifier => {
                self.compare_headers(input, &listed, "ListRecords", own, "GetRecord")
            }
            Some(_) => {}
            // What was deleted meanwhile without a trace cannot be told from what was never there: it was listed moments ago.
            None if reply.is_page() && reply.page.verb.is_none() && !self.known.may_have_changed(&listed) => {
                let is_deleted = listed.is_deleted;
                let is_missing = reply.has(&ErrorCode::IdDoesNotExist)
                    || (!is_deleted && reply.has(&ErrorCode::CannotDisseminateFormat));
                if is_missing {
                    let note = disagreement(identifier, "not-found").arg("request", "ListRecords");
                    self.found(input, note.arg("verb", "GetRecord").arg("other", reply.word()));
                }
            }
            None => {}
        }
    }

    /// Two headers of one record.
    pub(super) fn compare_headers(&mut self, input: u64, one: &Header, request: &str, other: &Header, verb: &str) {
        if self.known.may_have_changed(one) || self.known.may_have_changed(other) {
            return;
        }
        let stamp = |header: &Header| header.datestamp.as_ref().map(|own| own.text.clone()).unwrap_or_default();
        let sets = |header: &Header| {
            let mut sets = header.sets.clone();
            sets.sort_unstable();
            sets.dedup();
            sets.join(" ")
        };
        let differs: [(&str, String, String); 3] = [
            ("datestamp-differs", stamp(one), stamp(other)),
            ("status-differs", format!("{}", one.is_deleted), format!("{}", other.is_deleted)),
            ("sets-differ", sets(one), sets(other)),
        ];
        for (problem, own, other) in differs.into_iter().filter(|(_, own, other)| own != other) {
            let note = disagreement(&one.identifier, problem).arg("request", request).arg("verb", verb);
            self.found(input, note.arg("value", own).arg("other", other));
        }
    }

    /// Ends a check whose requests were all sent.
    pub(super) fn close(&mut self) {
        self.is_over = true;
        self.compare_codings();
    }
}
