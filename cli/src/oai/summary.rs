//! The result of a harvest as text and as data.

use std::path::Path;

use resourcesync::{
    diagnostic::Severity,
    report::{Lang, visible},
};
use resourcesync_client::{Cancel, oai::Counts};
use resourcesync_oai::{
    catalogue::Code,
    harvest::{Noted, Proof, Purpose, Status},
    message::message,
};
use serde::Serialize;

use super::labels;
use crate::{
    error::{finding, note, warn},
    outputs::stdout::Aside,
    status,
};

/// Most notes shown as text.
const SHOWN: usize = 20;

/// The exit status of a harvest.
pub(super) fn exit(proof: &Proof, fail_on: Option<Severity>) -> i32 {
    let all = || proof.reasons.iter().chain(proof.notes.iter());
    let is_refused = proof.reasons.of(Code::OAI_66).is_some();
    let reaches = |least: Severity| all().any(|noted| noted.code.severity() >= least);
    if is_refused || fail_on.is_some_and(reaches) {
        status::FOUND
    } else if proof.status == Status::Complete {
        status::VALID
    } else {
        status::UNSURE
    }
}

/// Writes the reasons and notes of a harvest to standard error.
pub(super) fn explain(proof: &Proof, lang: Lang) {
    for noted in proof.reasons.iter() {
        let severity = noted.code.severity();
        finding(severity, noted.code.id(), &line(noted, lang), lang);
    }
    for noted in proof.notes.iter().take(SHOWN) {
        finding(noted.code.severity(), noted.code.id(), &line(noted, lang), lang);
    }
}

/// Names the limit of a run that ended at its deadline; the proof knows only that it ended.
pub(super) fn name_limit(proof: &Proof, cancel: &Cancel, lang: Lang) {
    if cancel.is_expired() && proof.status != Status::Complete {
        let words = match lang {
            Lang::En => "the run stopped: the limit --max-time was reached; the next run of a harvest continues",
            Lang::Ja => "実行時間の上限 --max-time に達したため中止しました。収集は次回の実行で続きから再開します",
        };
        warn(words, lang);
    }
}

/// Says where the records of a harvest that was broken off go, if not to the file that they are for.
pub(super) fn name_part(aside: Option<&Aside>, lang: Lang) {
    let words = match (aside, lang) {
        (None, _) => return,
        (Some(Aside::Part(part)), Lang::En) => {
            let part = visible(&part.display().to_string());
            format!("the file of --output is left as it was; the records that were received go to {part}")
        }
        (Some(Aside::Part(part)), Lang::Ja) => {
            let part = visible(&part.display().to_string());
            format!("--output のファイルは変更していません。受信済みのレコードは {part} に書き出します")
        }
        (Some(Aside::Nothing), Lang::En) => "the file of --output is left as it was; no record was received".into(),
        (Some(Aside::Nothing), Lang::Ja) => {
            "--output のファイルは変更していません。受信できたレコードはありません".into()
        }
    };
    warn(&words, lang);
}

/// A note in one line.
pub(super) fn line(noted: &Noted, lang: Lang) -> String {
    let mut text = visible(&message(noted, lang));
    if noted.count > 1 {
        text.push_str(&match lang {
            Lang::Ja => format!("（{} 件）", noted.count),
            _ => format!(" ({} times)", noted.count),
        });
    }
    if !noted.identifiers.is_empty() {
        let shown: Vec<String> = noted.identifiers.iter().take(3).map(|own| visible(own)).collect();
        let more = if noted.count > shown.len() as u64 { ", …" } else { "" };
        text.push_str(&format!(": {}{more}", shown.join(", ")));
    }
    text
}

/// The first line of a summary.
pub(super) fn headline(proof: &Proof, counts: Option<&Counts>, lang: Lang) -> String {
    let records = grouped(proof.delivered());
    let pages: usize = proof.sequences.iter().map(|sequence| sequence.pages.len()).sum();
    let pages = grouped(pages as u64);
    let time = elapsed(proof.ended.since(proof.started) / 1000, lang);
    let next: Vec<String> = {
        let mut all: Vec<String> = proof.next.iter().map(|next| next.from.to_string()).collect();
        all.dedup();
        all
    };
    let status = labels::label(proof.status.as_str(), lang);
    let counted = counts.map(|counts| changes(counts, lang)).filter(|text| !text.is_empty());
    match lang {
        Lang::Ja => {
            let counted = counted.map_or(String::new(), |text| format!("（{text}）"));
            let next =
                if next.is_empty() { String::new() } else { format!("、次回は {} から", next.join("、")) };
            format!("{status}: {records} 件{counted}、{pages} ページ、{time}{next}")
        }
        _ => {
            let counted = counted.map_or(String::new(), |text| format!(" ({text})"));
            let next = if next.is_empty() { String::new() } else { format!("; next from {}", next.join(", ")) };
            let (record, page) = (plural(&records, "record"), plural(&pages, "page"));
            format!("{status}: {record}{counted} in {page}, {time}{next}")
        }
    }
}

