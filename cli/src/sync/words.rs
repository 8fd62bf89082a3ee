//! The report of a run for people, in English and Japanese.

use std::fmt::Write;

use resourcesync::{
    diagnostic::Severity,
    report::{Lang, reason, visible},
};
use resourcesync_sync::{
    catalogue,
    conclude::Outcome,
    report::{DocumentStatus, Doing, Done, Finding, Item, ItemCode, PackagePlan, PlanKind, PlanWhy, Report},
};

use crate::words::severity;

/// Maximum resources listed in text.
const LISTED: usize = 50;

/// The report in text.
pub(super) fn report(report: &Report, lang: Lang) -> String {
    let mut text = format!("{}\n", visible(&report.source));
    documents(report, lang, &mut text);
    plan(report, lang, &mut text);
    counts(report, lang, &mut text);
    items(report, lang, &mut text);
    for one in &report.diagnostics {
        finding(one, lang, &mut text);
    }
    last(report, lang, &mut text);
    text
}

/// The reports of several Sources: those in step in one line each, the others as a whole, and how many there are of each outcome.
pub(super) fn reports(reports: &[Report], lang: Lang) -> String {
    let mut text = String::new();
    let mut outcomes: Vec<(&str, usize)> = Vec::new();
    for one in reports {
        let folder = one.folder.as_deref().unwrap_or_default();
        let words = outcome(one, lang);
        if one.run.outcome == Outcome::InStep && one.diagnostics.is_empty() {
            let _ = write!(text, "{}  {}: ", visible(&one.source), visible(folder));
            last(one, lang, &mut text);
        } else {
            let _ = writeln!(text, "{}  {}", visible(&one.source), visible(folder));
            text.push_str(report(one, lang).split_once('\n').unwrap_or_default().1);
        }
        match outcomes.iter_mut().find(|(other, _)| *other == words) {
            Some((_, count)) => *count = count.saturating_add(1),
            None => outcomes.push((words, 1)),
        }
    }
    let counts: Vec<String> = outcomes.iter().map(|(words, count)| format!("{count} {words}")).collect();
    let _ = match lang {
        Lang::En => writeln!(text, "{}: {}", counted(reports.len() as u64, "Source"), counts.join(", ")),
        Lang::Ja => {
            let counts: Vec<String> = outcomes.iter().map(|(words, count)| format!("{words} {count} 件")).collect();
            writeln!(text, "ソース {} 件: {}", number(reports.len() as u64), counts.join("、"))
        }
    };
    text
}

/// The progress of a run of several Sources.
pub(super) fn sources(done: usize, count: usize, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{done} of {} synchronized", counted(count as u64, "Source")),
        Lang::Ja => format!("同期したソース: {done}/{count} 件"),
    }
}

/// A finding with its help.
pub(crate) fn finding(finding: &Finding, lang: Lang, text: &mut String) {
    let Some(row) = catalogue::find(&finding.code) else { return };
    let (message, help) = (row.message(&finding.args, lang), row.help(&finding.args, lang));
    let severity = Severity::find(&finding.severity).map_or(&*finding.severity, |found| severity(found, lang));
    let _ = writeln!(text, "{severity}[{}]: {}", finding.code, visible(&message));
    let _ = match lang {
        Lang::En => writeln!(text, "  help: {}", visible(&help)),
        Lang::Ja => writeln!(text, "  対処: {}", visible(&help)),
    };
}

fn documents(report: &Report, lang: Lang, text: &mut String) {
    let count = |status| report.documents.iter().filter(|document| document.status == status).count();
    let statuses = [
        (DocumentStatus::Read, "read", "読み取り"),
        (DocumentStatus::Unchanged, "unchanged", "変更なし"),
        (DocumentStatus::Unread, "UNREAD", "読み取れず"),
    ];
    let words: Vec<String> = statuses
        .into_iter()
        .map(|(status, en, ja)| (count(status), en, ja))
        .filter(|(count, ..)| *count > 0)
        .map(|(count, en, ja)| match lang {
            Lang::En => format!("{count} {en}"),
            Lang::Ja => format!("{ja} {count} 件"),
        })
        .collect();
    if !words.is_empty() {
        line(text, lang, "documents", "文書", &words.join("   "));
    }
}

