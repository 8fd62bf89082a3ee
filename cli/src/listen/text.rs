//! Events as text for people.

use std::net::SocketAddr;

use resourcesync::{
    diagnostic::Severity,
    report::{Lang, reason, visible},
};
use resourcesync_client::listen::ConsumeError;
use resourcesync_notify::{
    payload::Channel,
    subscriber::{Found, Phase, Pull, RereadDocument, StateChange, Why},
};
use resourcesync_sync::{
    conclude::Outcome,
    report::{Counts, Document, DocumentStatus, Report},
};

use crate::sync::words::{self, number};

/// The first column: what the event is about.
fn line(lang: Lang, en: &str, ja: &str, words: &str) -> String {
    match lang {
        Lang::En => format!("{en:<10} {words}"),
        Lang::Ja => format!("{ja}: {words}"),
    }
}

fn kind(channel: Channel) -> (&'static str, &'static str) {
    match channel {
        Channel::ChangeNotification => ("changes", "変更通知"),
        Channel::FrameworkNotification => ("framework", "フレームワーク通知"),
    }
}

pub(super) fn listening(address: SocketAddr, lang: Lang) -> String {
    line(lang, "listening", "待ち受け", &address.to_string())
}

pub(super) fn notified(channel: Channel, entries: u64, interval: Option<&(String, String)>, lang: Lang) -> String {
    let (en, ja) = kind(channel);
    let interval = interval.map(|(from, until)| format!(" {from}..{until}")).unwrap_or_default();
    let words = match lang {
        Lang::En if entries == 1 => format!("1 change{interval}"),
        Lang::En => format!("{} changes{interval}", number(entries)),
        Lang::Ja => format!("{} 件{interval}", number(entries)),
    };
    line(lang, en, ja, &words)
}

pub(super) fn missed(pull: &Pull, lang: Lang) -> String {
    let (en, ja) = match pull.why {
        Why::Subscribed => ("a subscription begins", "購読の開始"),
        Why::Gap => ("a notification is missing", "通知の欠落"),
        Why::Invalid => ("a notification cannot be used", "使用できない通知"),
        _ => ("the hub is unreliable", "信頼できないハブ"),
    };
    let ends = [&pull.from, &pull.until].map(|end| end.as_ref().map(ToString::to_string).unwrap_or_default());
    let interval = if ends.iter().all(String::is_empty) { String::new() } else { format!(" {}", ends.join("..")) };
    let words = format!("{}{interval} ({})", visible(&pull.set), if lang == Lang::En { en } else { ja });
    line(lang, "to pull", "要取得", &words)
}

pub(super) fn read_again(documents: &[RereadDocument], lang: Lang) -> String {
    let first = documents.first().map(|document| visible(&document.uri).to_string()).unwrap_or_default();
    let rest = documents.len().saturating_sub(1) as u64;
    let words = match lang {
        _ if rest == 0 => first,
        Lang::En => format!("{first} and {} more", number(rest)),
        Lang::Ja => format!("{first} ほか {} 件", number(rest)),
    };
    line(lang, "to read", "要再読", &words)
}

pub(super) fn changed(change: &StateChange, lang: Lang) -> String {
    let (en, ja) = match change.phase {
        Phase::Requested => ("requested", "購読を要求中"),
        Phase::Active => ("active", "購読中"),
        Phase::Denied => ("DENIED", "拒否"),
        Phase::Suspect => ("SUSPECT, polling", "応答なし、ポーリング中"),
        Phase::Leaving => ("ending", "購読を解除中"),
        _ => ("ended", "購読を解除済み"),
    };
    let until = change.until.map(|until| match lang {
        Lang::En => format!(" until {until}"),
        Lang::Ja => format!("（{until} まで）"),
    });
    let why = change.reason.as_ref().map(|why| format!(": {}", visible(&reason(why, lang)))).unwrap_or_default();
    let state = if lang == Lang::En { en } else { ja };
    let words = format!("{}  {state}{}{why}", visible(&change.topic), until.unwrap_or_default());
    let (en, ja) = kind(change.kind);
    line(lang, en, ja, &words)
}

