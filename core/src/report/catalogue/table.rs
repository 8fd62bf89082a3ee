//! A table with one line per code.

use alloc::{format, string::String};

use super::Row;
use crate::report::Lang;

/// One line per code, never wrapped, so that `grep` finds whole lines.
pub fn table(rows: &[Row], lang: Lang) -> String {
    let [code, level, severity, rule, what] = match lang {
        Lang::En => ["CODE", "LEVEL", "SEVERITY", "RULE", "DESCRIPTION"],
        Lang::Ja => ["CODE", "LEVEL", "SEVERITY", "RULE", "説明"],
    };
    let mut text = line(code, level, severity, rule, what);
    for row in rows {
        let star = if row.derived == Some(true) { "*" } else { "" };
        let level = format!("{}{star}", row.level.unwrap_or("-"));
        match row.detail {
            None => text.push_str(&line(row.code, &level, row.severity.as_str(), row.rule, row.what)),
            Some(name) => text.push_str(&line(
                row.code,
                &level,
                row.severity.as_str(),
                &format!("{}: {name}", row.rule),
                row.message,
            )),
        }
    }
    text
}

fn line(code: &str, level: &str, severity: &str, rule: &str, what: &str) -> String {
    format!("{code:<8} {level:<12} {severity:<9} {rule:<30} {what}\n")
}
