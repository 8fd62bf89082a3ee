//! Rules about requests by date: OAI-31 and 36.

use super::{ProviderCheck, answer::Reply, ask::Ask, step::Step};
use crate::{catalogue::Code, note::Note, page::ErrorCode};

impl ProviderCheck {
    /// A response to `from` and `until`: dates of day granularity are accepted by every repository.
    pub(super) fn dated(&mut self, ask: &Ask, input: u64, reply: &Reply) {
        let is_rejected = reply.has(&ErrorCode::BadArgument) || reply.has(&ErrorCode::BadGranularity);
        if ask.step == Step::Day && ask.page == 1 && is_rejected {
            let value = ask.argument("from").unwrap_or_default();
            self.found(input, Note::new(Code::OAI_36).arg("value", value).arg("response", reply.word()));
        }
    }

    /// The list of a day or a second was read: the known record is in it.
    pub(super) fn find_by_date(&mut self, ask: &Ask, input: u64) {
        let Some(list) = self.lists.get(&ask.step) else { return };
        let is_rejected = list.error.as_deref().is_some_and(|word| word != ErrorCode::NoRecordsMatch.as_str());
        let is_found = self.known.any.as_ref().is_none_or(|own| list.header(&own.identifier).is_some());
        if list.ended && !is_rejected && !is_found {
            self.verify(ask, input);
        }
    }
}
