//! Answers of the administration as text for a terminal.

use std::fmt::Write;

use resourcesync::report::{Lang, columns, visible};
use serde_json::Value;

/// The text of a value; empty if it is absent.
fn shown(value: &Value, lang: Lang) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => visible(text).to_string(),
        Value::Array(values) if values.is_empty() => heading("none", lang).to_owned(),
        Value::Array(values) => values.iter().map(|value| shown(value, lang)).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// Headings and words in Japanese.
const JAPANESE: &[(&str, &str)] = &[
    ("version", "バージョン"),
    ("topics", "トピック"),
    ("subscriptions", "購読"),
    ("pending verifications", "確認待ち"),
    ("dead letters", "配信不能"),
    ("store bytes", "ストアのバイト数"),
    ("TOPIC", "トピック"),
    ("LAST", "最後"),
    ("STORED", "保存数"),
    ("SUBSCRIPTIONS", "購読"),
    ("UNDELIVERED SINCE", "未配信の開始"),
    ("PAUSED", "一時停止"),
    ("CALLBACK", "コールバック"),
    ("LEASE UNTIL", "リース期限"),
    ("POSITION", "処理位置"),
    ("WAITING", "待機中"),
    ("FAILURES", "失敗"),
    ("LAST STATUS", "最後のステータス"),
    ("AT", "日時"),
    ("FIRST", "最初"),
    ("REASON", "理由"),
    ("STATUS", "ステータス"),
    ("paused topics", "一時停止中のトピック"),
    ("limited hosts", "制限中のホスト"),
    ("hosts with a lifted limit", "制限を解除したホスト"),
    ("CODE", "コード"),
    ("Unconfirmed requests", "確認されなかった要求"),
    ("Failing", "失敗中"),
    ("Dead letters", "配信不能"),
    ("none", "なし"),
];

fn heading(name: &'static str, lang: Lang) -> &'static str {
    let found = JAPANESE.iter().find(|(english, _)| lang == Lang::Ja && *english == name);
    found.map_or(name, |(_, japanese)| japanese)
}

/// A table with aligned columns.
fn table(heads: &[&'static str], rows: Vec<Vec<String>>, lang: Lang) -> String {
    let heads = heads.iter().map(|head| heading(head, lang).to_owned()).collect();
    let rows: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| columns(cell)).max().unwrap_or(0);
    let mut text = String::new();
    for row in &rows {
        let padded = |(column, cell): (usize, &String)| {
            format!("{cell}{}", " ".repeat(width(column).saturating_sub(columns(cell))))
        };
        let cells: Vec<String> = row.iter().enumerate().map(padded).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    text
}

fn rows(values: &Value, names: &[&str], lang: Lang) -> Vec<Vec<String>> {
    let row = |value: &Value| names.iter().map(|name| shown(value.get(name).unwrap_or(&Value::Null), lang)).collect();
    values.as_array().into_iter().flatten().map(row).collect()
}

/// `status`.
pub(super) fn status(value: &Value, lang: Lang) -> String {
    let lines = [
        "version",
        "topics",
        "paused",
        "subscriptions",
        "pending",
        "deadLetters",
        "storeBytes",
        "limitedHosts",
        "liftedHosts",
    ];
    let names = [
        "version",
        "topics",
        "paused topics",
        "subscriptions",
        "pending verifications",
        "dead letters",
        "store bytes",
        "limited hosts",
        "hosts with a lifted limit",
    ];
    lines.iter().zip(names).fold(String::new(), |mut text, (key, name)| {
        let _ = writeln!(text, "{}: {}", heading(name, lang), shown(value.get(key).unwrap_or(&Value::Null), lang));
        text
    })
}

/// `topics`.
pub(super) fn topics(value: &Value, lang: Lang) -> String {
    let names = ["uri", "last", "payloads", "subscriptions", "undeliveredSince", "paused"];
    let heads = ["TOPIC", "LAST", "STORED", "SUBSCRIPTIONS", "UNDELIVERED SINCE", "PAUSED"];
    table(&heads, rows(value.get("topics").unwrap_or(&Value::Null), &names, lang), lang)
}

const SUBSCRIPTION: [&str; 8] =
    ["id", "topic", "callback", "leaseUntil", "position", "waiting", "failures", "lastStatus"];
const HEADS: [&str; 8] = ["ID", "TOPIC", "CALLBACK", "LEASE UNTIL", "POSITION", "WAITING", "FAILURES", "LAST STATUS"];

/// `subscriptions`.
pub(super) fn subscriptions(value: &Value, lang: Lang) -> String {
    table(&HEADS, rows(value.get("subscriptions").unwrap_or(&Value::Null), &SUBSCRIPTION, lang), lang)
}

/// `failures`.
pub(super) fn failures(value: &Value, lang: Lang) -> String {
    let failing = rows(value.get("failing").unwrap_or(&Value::Null), &SUBSCRIPTION, lang);
    let names = ["at", "topic", "callback", "first", "last", "reason", "status"];
    let letters = rows(value.get("deadLetters").unwrap_or(&Value::Null), &names, lang);
    let heads = ["AT", "TOPIC", "CALLBACK", "FIRST", "LAST", "REASON", "STATUS"];
    let names = ["at", "topic", "callback", "code", "reason"];
    let requests = rows(value.get("unconfirmed").unwrap_or(&Value::Null), &names, lang);
    let columns = ["AT", "TOPIC", "CALLBACK", "CODE", "REASON"];
    let (failing, letters) = (table(&HEADS, failing, lang), table(&heads, letters, lang));
    let requests = table(&columns, requests, lang);
    let titles = ["Failing", "Dead letters", "Unconfirmed requests"].map(|title| heading(title, lang));
    format!("{}\n{failing}\n{}\n{letters}\n{}\n{requests}", titles[0], titles[1], titles[2])
}
