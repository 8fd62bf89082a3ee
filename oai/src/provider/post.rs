//! POST is answered as GET is: OAI-54.

use alloc::string::String;

use super::{ProviderCheck, answer::Reply, step::Step};
use crate::{catalogue::Code, note::Note};

impl ProviderCheck {
    /// A response to POST, against the first page of the same list by GET.
    pub(super) fn compare_post(&mut self, get: Step, input: u64, reply: &Reply) {
        let Some(list) = self.lists.get(&get).filter(|list| list.is_page) else { return };
        let note = Note::new(Code::OAI_54);
        if !reply.is_page() {
            let status = reply.head.status;
            let note = match status {
                300.. => note.arg("problem", "status").arg("status", u64::from(status)),
                _ => note.arg("problem", "error").arg("response", reply.word()),
            };
            return self.found(input, note);
        }
        let error: Option<String> = reply.page.verb.is_none().then(|| reply.word());
        if error != list.error {
            return self.found(input, note.arg("problem", "error").arg("response", reply.word()));
        }
        let is_same = reply.content().eq(list.first.iter().map(|(id, stamp)| (id.as_str(), stamp.as_str())));
        let is_changed = reply.headers.iter().chain(&list.headers).any(|header| self.known.may_have_changed(header));
        if !is_same && !is_changed {
            self.found(input, note.arg("problem", "other-content"));
        }
    }
}
