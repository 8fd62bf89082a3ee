//! Lists, page by page: OAI-25 to 29, 37 and 46.

use alloc::{collections::BTreeSet, vec::Vec};

use super::{ProviderCheck, answer::Reply, ask::Ask, family::disagreement, step::Step};
use crate::{
    catalogue::Code,
    note::Note,
    page::{ErrorCode, Header},
};

/// Records that are compared with each other.
const ENOUGH: u64 = 100;
/// Pages of a list that are read at most; of the list of sets, which should be read whole.
const PAGES: u64 = 3;
const PAGES_OF_SETS: u64 = 5;
/// A page with fewer items is small.
const SMALL: u64 = 100;

impl ProviderCheck {
    /// The first page of something, to be compared with the same by POST.
    pub(super) fn listed_first(&mut self, step: Step, input: u64, reply: &Reply) {
        let list = self.lists.entry(step).or_default();
        list.add(input, reply);
        list.is_page = reply.is_page();
        list.error = reply.page.verb.is_none().then(|| reply.word());
    }

    /// A page of a list.
    pub(super) fn listed(&mut self, ask: &Ask, input: u64, reply: &Reply) {
        let before = self.lists.entry(ask.step).or_default().delivered;
        if ask.page == 1 {
            self.listed_first(ask.step, input, reply);
        } else {
            self.lists.entry(ask.step).or_default().add(input, reply);
        }
        if ask.step == Step::Records || ask.step == Step::Identifiers {
            self.known.remember(&reply.headers);
        }
        let Some(verb) = reply.page.verb.filter(|verb| reply.is_page() && ask.verb() == Some(*verb)) else {
            let is_end = reply.is_page() && (ask.page == 1 || reply.has(&ErrorCode::NoRecordsMatch));
            if is_end && ask.page > 1 {
                self.found(input, Note::new(Code::OAI_25));
            } else if reply.has(&ErrorCode::BadResumptionToken) {
                self.found(input, Note::new(Code::OAI_21).arg("problem", "error-page").arg("response", reply.word()));
            }
            return self.end_list(ask, input, is_end);
        };
        if ask.step == Step::Sets {
            self.known.listed_sets.extend(reply.sets.iter().cloned());
        }
        self.token(ask, input, reply, before);
        let next = reply.token.as_ref().map(|token| token.value.as_str()).filter(|token| !token.is_empty());
        let Some(token) = next.filter(|_| verb.is_list()) else {
            if reply.token.is_none() && ask.page > 1 {
                self.found(input, Note::new(Code::OAI_25));
            }
            return self.end_list(ask, input, true);
        };
        if reply.items < SMALL && matches!(ask.step, Step::Records | Step::Identifiers) {
            self.found(input, Note::new(Code::OAI_28).arg("count", reply.items));
        }
        if self.wants_more(ask, reply) {
            self.queue.push_back(ask.next(token));
        } else {
            self.end_list(ask, input, false);
        }
        // The token of this page was the last one that was used.
        if ask.step == Step::Records && ask.page == 2 {
            self.queue.push_front(Ask { step: Step::RecordsAgain, again: true, ..ask.clone() });
        }
    }

    /// True if the next page of a list has something to compare.
    fn wants_more(&self, ask: &Ask, reply: &Reply) -> bool {
        let list = self.lists.get(&ask.step);
        let delivered = list.map_or(0, |list| list.delivered);
        match ask.step {
            Step::Sets => ask.page < PAGES_OF_SETS,
            // The second page shows whether tokens work.
            Step::Records => ask.page == 1 || (delivered < ENOUGH && ask.page < PAGES),
            Step::Identifiers => delivered < ENOUGH && ask.page < PAGES,
            Step::Second | Step::Day | Step::Set => {
                let known = self.known.any.as_ref();
                let is_found =
                    known.is_some_and(|known| reply.headers.iter().any(|own| own.identifier == known.identifier));
                !is_found && ask.page < PAGES
            }
            _ => false,
        }
    }

    /// The end of a list, or of what is read of it.
    fn end_list(&mut self, ask: &Ask, input: u64, ended: bool) {
        let list = self.lists.entry(ask.step).or_default();
        list.ended = ended;
        let mut seen = BTreeSet::new();
        let again = list.headers.iter().filter(|header| !seen.insert(header.identifier.as_str())).count();
        if again > 0 {
            self.found(input, Note::new(Code::OAI_46).arg("count", again));
        }
        match ask.step {
            Step::Sets => self.sets_listed(),
            Step::Identifiers => self.compare_lists(input),
            Step::Second | Step::Day => self.find_by_date(ask, input),
            Step::Set => self.find_in_set(ask, input),
            _ => {}
        }
    }

    /// The records of two lists.
    fn compare_lists(&mut self, input: u64) {
        let (Some(records), Some(identifiers)) = (self.lists.get(&Step::Records), self.lists.get(&Step::Identifiers))
        else {
            return;
        };
        let both = records.ended && identifiers.ended;
        let pairs: Vec<(Header, Option<Header>)> =
            records.headers.iter().map(|own| (own.clone(), identifiers.header(&own.identifier).cloned())).collect();
        let unlisted: Vec<Header> = identifiers
            .headers
            .iter()
            .filter(|own| both && records.header(&own.identifier).is_none())
            .cloned()
            .collect();
        let records_input = records.input;
        for (own, other) in pairs {
            match other {
                Some(other) => self.compare_headers(input, &own, "ListRecords", &other, "ListIdentifiers"),
                None if both => self.not_listed(input, &own, "ListRecords", "ListIdentifiers"),
                None => {}
            }
        }
        for own in unlisted {
            self.not_listed(records_input, &own, "ListIdentifiers", "ListRecords");
        }
    }

    fn not_listed(&mut self, input: u64, header: &Header, request: &str, verb: &str) {
        if !self.known.may_have_changed(header) {
            self.found(input, disagreement(&header.identifier, "not-listed").arg("request", request).arg("verb", verb));
        }
    }
}
