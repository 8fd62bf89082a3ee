//! A valid payload: its kind, its interval, its identity.

use alloc::{boxed::Box, string::String, vec::Vec};
use core::fmt;

use resourcesync::{
    diagnostic::{Reason, ReasonCode, Severity},
    limits::Limits,
    model::{Document, Item, Kind},
    read::{ReadEvent, Reader},
    report::{Diagnostic, Report, Verdict},
    validate::{InputOrigin, Options, Run, Validation},
    value::{Capability, to_hex},
};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::{changes::Changes, interval::Interval};

/// The kind of a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Channel {
    /// Changes of the resources of a set.
    ChangeNotification,
    /// Changes of the ResourceSync documents of a set.
    FrameworkNotification,
}

impl Channel {
    /// Both.
    pub const ALL: &'static [Channel] = &[Channel::ChangeNotification, Channel::FrameworkNotification];

    /// The name in reports, on the command line and in Capability Lists.
    pub fn as_str(self) -> &'static str {
        self.kind().as_str()
    }

    /// The channel of this name.
    pub fn find(name: &str) -> Option<Channel> {
        Channel::ALL.iter().copied().find(|channel| channel.as_str() == name)
    }

    /// The channel with documents of a kind.
    pub fn of(kind: Kind) -> Option<Channel> {
        Channel::ALL.iter().copied().find(|channel| channel.kind() == kind)
    }

    /// The kind of its documents.
    pub fn kind(self) -> Kind {
        match self {
            Channel::ChangeNotification => Kind::ChangeNotification,
            Channel::FrameworkNotification => Kind::FrameworkNotification,
        }
    }

    /// The capability that advertises it.
    pub fn capability(self) -> Capability {
        match self {
            Channel::ChangeNotification => Capability::ChangeNotification,
            Channel::FrameworkNotification => Capability::FrameworkNotification,
        }
    }
}

/// A valid notification document.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct Payload {
    #[serde(rename = "kind")]
    channel: Channel,
    #[serde(flatten)]
    interval: Option<Interval>,
    entries: u64,
    digest: String,
    #[serde(rename = "body")]
    text: String,
}

impl Payload {
    /// Validates a document of a channel, with the default options.
    ///
    /// ```
    /// use resourcesync_notify::payload::{Channel, Payload};
    ///
    /// let bytes = br#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
    ///   <rs:md capability="change-notification" from="2013-01-03T00:00:00Z" until="2013-01-03T00:10:00Z"/>
    ///   <url><loc>http://example.com/1</loc><rs:md change="deleted" datetime="2013-01-03T00:07:22Z"/></url>
    /// </urlset>"#;
    /// let payload = Payload::read(bytes.to_vec(), Channel::ChangeNotification)?;
    /// assert_eq!(payload.interval().map(|interval| interval.until.to_string()).as_deref(), Some("2013-01-03T00:10:00Z"));
    /// assert_eq!(payload.entries(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// If it is invalid, or cannot be checked to its end.
    pub fn read(bytes: Vec<u8>, channel: Channel) -> Result<Payload, Rejected> {
        let (report, interval) = (validate(&bytes, channel), interval(&bytes));
        Payload::of(bytes, channel, report, interval)
    }

    /// The same with its changes; the document is read once.
    ///
    /// # Errors
    ///
    /// As [`read`](Payload::read).
    pub fn with_changes(bytes: Vec<u8>, channel: Channel) -> Result<(Payload, Changes), Rejected> {
        let (report, document) = checked(&bytes, channel, |validation| validation.keeping());
        let document = document.unwrap_or_default();
        let md = document.head.md.first().map(|md| &md.attributes);
        let interval = md.and_then(Interval::of);
        Ok((Payload::of(bytes, channel, report, interval)?, document.into()))
    }

