//! Looks at single responses, without any request; those of a recording are in `archive`.

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    model::Kind,
    report::{FamilyInput, FamilyRun, Report, Via},
};

use super::{
    Answer, CheckPlan,
    answer::{Context, Reply},
    family,
    kind::is_recording,
};
use crate::{harvest::ResponseHead, page::Ending};

/// Looks at single responses, each by itself.
#[derive(Debug)]
pub struct FileCheck {
    plan: CheckPlan,
    run: FamilyRun,
}

impl FileCheck {
    /// No responses yet.
    pub fn new(plan: CheckPlan) -> FileCheck {
        FileCheck { run: FamilyRun::new(family(), &plan.selection, plan.max_per_rule), plan }
    }

    /// A reader for a response.
    pub fn answer(&self) -> Answer {
        Answer::new(Context::default(), ResponseHead { status: 200, ..ResponseHead::default() }, &self.plan)
    }

    pub(super) fn plan(&self) -> &CheckPlan {
        &self.plan
    }

    /// Adds a response, or those of a recording, from memory.
    pub fn bytes(&mut self, bytes: &[u8], name: &str) {
        if is_recording(bytes) {
            return self.recording(name, Via::Argument, &mut serde_json::Deserializer::from_slice(bytes));
        }
        let mut answer = self.answer();
        for window in bytes.chunks(WINDOW) {
            answer.push(window);
            if answer.is_over() {
                break;
            }
        }
        self.add(name, Via::Argument, *answer.finish());
    }

    /// Adds a response that was read.
    pub fn add(&mut self, name: &str, via: Via, reply: Reply) {
        self.add_of(name, None, via, reply);
    }

    /// The same with the URL that was requested.
    pub(super) fn add_of(&mut self, name: &str, uri: Option<&str>, via: Via, reply: Reply) {
        let unread = match &reply.ending {
            Some(Ending::Cut(cut)) => Some(Reason::new(ReasonCode::Other).arg("text", cut.reason())),
            _ => None,
        };
        self.put(name, uri, via, reply, unread);
    }

    /// Adds a file that could not be read to its end, with the reason.
    pub fn unreadable(&mut self, name: &str, via: Via, reason: Reason) {
        let reply = *self.answer().unanswered();
        self.put(name, None, via, reply, Some(reason));
    }

    fn put(&mut self, name: &str, uri: Option<&str>, via: Via, reply: Reply, unread: Option<Reason>) {
        let kind = if reply.is_page() { Kind::OaiResponse } else { Kind::Unknown };
        let (entries, bytes) = (reply.items, reply.bytes);
        let input = FamilyInput { name: name.into(), uri: uri.map(Into::into), via, kind, entries, bytes, unread };
        self.run.add(input, reply.findings);
    }

    /// Marks the run as stopped before its end.
    pub fn stopped(&mut self, by: &str) {
        self.run.stopped(by);
    }

    /// The report.
    pub fn report(self) -> Report {
        self.run.finish()
    }
}

/// The report on one response, or on those of a recording.
pub fn validate(bytes: &[u8], name: &str, plan: CheckPlan) -> Report {
    let mut check = FileCheck::new(plan);
    check.bytes(bytes, name);
    check.report()
}

/// Bytes read at a time.
pub(super) const WINDOW: usize = 64 << 10;
