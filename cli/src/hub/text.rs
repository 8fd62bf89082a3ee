//! Answers of the administration as text for a terminal.

use std::fmt::Write;

use resourcesync::report::visible;
use serde_json::Value;

/// The text of a value; empty if it is absent.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => visible(text).to_string(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => values.iter().map(shown).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    }
}

/// A table with aligned columns.
fn table(heads: &[&str], rows: Vec<Vec<String>>) -> String {
    let heads = heads.iter().map(|head| (*head).to_owned()).collect();
    let rows: Vec<Vec<String>> = std::iter::once(heads).chain(rows).collect();
    let width = |column: usize| {
        rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max().unwrap_or(0)
    };
    let mut text = String::new();
    for row in &rows {
        let cells: Vec<String> =
            row.iter().enumerate().map(|(column, cell)| format!("{cell:<width$}", width = width(column))).collect();
        let _ = writeln!(text, "{}", cells.join("  ").trim_end());
    }
    text
}

fn rows(values: &Value, names: &[&str]) -> Vec<Vec<String>> {
    let row = |value: &Value| names.iter().map(|name| shown(value.get(name).unwrap_or(&Value::Null))).collect();
    values.as_array().into_iter().flatten().map(row).collect()
}

/// `status`.
pub(super) fn status(value: &Value) -> String {
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
        let _ = writeln!(text, "{name}: {}", shown(value.get(key).unwrap_or(&Value::Null)));
        text
    })
}

/// `topics`.
pub(super) fn topics(value: &Value) -> String {
    let names = ["uri", "last", "payloads", "subscriptions", "undeliveredSince", "paused"];
    let heads = ["TOPIC", "LAST", "STORED", "SUBSCRIPTIONS", "UNDELIVERED SINCE", "PAUSED"];
    table(&heads, rows(value.get("topics").unwrap_or(&Value::Null), &names))
}

const SUBSCRIPTION: [&str; 8] =
    ["id", "topic", "callback", "leaseUntil", "delivered", "waiting", "failures", "lastStatus"];
const HEADS: [&str; 8] = ["ID", "TOPIC", "CALLBACK", "LEASE UNTIL", "DELIVERED", "WAITING", "FAILURES", "LAST STATUS"];

/// `subscriptions`.
pub(super) fn subscriptions(value: &Value) -> String {
    table(&HEADS, rows(value.get("subscriptions").unwrap_or(&Value::Null), &SUBSCRIPTION))
}

/// `failures`.
pub(super) fn failures(value: &Value) -> String {
    let failing = rows(value.get("failing").unwrap_or(&Value::Null), &SUBSCRIPTION);
    let names = ["at", "topic", "callback", "first", "last", "reason", "status"];
    let letters = rows(value.get("deadLetters").unwrap_or(&Value::Null), &names);
    let heads = ["AT", "TOPIC", "CALLBACK", "FIRST", "LAST", "REASON", "STATUS"];
    let names = ["at", "topic", "callback", "code", "reason"];
    let requests = rows(value.get("unconfirmed").unwrap_or(&Value::Null), &names);
    let columns = ["AT", "TOPIC", "CALLBACK", "CODE", "REASON"];
    format!(
        "Failing\n{}\nDead letters\n{}\nUnconfirmed requests\n{}",
        table(&HEADS, failing),
        table(&heads, letters),
        table(&columns, requests)
    )
}