    fn of(bytes: Vec<u8>, channel: Channel, report: Report, interval: Option<Interval>) -> Result<Payload, Rejected> {
        if report.verdict != Verdict::Valid {
            return Err(Rejected { report: Box::new(report), bytes });
        }
        let entries = report.summary.entries;
        // Everything else is already an error: documents are UTF-8.
        let text = String::from_utf8(bytes)
            .map_err(|error| Rejected { report: Box::new(report), bytes: error.into_bytes() })?;
        Ok(Payload { channel, interval, entries, digest: digest(text.as_bytes()), text })
    }

    /// Restores a payload that was validated before.
    pub(crate) fn restore(
        channel: Channel,
        interval: Option<Interval>,
        entries: u64,
        digest: String,
        text: String,
    ) -> Payload {
        Payload { channel, interval, entries, digest, text }
    }

    /// Its kind.
    pub fn channel(&self) -> Channel {
        self.channel
    }

    /// Its interval; every Change Notification has one.
    pub fn interval(&self) -> Option<&Interval> {
        self.interval.as_ref()
    }

    /// The number of its changes.
    pub fn entries(&self) -> u64 {
        self.entries
    }

    /// The SHA-256 of its bytes, in hexadecimal.
    pub fn digest(&self) -> &str {
        &self.digest
    }

    /// The document.
    pub fn bytes(&self) -> &[u8] {
        self.text.as_bytes()
    }

    /// The document as text; a byte order mark is part of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Takes the document out of the payload.
    pub(crate) fn take_text(&mut self) -> String {
        core::mem::take(&mut self.text)
    }

    /// Consumes the payload and returns the document.
    pub fn into_text(self) -> String {
        self.text
    }
}

impl fmt::Debug for Payload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Payload { channel, interval, entries, digest, .. } = self;
        let mut shown = f.debug_struct("Payload");
        shown.field("channel", channel).field("interval", interval).field("entries", entries).field("digest", digest);
        shown.finish_non_exhaustive()
    }
}

/// A document that is not a valid notification of its channel.
#[derive(Debug, Clone, PartialEq)]
pub struct Rejected {
    /// The report.
    pub report: Box<Report>,
    /// The document.
    pub bytes: Vec<u8>,
}

impl Rejected {
    /// The first error, or the first finding if there is none.
    pub fn first(&self) -> Option<&Diagnostic> {
        let found = &self.report.diagnostics;
        found.iter().find(|found| found.severity == Severity::Error).or(found.first())
    }
}

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.first() {
            Some(found) => write!(f, "{} ({})", found.message, found.code),
            None => f.write_str("not a valid notification"),
        }
    }
}

impl core::error::Error for Rejected {}

/// The SHA-256 of a document, in hexadecimal.
pub(crate) fn digest(bytes: &[u8]) -> String {
    to_hex(&Sha256::digest(bytes))
}

/// The report on a document, as one of a channel.
pub fn validate(bytes: &[u8], channel: Channel) -> Report {
    checked(bytes, channel, |validation| validation).0
}

/// The report on a document, and the document if it is kept.
fn checked(
    bytes: &[u8],
    channel: Channel,
    prepared: impl for<'a> FnOnce(Validation<'a>) -> Validation<'a>,
) -> (Report, Option<Document>) {
    let mut options = Options::default();
    options.expect = Some(channel.kind());
    let mut run = Run::new(&options);
    let mut validation = prepared(Validation::new(&options, InputOrigin::named(channel.as_str())));
    // A compressed document is another bitstream, without the media type of payloads.
    let mut outcome = if bytes.starts_with(&[0x1f, 0x8b]) {
        validation.unreadable(Reason::new(ReasonCode::Format).arg("looks", "a gzip file"))
    } else {
        validation.push(bytes);
        validation.finish()
    };
    let document = outcome.take_document();
    run.add(outcome);
    (run.finish(), document)
}