pub(super) fn finding(severity: Severity, found: &Found, lang: Lang) -> String {
    let name = |lang| crate::words::severity(severity, lang);
    line(lang, name(Lang::En), name(Lang::Ja), &format!("{} {}", found.code.as_str(), visible(&found.message(lang))))
}

/// The numbers of resources, without those that are 0.
fn counted(counts: &Counts, lang: Lang) -> Vec<String> {
    let parts = [
        (counts.created, "created", "作成"),
        (counts.updated, "updated", "更新"),
        (counts.deleted, "deleted", "削除"),
        (counts.failed, "FAILED", "失敗"),
    ];
    let shown = parts.iter().filter(|(count, ..)| *count > 0).map(|(count, en, ja)| match lang {
        Lang::En => format!("{} {en}", number(*count)),
        Lang::Ja => format!("{ja} {} 件", number(*count)),
    });
    shown.collect()
}

pub(super) fn applied(counts: &Counts, lang: Lang) -> String {
    let mut words = counted(counts, lang);
    if words.is_empty() {
        words.push(if lang == Lang::En { "nothing to do" } else { "変更なし" }.to_owned());
    }
    line(lang, "applied", "適用", &words.join(if lang == Lang::En { ", " } else { "、" }))
}

pub(super) fn pulled(why: &str, report: &Report, lang: Lang) -> String {
    let mut words = counted(&report.counts, lang);
    let is_unread = |document: &Document| document.status == DocumentStatus::Unread;
    let (en, ja) = match report.run.outcome {
        Outcome::InStep => ("in step", "同期済み"),
        Outcome::Refused => ("REFUSED", "拒否"),
        Outcome::Locked => ("LOCKED", "ロック中"),
        Outcome::Interrupted => ("interrupted", "中断"),
        Outcome::Failed => ("FAILED", "失敗"),
        Outcome::Incomplete if report.documents.iter().any(is_unread) => {
            ("a document could not be read", "読み取れない文書あり")
        }
        Outcome::Planned | Outcome::Incomplete => ("NOT IN STEP", "同期未完了"),
    };
    words.push(if lang == Lang::En { en } else { ja }.to_owned());
    let as_of = report.as_of.as_deref().map(|at| match lang {
        Lang::En => format!(" as of {}", visible(at)),
        Lang::Ja => format!("（{} 時点）", visible(at)),
    });
    let mut text = line(
        lang,
        "pulled",
        "取得",
        &format!("{}{} [{why}]", words.join(if lang == Lang::En { ", " } else { "、" }), as_of.unwrap_or_default()),
    );
    for finding in &report.diagnostics {
        text.push('\n');
        words::finding(finding, lang, &mut text);
        text.truncate(text.trim_end().len());
    }
    text
}

pub(super) fn not_consumed(error: &ConsumeError, lang: Lang) -> String {
    let (en, ja) = match error {
        ConsumeError::NotRun { program, reason: why } => {
            let (program, why) = (program.display(), reason(why, lang));
            (format!("{program} could not be run: {why}"), format!("{program} を実行できません: {why}"))
        }
        ConsumeError::Ended { program, seconds } => {
            let program = program.display();
            (format!("{program} was ended after {seconds} s"), format!("{program} を {seconds} 秒後に終了させました"))
        }
        ConsumeError::Failed { program, event, status } => {
            let program = program.display();
            let ja = format!("イベント {event} の {program} が失敗したため、もう一度実行します: {status}");
            (format!("{program} failed for event {event}: {status}; it is run again"), ja)
        }
        ConsumeError::Unwritable { file, reason: why } => {
            let (file, why) = (file.display(), reason(why, lang));
            (format!("{file} could not be written: {why}"), format!("{file} に書き込めません: {why}"))
        }
    };
    if lang == Lang::En { en } else { ja }
}
