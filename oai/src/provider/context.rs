//! What is known when the response to a request is read.

use alloc::string::ToString;

use super::{ProviderCheck, answer::Context, step::Step};
use crate::{harvest::Moment, page::DeletedRecord, stamp::Stamp};

impl ProviderCheck {
    /// The context of the open request.
    pub(super) fn context(&self, now: Moment) -> Context {
        let Some(ask) = &self.open else { return Context { now: now.unix(), ..Context::default() } };
        let is_invalid = matches!(ask.step, Step::Invalid(_));
        let stamp = |name: &str| ask.argument(name).filter(|_| !is_invalid).and_then(Stamp::read);
        Context {
            call: self.calls,
            base_url: Some(self.plan.base_url.clone()).filter(|_| ask.step == Step::Identify),
            sent: Some(ask.arguments.clone()).filter(|_| !is_invalid && ask.page == 1),
            is_checked_whole: is_invalid || ask.is_post,
            is_repeated: ask.again
                || matches!(ask.step, Step::IdentifyAsIs | Step::IdentifyByPost | Step::RecordsByPost),
            identity: Some(ask.identity),
            granularity: self.known.granularity(),
            earliest: self.known.earliest(),
            announces_deletions: self
                .known
                .identify
                .as_ref()
                .and_then(|identify| identify.deletions())
                .map(|deletions| deletions != DeletedRecord::No),
            sets: self.known.sets.clone(),
            namespace: ask.argument("metadataPrefix").and_then(|prefix| self.known.namespace(prefix)),
            from: stamp("from"),
            until: stamp("until"),
            set: ask.argument("set").filter(|_| !is_invalid).map(ToString::to_string),
            identifier: ask.argument("identifier").filter(|_| !is_invalid).map(ToString::to_string),
            now: now.unix(),
        }
    }
}
