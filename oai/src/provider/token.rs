//! Rules about tokens: OAI-21, 24, 26, 27 and 29.

use alloc::string::String;

use super::{ProviderCheck, answer::Reply, ask::Ask, step::Step};
use crate::{catalogue::Code, note::Note, page::ErrorCode, stamp::Stamp};

/// The shortest useful lifetime of a token, in seconds.
const LIFETIME: i64 = 3_600;

impl ProviderCheck {
    /// The token of a page, after this number of items.
    pub(super) fn token(&mut self, ask: &Ask, input: u64, reply: &Reply, before: u64) {
        let Some(token) = &reply.token else { return };
        if let Some(cursor) = token.cursor.filter(|cursor| *cursor != before) {
            self.found(input, Note::new(Code::OAI_27).arg("cursor", cursor).arg("delivered", before));
        }
        let delivered = before.saturating_add(reply.items);
        if let Some(declared) = token.complete_list_size.filter(|declared| delivered > declared.saturating_mul(2)) {
            self.found(input, Note::new(Code::OAI_26).arg("delivered", delivered).arg("declared", declared));
        }
        let unix = |stamp: Option<Stamp>| stamp.map(Stamp::unix);
        let written = unix(reply.page.response_date.as_ref().and_then(|date| date.stamp));
        let expires = unix(token.expires.as_ref().and_then(|date| date.stamp));
        if let (Some(written), Some(expires), false) = (written, expires, token.value.is_empty()) {
            let seconds = expires.saturating_sub(written);
            if seconds < LIFETIME && matches!(ask.step, Step::Records | Step::Identifiers) {
                self.found(input, Note::new(Code::OAI_29).arg("seconds", seconds.max(0).unsigned_abs()));
            }
        }
        let list = self.lists.entry(ask.step).or_default();
        let is_used = list.tokens.contains(&token.value);
        if !token.value.is_empty() && !is_used {
            list.tokens.push(token.value.clone());
        }
        if is_used && list.last != list.first {
            self.found(input, Note::new(Code::OAI_24));
        }
    }

    /// The last page of records, requested again with the same token.
    pub(super) fn compare_again(&mut self, input: u64, reply: &Reply) {
        let Some(list) = self.lists.get(&Step::Records) else { return };
        let is_same = reply.content().eq(list.last.iter().map(|(id, stamp)| (id.as_str(), stamp.as_str())));
        let note = Note::new(Code::OAI_21);
        if reply.page.verb.is_none() && reply.is_page() {
            if reply.has(&ErrorCode::BadResumptionToken) {
                self.found(input, note.arg("problem", "error-page").arg("response", reply.word()));
            }
        } else if reply.is_page() && !is_same {
            let is_changed = reply.headers.iter().any(|header| self.known.may_have_changed(header))
                || list.headers.iter().any(|header| self.known.may_have_changed(header));
            if !is_changed {
                self.found(input, note.arg("problem", "other-page"));
            }
        }
    }

    /// A token of the list of records, if there is one.
    pub(super) fn a_token(&self) -> Option<String> {
        self.lists.get(&Step::Records)?.tokens.first().cloned()
    }
}