/// The interval in the head of a document.
fn interval(bytes: &[u8]) -> Option<Interval> {
    let mut reader = Reader::new(&Limits::default());
    let mut rest = bytes;
    loop {
        let taken = reader.push(rest);
        rest = rest.get(taken..).unwrap_or_default();
        if taken == 0 {
            reader.finish();
        }
        while let Some(read) = reader.next() {
            match read {
                ReadEvent::Item(Item::Md(md)) => return Interval::of(&md.attributes),
                ReadEvent::Item(Item::End(_)) | ReadEvent::Fault(_) => return None,
                _ => {}
            }
        }
        if taken == 0 {
            return None;
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use alloc::{format, string::ToString};

    use super::*;

    fn document(md: &str) -> String {
        format!(
            "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">\n\
             {md}<url><loc>http://example.com/1</loc><rs:md change=\"updated\" datetime=\"2026-11-21T09:00:00Z\"/></url></urlset>"
        )
    }

    const CHANGES: &str =
        "<rs:md capability=\"change-notification\" from=\"2026-11-21T08:55:00Z\" until=\"2026-11-21T09:05:00Z\"/>";

    fn codes(bytes: &[u8], channel: Channel) -> Vec<String> {
        let rejected = Payload::read(bytes.to_vec(), channel).unwrap_err();
        assert_eq!(rejected.bytes, bytes);
        rejected.report.diagnostics.iter().map(|found| found.code.clone()).collect()
    }

    #[test]
    fn a_valid_notification_has_an_interval_and_an_identity() {
        let payload = Payload::read(document(CHANGES).into_bytes(), Channel::ChangeNotification).unwrap();
        let interval = payload.interval().unwrap();
        assert_eq!(
            (&*interval.from.to_string(), &*interval.until.to_string()),
            ("2026-11-21T08:55:00Z", "2026-11-21T09:05:00Z")
        );
        assert_eq!((payload.entries(), payload.digest().len()), (1, 64));
        let (same, changes) = Payload::with_changes(payload.bytes().to_vec(), payload.channel()).unwrap();
        assert_eq!(same, payload);
        assert_eq!(changes.plain()[0].change.as_deref(), Some("updated"));
        assert_eq!(changes.last().map(ToString::to_string).as_deref(), Some("2026-11-21T09:00:00Z"));
        assert_eq!(changes, Changes::read(payload.bytes()));
        assert_eq!(payload.clone().into_text(), payload.text());
    }

    #[test]
    fn a_head_after_the_entries_is_found() {
        let late = document("").replace("</urlset>", &format!("{CHANGES}</urlset>"));
        let payload = Payload::read(late.into_bytes(), Channel::ChangeNotification).unwrap();
        let (same, _) = Payload::with_changes(payload.bytes().to_vec(), payload.channel()).unwrap();
        assert!(payload.interval().is_some() && same == payload);
    }

    #[test]
    fn what_is_no_valid_notification_of_the_channel_is_rejected_with_its_report() {
        let good = document(CHANGES);
        assert_eq!(codes(good.as_bytes(), Channel::FrameworkNotification)[0], "FN-02");
        assert_eq!(codes(document(&CHANGES.replace("until", "x")).as_bytes(), Channel::ChangeNotification)[0], "CN-04");
        assert_eq!(codes(b"{}", Channel::ChangeNotification), ["INP-02"]);
        assert_eq!(codes(b"", Channel::ChangeNotification), ["GEN-01"]);
        assert_eq!(codes(b"\x1f\x8b\x08", Channel::ChangeNotification), ["INP-01"]);
        let declared = format!("<!DOCTYPE urlset>{good}");
        assert_eq!(codes(declared.as_bytes(), Channel::ChangeNotification), ["GEN-01"]);
    }

    #[test]
    fn channels_are_found_by_their_names() {
        for channel in Channel::ALL {
            assert_eq!(Channel::find(channel.as_str()), Some(*channel));
            assert_eq!(serde_json::to_string(channel).unwrap(), format!("\"{}\"", channel.as_str()));
            assert_eq!(channel.capability().as_str(), channel.as_str());
        }
        assert_eq!(Channel::find("change-list"), None);
    }
}