fn plan(report: &Report, lang: Lang, text: &mut String) {
    let Some(plan) = report.plan else { return };
    let (requests, bytes) = match lang {
        Lang::En => (counted(plan.requests, "request"), counted(plan.bytes, "byte")),
        Lang::Ja => (number(plan.requests), number(plan.bytes)),
    };
    let (en, ja) = match plan.why {
        PlanWhy::FirstRun => ("first run", "初回"),
        PlanWhy::DocumentsChanged => ("documents changed", "文書に変更あり"),
        PlanWhy::NothingChanged => ("no document changed", "文書に変更なし"),
        PlanWhy::Unfinished => ("the run before did not finish", "前回の実行が未完了"),
        PlanWhy::OptionsChanged => ("other options than before", "前回とオプションが異なる"),
        PlanWhy::Requested => ("requested comparison", "指定による比較"),
        PlanWhy::OpenListContinues => ("the open Change List has new entries", "変更リストに新しいエントリあり"),
        PlanWhy::OpenListRewritten => ("the open Change List was rewritten", "変更リストが書き換えられた"),
        PlanWhy::NextList => ("the next Change List", "次の変更リスト"),
        PlanWhy::Gap => ("changes are missing", "変更の一部が欠けている"),
        PlanWhy::NoChangeLists => ("there are no Change Lists any more", "変更リストがなくなった"),
    };
    let words = match lang {
        // A run that only processes changes compares nothing else.
        Lang::En if plan.kind == PlanKind::Changes => {
            format!("changes, {en}: {requests}, {bytes} listed")
        }
        Lang::Ja if plan.kind == PlanKind::Changes => {
            format!("変更分（{ja}）: 要求 {requests} 件、記載された長さの合計 {bytes} バイト")
        }
        Lang::En => format!("{en}: {requests}, {bytes} listed"),
        Lang::Ja => format!("{ja}: 要求 {requests} 件、記載された長さの合計 {bytes} バイト"),
    };
    line(text, lang, "plan", "計画", &words);
    if let Some(packages) = plan.packages {
        line(text, lang, "packages", "パッケージ", &choice(&packages, lang));
    }
}

/// Why packages are used, or not.
fn choice(packages: &PackagePlan, lang: Lang) -> String {
    let seconds = |milliseconds: u64| number(milliseconds.div_ceil(1_000));
    let (with, without) = (seconds(packages.milliseconds), seconds(packages.milliseconds_without));
    let (bytes, supplied) = (number(packages.bytes), number(packages.supplied));
    match (lang, packages.chosen) {
        (Lang::En, true) => format!(
            "{} of {}, about {with} s instead of {without} s: {} supplied",
            counted(packages.packages, "package"),
            counted(packages.bytes, "byte"),
            counted(packages.supplied, "resource")
        ),
        (Lang::En, false) => format!(
            "not used: {} of {} would take about {with} s, not much less than {without} s",
            counted(packages.packages, "package"),
            counted(packages.bytes, "byte")
        ),
        (Lang::Ja, true) => format!(
            "{} 件（{bytes} バイト）を使用: 約 {without} 秒が約 {with} 秒、{supplied} 件のリソースを取得",
            number(packages.packages)
        ),
        (Lang::Ja, false) => format!(
            "使用しない: {} 件（{bytes} バイト）の取得は約 {with} 秒で、個別の取得（約 {without} 秒）より十分に短くない",
            number(packages.packages)
        ),
    }
}

fn counts(report: &Report, lang: Lang, text: &mut String) {
    let counts = &report.counts;
    let all = [
        (counts.created, "created", "作成"),
        (counts.updated, "updated", "更新"),
        (counts.deleted, "deleted", "削除"),
        (counts.adopted, "adopted", "引き継ぎ"),
        (counts.unchanged, "unchanged", "変更なし"),
        (counts.skipped, "skipped", "対象外"),
        (counts.failed, "FAILED", "失敗"),
        (counts.deferred, "DEFERRED", "延期"),
        (counts.conflicts, "CONFLICTS", "競合"),
        (counts.withheld, "NOT DELETED", "削除せず"),
        (counts.left, "LEFT", "未処理"),
        (counts.archived, "added to the history", "履歴に追加"),
    ];
    let words: Vec<String> =
        all.into_iter().filter(|(count, ..)| *count > 0).map(|(count, en, ja)| pair(count, en, ja, lang)).collect();
    if !words.is_empty() {
        line(text, lang, if report.run.dry_run { "would be" } else { "resources" }, "リソース", &words.join("   "));
    }
    let verified = &report.verified;
    let by = [
        (verified.digest, "by digest", "ダイジェスト"),
        (verified.length, "by length", "長さ"),
        (verified.unreadable, "nothing readable", "読み取れる記載なし"),
        (verified.nothing, "nothing listed", "記載なし"),
    ];
    let words: Vec<String> =
        by.into_iter().filter(|(count, ..)| *count > 0).map(|(count, en, ja)| pair(count, en, ja, lang)).collect();
    if !words.is_empty() {
        line(text, lang, "verified", "検証", &words.join("   "));
    }
}

fn pair(count: u64, en: &str, ja: &str, lang: Lang) -> String {
    match lang {
        Lang::En => format!("{en} {}", number(count)),
        Lang::Ja => format!("{ja} {} 件", number(count)),
    }
}