/// The counts of changed records as text.
fn changes(counts: &Counts, lang: Lang) -> String {
    let Counts { created, changed, deleted, left_set, quarantined, repaired, .. } = *counts;
    let words = match lang {
        Lang::Ja => ["新規", "変更", "削除", "セット外", "隔離", "修復"],
        _ => ["new", "changed", "deleted", "left the set", "quarantined", "repaired"],
    };
    let all = [created, changed, deleted, left_set, quarantined, repaired];
    let parts = all.iter().zip(words).filter(|(count, _)| **count > 0).map(|(count, word)| match lang {
        Lang::Ja => format!("{word} {}", grouped(*count)),
        _ => format!("{} {word}", grouped(*count)),
    });
    parts.collect::<Vec<_>>().join(if lang == Lang::Ja { "、" } else { ", " })
}

fn plural(count: &str, word: &str) -> String {
    if count == "1" { format!("1 {word}") } else { format!("{count} {word}s") }
}

/// A number with thousands separators.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

fn elapsed(seconds: u64, lang: Lang) -> String {
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (lang, hours, minutes) {
        (Lang::Ja, 0, 0) => format!("{rest} 秒"),
        (Lang::Ja, 0, _) => format!("{minutes} 分"),
        (Lang::Ja, ..) => format!("{hours} 時間 {minutes} 分"),
        (_, 0, 0) => format!("{rest} s"),
        (_, 0, _) => format!("{minutes} min"),
        _ => format!("{hours} h {minutes} min"),
    }
}

/// Writes the summary to standard error.
pub(super) fn write(proof: &Proof, counts: Option<&Counts>, path: Option<&Path>, lang: Lang) {
    note(&format!("{}\n", headline(proof, counts, lang)));
    if let Some(path) = path {
        note(&format!("{}: {}\n", labels::label("proof", lang), path.display()));
    }
    if let Some(at) = proof.retry_at.and_then(|at| at.datetime()) {
        note(&match lang {
            Lang::Ja => format!("再試行の目安: {at}\n"),
            _ => format!("retry at {at}\n"),
        });
    }
}

/// The summary as data.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Summary<'a> {
    /// By this the page recognises it.
    format: &'static str,
    format_version: u32,
    pub(super) url: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) folder: Option<String>,
    pub(super) status: &'a str,
    pub(super) records: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) counts: Option<Counts>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) reasons: Vec<Explained<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) notes: Vec<Explained<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) contact: Vec<String>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) next: Vec<resourcesync_oai::harvest::Start>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) retry_at: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) proof: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) error: Option<&'a str>,
}

/// A reason or note with its message.
#[derive(Debug, Serialize)]
pub(super) struct Explained<'a> {
    #[serde(flatten)]
    noted: &'a Noted,
    severity: &'static str,
    message: String,
}

impl Explained<'_> {
    pub(super) fn message(&self) -> &str {
        &self.message
    }
}

impl<'a> Summary<'a> {
    pub(super) fn new(url: &'a str, proof: Option<&'a Proof>, counts: Option<Counts>, lang: Lang) -> Summary<'a> {
        let explained = |noted: &'a Noted| Explained {
            noted,
            severity: noted.code.severity().as_str(),
            message: message(noted, lang),
        };
        let facts = proof.and_then(|proof| proof.identify.as_ref());
        Summary {
            format: "resourcesync-oai-report",
            format_version: 1,
            url,
            folder: None,
            status: proof.map_or("failed", |proof| proof.status.as_str()),
            records: proof.map_or(0, |proof| proof.of(Purpose::Harvest).map(|own| own.delivered).sum()),
            counts,
            reasons: proof.iter().flat_map(|proof| proof.reasons.iter()).map(explained).collect(),
            notes: proof.iter().flat_map(|proof| proof.notes.iter()).map(explained).collect(),
            contact: facts.map(|facts| facts.admin_emails.clone()).unwrap_or_default(),
            next: proof.map(|proof| proof.next.clone()).unwrap_or_default(),
            retry_at: proof.and_then(|proof| proof.retry_at?.datetime()).map(|at| at.to_string()),
            proof: None,
            error: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_times_rounded() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(48_210), "48,210");
        assert_eq!(grouped(1_000_000), "1,000,000");
        assert_eq!(elapsed(59, Lang::En), "59 s");
        assert_eq!(elapsed(720, Lang::En), "12 min");
        assert_eq!(elapsed(7_380, Lang::Ja), "2 時間 3 分");
    }
}
