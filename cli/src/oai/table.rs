//! The summaries of harvests as a table: text, JSON, CSV, Markdown.

use resourcesync::report::{Lang, columns, visible};

use super::{
    labels::label,
    summary::{Summary, grouped},
};
use crate::{arguments::Tabular, error::CliError, outputs};

const COLUMNS: [&str; 8] = ["repository", "status", "new", "changed", "deleted", "quarantined", "reason", "contact"];
/// Numeric columns.
const NUMBERS: std::ops::Range<usize> = 2..6;

/// Writes them.
pub(super) fn write(rows: &[Summary<'_>], format: Tabular, lang: Lang) -> Result<String, CliError> {
    match format {
        Tabular::Json => json(rows),
        Tabular::Csv => csv(rows),
        Tabular::Text => Ok(text(rows, lang)),
        Tabular::Markdown => Ok(markdown(rows, lang)),
    }
}

/// One object for one repository, otherwise a list.
fn json(rows: &[Summary<'_>]) -> Result<String, CliError> {
    match rows {
        [row] => outputs::json(row),
        rows => outputs::json(rows),
    }
}

fn cells(row: &Summary<'_>, lang: Lang) -> [String; 8] {
    let counts = row.counts.unwrap_or_default();
    let number = |number: u64| if row.counts.is_some() { grouped(number) } else { String::new() };
    let reasons: Vec<&str> = row.reasons.iter().map(super::summary::Explained::message).collect();
    let reason = row.error.map_or_else(|| reasons.join("; "), str::to_owned);
    [
        visible(row.url),
        label(row.status, lang).to_owned(),
        number(counts.created),
        number(counts.changed),
        number(counts.deleted.saturating_add(counts.left_set)),
        number(counts.quarantined),
        visible(&reason),
        visible(&row.contact.join(", ")),
    ]
}

fn csv(rows: &[Summary<'_>]) -> Result<String, CliError> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    let failed = |error: csv::Error| CliError::new(error.to_string());
    writer.write_record(COLUMNS).map_err(failed)?;
    for row in rows {
        // For programs: English, plain numbers.
        let mut cells = cells(row, Lang::En).map(|cell| safe(&cell));
        cells.iter_mut().take(NUMBERS.end).skip(NUMBERS.start).for_each(|cell| cell.retain(|own| own != ','));
        writer.write_record(cells).map_err(failed)?;
    }
    let bytes = writer.into_inner().map_err(|error| CliError::new(error.to_string()))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// A cell that a spreadsheet does not evaluate as a formula.
fn safe(cell: &str) -> String {
    if cell.starts_with(['=', '+', '-', '@', '\t', '\r']) { format!("'{cell}") } else { cell.to_owned() }
}

fn text(rows: &[Summary<'_>], lang: Lang) -> String {
    let mut all = vec![COLUMNS.map(|name| label(name, lang).to_owned())];
    all.extend(rows.iter().map(|row| cells(row, lang)));
    let width =
        |column: usize| all.iter().filter_map(|row| row.get(column)).map(|cell| columns(cell)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..COLUMNS.len()).map(width).collect();
    let mut text = String::new();
    for row in &all {
        let mut line = String::new();
        for (at, (cell, width)) in row.iter().zip(&widths).enumerate() {
            let blanks = " ".repeat(width.saturating_sub(columns(cell)));
            let padded = if NUMBERS.contains(&at) { format!("{blanks}{cell}") } else { format!("{cell}{blanks}") };
            line.push_str(&padded);
            line.push_str("  ");
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}

fn markdown(rows: &[Summary<'_>], lang: Lang) -> String {
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = line(&COLUMNS.map(|name| label(name, lang).to_owned()));
    let rule = (0..COLUMNS.len()).map(|at| if NUMBERS.contains(&at) { "---:" } else { "---" });
    text.push_str(&format!("| {} |\n", rule.collect::<Vec<_>>().join(" | ")));
    rows.iter().for_each(|row| text.push_str(&line(&cells(row, lang))));
    text
}

/// Escapes Markdown.
fn escaped(cell: &str) -> String {
    let mut text = String::new();
    for character in cell.chars() {
        if matches!(character, '\\' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '|' | '#' | '~') {
            text.push('\\');
        }
        text.push(character);
    }
    text
}