fn items(report: &Report, lang: Lang, text: &mut String) {
    let is_listed = |item: &&Item| report.run.dry_run || item.result != Done::Done;
    let all = report.items.iter().filter(is_listed).count();
    for item in report.items.iter().filter(is_listed).take(LISTED) {
        let action = match (item.action, lang) {
            (Doing::Create, Lang::En) => "create",
            (Doing::Update, Lang::En) => "update",
            (Doing::Delete, Lang::En) => "delete",
            (Doing::Archive, Lang::En) => "archive",
            (Doing::Create, Lang::Ja) => "作成",
            (Doing::Update, Lang::Ja) => "更新",
            (Doing::Delete, Lang::Ja) => "削除",
            (Doing::Archive, Lang::Ja) => "履歴に追加",
        };
        let _ = write!(text, "  {action}  {}", visible(&item.uri));
        if let Some(code) = item.code {
            let why =
                item.cause.as_ref().map(|cause| reason(cause, lang)).unwrap_or_else(|| cause(code, lang).to_owned());
            let kept = match (item.kept, lang) {
                (false, _) => "",
                (true, Lang::En) => "; the existing copy is kept",
                (true, Lang::Ja) => "（以前のコピーを保持）",
            };
            let _ = write!(text, ": {}{kept} [{}]", visible(&why), code.as_str());
        }
        text.push('\n');
    }
    let rest = (all.saturating_sub(LISTED) as u64).saturating_add(if all > 0 { report.left_out } else { 0 });
    if rest > 0 {
        let _ = match lang {
            Lang::En => writeln!(text, "  … and {} more; --format json lists them", number(rest)),
            Lang::Ja => writeln!(text, "  ほか {} 件（--format json で一覧）", number(rest)),
        };
    }
}

fn cause(code: ItemCode, lang: Lang) -> &'static str {
    let (en, ja) = match code {
        ItemCode::Digest => ("the digest differs from the list", "ダイジェストがリストと異なる"),
        ItemCode::Length => ("the length differs from the list", "長さがリストと異なる"),
        ItemCode::Unreadable => ("it could not be read", "読み取れない"),
        ItemCode::Missing => ("not found", "見つからない"),
        ItemCode::Newer => ("newer than the list", "リストより新しい"),
        ItemCode::SameName => ("another resource has this name", "別のリソースと同じ名前"),
        ItemCode::Foreign => ("a file of others is in the way", "管理外のファイルが存在する"),
        ItemCode::Local => ("changed locally", "ローカルで変更された"),
        ItemCode::NoDigest => ("no digest is listed", "ダイジェストの記載がない"),
        ItemCode::NotAllowed => ("its host is not allowed", "ホストが許可されていない"),
        ItemCode::NoSpace => ("it could not be written", "書き込めない"),
    };
    match lang {
        Lang::En => en,
        Lang::Ja => ja,
    }
}

fn last(report: &Report, lang: Lang, text: &mut String) {
    if report.run.outcome == Outcome::Locked {
        text.push_str(match lang {
            Lang::En => "LOCKED: another run is at work on this folder; --wait waits for it\n",
            Lang::Ja => "ロック中: このフォルダでは別の実行が進行中です（--wait で待機）\n",
        });
        return;
    }
    let words = outcome(report, lang);
    if report.run.number == 0 && report.run.outcome == Outcome::Failed {
        let what = match lang {
            Lang::En => "nothing was read, of the copy either",
            Lang::Ja => "コピーも含め、何も読み取っていません",
        };
        let _ = writeln!(text, "{words}: {what}");
        return;
    }
    let held = &report.held;
    let (resources, bytes) = match lang {
        Lang::En => (counted(held.resources, "resource"), counted(held.bytes, "byte")),
        Lang::Ja => (number(held.resources), number(held.bytes)),
    };
    let _ = match (lang, &report.as_of) {
        (Lang::En, Some(at)) => {
            writeln!(text, "as of {}, {words}: {resources} held, {bytes}", visible(at))
        }
        (Lang::En, None) => writeln!(text, "{words}: {resources} held, {bytes}"),
        (Lang::Ja, Some(at)) => writeln!(text, "{} 時点、{words}: 保持 {resources} 件、{bytes} バイト", visible(at)),
        (Lang::Ja, None) => writeln!(text, "{words}: 保持 {resources} 件、{bytes} バイト"),
    };
}

fn outcome(report: &Report, lang: Lang) -> &'static str {
    let (en, ja) = match report.run.outcome {
        Outcome::InStep => ("IN STEP", "同期済み"),
        Outcome::Planned => ("dry run, nothing was written", "ドライランのため書き込みなし"),
        Outcome::Incomplete => ("NOT IN STEP", "同期未完了"),
        Outcome::Refused => ("REFUSED", "拒否"),
        Outcome::Locked => ("LOCKED", "ロック中"),
        Outcome::Interrupted => ("INTERRUPTED", "中断"),
        Outcome::Failed => ("FAILED", "失敗"),
    };
    match lang {
        Lang::En => en,
        Lang::Ja => ja,
    }
}

fn line(text: &mut String, lang: Lang, en: &str, ja: &str, words: &str) {
    let _ = match lang {
        Lang::En => writeln!(text, "  {en:<10}{words}"),
        Lang::Ja => writeln!(text, "  {ja}: {words}"),
    };
}

/// A count with its noun, and with its thousands separated.
fn counted(count: u64, noun: &str) -> String {
    format!("{} {noun}{}", number(count), if count == 1 { "" } else { "s" })
}

/// A number with its thousands separated.
pub(crate) fn number(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && digits.len().saturating_sub(place) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}
