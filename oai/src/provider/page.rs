//! Rules about each response: OAI-01, 07, 16, 19, 51, 55 to 58.

use resourcesync::xml::{Fault, FaultKind, LimitKind};

use super::{ProviderCheck, answer::Answer};
use crate::{
    catalogue::Code,
    harvest::ResponseHead,
    limits::PageLimit,
    note::Note,
    page::{Cut, Ending, ErrorCode, Sniffed},
};

/// Bytes of a response above which any server compresses it.
const LONG: u64 = 4 << 10;

impl Answer {
    /// Looks at the whole response.
    pub(super) fn end(&mut self) {
        let status = self.reply.head.status;
        match self.reply.ending.clone() {
            Some(Ending::Whole { .. }) => self.whole(status),
            // An HTTP error may have any body.
            Some(Ending::NotOai(Sniffed { kind, first_line })) if !self.context.is_checked_whole && status < 300 => {
                self.found(Note::new(Code::OAI_01).arg("kind", kind.as_str()).arg("line", first_line));
            }
            Some(Ending::Cut(cut)) => match &*cut {
                Cut::Fault(Fault { kind: FaultKind::Limit(LimitKind::DocumentBytes), .. }) => {
                    self.found(Note::new(Code::LIM_40).arg("limit", self.page_bytes));
                }
                Cut::Limit(PageLimit::TokenBytes) => {
                    self.found(Note::new(Code::LIM_46).arg("limit", u64::from(self.token_bytes)));
                }
                cut => self.cut(cut),
            },
            Some(Ending::NotOai(_)) | None => {}
        }
        let redirects = core::mem::take(&mut self.reply.head.redirects);
        for (_, to) in redirects.iter().filter(|(status, _)| matches!(status, 301 | 308)) {
            self.found(Note::new(Code::OAI_57).arg("uri", to.as_str()));
        }
        self.reply.head.redirects = redirects;
    }

    /// A page that does not end, or that is not well-formed; a DOCTYPE was reported.
    fn cut(&mut self, cut: &Cut) {
        if !self.reply.findings.has_code(Code::OAI_08.id()) {
            let note = Note::new(Code::OAI_04).arg("reason", cut.reason());
            let note = match cut {
                Cut::Fault(fault) => note.at(fault.span),
                Cut::Limit(_) | Cut::Gzip(_) => note,
            };
            self.found(note);
        }
    }

    fn whole(&mut self, status: u16) {
        if status >= 300 && !is_busy(status) {
            self.found(Note::new(Code::OAI_51).arg("status", u64::from(status)));
        }
        if self.reply.page.base_url.as_deref().is_none_or(str::is_empty) {
            self.found(Note::new(Code::OAI_07).arg("argument", "baseURL").arg("value", "").arg("sent", ""));
        }
        let Some(is_identity) = self.context.identity else { return };
        let written = self.reply.head.content_type.clone().unwrap_or_default();
        let media_type = written.split(';').next().unwrap_or_default().trim();
        if !media_type.eq_ignore_ascii_case("text/xml") {
            self.found(Note::new(Code::OAI_55).arg("value", media_type));
        }
        if let Some(coding) = self.reply.head.coding() {
            let is_gzip = matches!(&*coding, "gzip" | "x-gzip");
            if is_identity {
                self.found(Note::new(Code::OAI_19).arg("coding", coding));
            } else if !is_gzip {
                self.found(Note::new(Code::OAI_58).arg("coding", coding));
            }
        }
        self.echo();
    }

    /// The arguments in `request` are those that were sent.
    fn echo(&mut self) {
        // After these errors there are none (OAI-PMH 2.0 §3.2).
        let is_rejected = self.reply.has(&ErrorCode::BadVerb) || self.reply.has(&ErrorCode::BadArgument);
        let Some(sent) = self.context.sent.take().filter(|_| !is_rejected) else { return };
        for (name, value) in core::mem::take(&mut self.reply.page.arguments) {
            let own = sent.iter().find(|(own, _)| *own == name).map(|(_, value)| value.as_str());
            if own != Some(value.as_str()) {
                let note = Note::new(Code::OAI_07).arg("argument", name).arg("value", value);
                self.found(note.arg("sent", own.unwrap_or_default()));
            }
        }
    }
}

impl ResponseHead {
    /// The content coding, in lower case, if there is one.
    pub(super) fn coding(&self) -> Option<alloc::string::String> {
        let coding = self.content_encoding.as_deref()?.trim().to_ascii_lowercase();
        Some(coding).filter(|coding| !coding.is_empty() && coding != "identity")
    }
}

/// True for the statuses of a busy server.
pub(super) fn is_busy(status: u16) -> bool {
    matches!(status, 429 | 503)
}

impl ProviderCheck {
    /// Remembers whether a response was compressed.
    pub(super) fn remember_coding(&mut self, head: &ResponseHead, bytes: u64, identity: bool) {
        if identity {
            return;
        }
        self.known.is_gzipped |= head.coding().is_some_and(|coding| matches!(&*coding, "gzip" | "x-gzip"));
        self.known.was_long |= bytes >= LONG && head.status < 300;
    }

    /// Compares the codings of responses with those that are announced.
    pub(super) fn compare_codings(&mut self) {
        let Some(identify) = self.known.identify.as_ref().filter(|_| self.plan.all_headers) else { return };
        let mut announced = identify.compressions.iter().map(|coding| coding.trim().to_ascii_lowercase());
        let is_announced = announced.any(|coding| matches!(&*coding, "gzip" | "x-gzip"));
        let problem = match (self.known.is_gzipped, is_announced) {
            (true, false) => "not-announced",
            (false, true) if self.known.was_long => "not-used",
            _ => return,
        };
        self.found(self.known.identify_input, Note::new(Code::OAI_16).arg("coding", "gzip").arg("problem", problem));
    }
}
