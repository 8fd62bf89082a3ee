//! `resourcesync fix`: applies unambiguous repairs, shows a diff, and lists the remaining findings.

mod difference;

use std::{
    fmt::Write,
    fs,
    io::{self, IsTerminal, Read},
    path::Path,
};

use resourcesync::{
    api::{InputOrigin, Options, validate},
    diagnostic::Severity,
    repair::{self, RepairError, Repaired},
    report::{Format, Lang, Render, Report, render, visible},
};
use resourcesync_client::{folder, reason};
use serde_json::json;

use crate::{
    arguments::{Fix, Plain},
    error::{self, CliError},
    inputs,
    outputs::{self, is_coloured, to_stdout},
    status,
    words::counted,
};

/// Maximum repairs listed.
const LISTED: usize = 20;

/// Runs it.
pub(crate) fn run(arguments: &Fix) -> Result<i32, CliError> {
    inputs::without_url(&arguments.file)?;
    let name = arguments.file.display().to_string();
    if arguments.in_place && is_dash(&arguments.file) {
        return Err("standard input cannot be replaced; use --output FILE".into());
    }
    if let Some(output) = arguments.output.as_deref().filter(|output| !is_dash(output)) {
        outputs::check(output)?;
        if folder::is_same_file(output, &arguments.file) {
            return Err(format!("{} is the input; use --in-place to replace it", output.display()).into());
        }
    }
    let text = read(&arguments.file)?;
    let mut options = Options::default();
    for (name, value) in &arguments.limit {
        // Invalid names and values were rejected by the argument parser.
        let _ = options.limits.set(name, *value);
    }
    let mut how = repair::RepairOptions::default();
    how.zone = arguments.zone;
    let repaired = match repair::repair_text(&text, &how, &options.limits) {
        Ok(repaired) => repaired,
        // The findings are more specific.
        Err(RepairError::Unreadable(_)) => Repaired { text: text.clone(), repairs: Vec::new(), rewritten: false },
        Err(error) => return Err(format!("{name} was not repaired: {error}").into()),
    };
    let report = validate(repaired.text.as_bytes(), InputOrigin::named(&name), &options);
    let to_stdout_too = arguments.output.as_deref().is_some_and(is_dash);
    let is_json = arguments.format == Plain::Json;
    if is_json {
        if to_stdout_too {
            return Err("--format json and --output - would both go to standard output".into());
        }
        to_stdout(&described(&repaired, &report)?, false)?;
    } else if !arguments.terminal.quiet {
        error::note(&said(&repaired, &report, arguments));
    }
    if !is_json && (arguments.diff || arguments.output.is_none() && !arguments.in_place) && !to_stdout_too {
        let color = is_coloured(arguments.terminal.color, true);
        to_stdout(&difference::unified(&name, &text, &repaired.text, color, io::stdout().is_terminal()), color)?;
    }
    write(arguments, &repaired, &text)?;
    Ok(status::of(&report, Severity::Error))
}

fn write(arguments: &Fix, repaired: &Repaired, text: &str) -> Result<(), CliError> {
    match &arguments.output {
        Some(output) if is_dash(output) => to_stdout(&repaired.text, false).map(|_| ()),
        Some(output) => outputs::to_file(output, repaired.text.as_bytes()),
        // A file without repairs is not written.
        None if arguments.in_place && !repaired.repairs.is_empty() => {
            if read(&arguments.file)? != text {
                let name = arguments.file.display();
                return Err(format!("{name} was changed meanwhile and was not written; run the command again").into());
            }
            outputs::to_file(&arguments.file, repaired.text.as_bytes())
        }
        None => Ok(()),
    }
}

/// The repairs and the remaining findings as JSON.
fn described(repaired: &Repaired, report: &Report) -> Result<String, CliError> {
    let repairs = repaired.repairs.iter().map(|repair| {
        let at = repair.span.start;
        json!({
            "line": at.line, "column": at.column, "repair": repair.idea.as_str(), "path": repair.path,
            "before": repair.before, "after": repair.after,
        })
    });
    let repairs: Vec<_> = repairs.collect();
    outputs::json(&json!({ "repairs": repairs, "rewritten": repaired.rewritten, "report": report }))
}

/// Prints the repairs and the remaining findings.
fn said(repaired: &Repaired, report: &Report, arguments: &Fix) -> String {
    let lang = arguments.terminal.language.for_people();
    let mut said = String::new();
    let repairs = &repaired.repairs;
    for repair in repairs.iter().take(LISTED) {
        let at = repair.span.start;
        let (before, after) = (visible(&repair.before), visible(&repair.after));
        let what = repair.idea.as_str();
        let _ = writeln!(said, "{}:{}: {what}: {}: `{before}` → `{after}`", at.line, at.column, repair.path);
    }
    if let Some(more) = repairs.len().checked_sub(LISTED).filter(|more| *more > 0) {
        let _ = match lang {
            Lang::En => writeln!(said, "and {}", counted(more as u64, "more repair")),
            Lang::Ja => writeln!(said, "修正はほかに {more} 件あります"),
        };
    }
    let mut note = |en: &str, ja: &str| said.push_str(if lang == Lang::Ja { ja } else { en });
    if repaired.rewritten {
        note(
            "the document was rewritten; comments, processing instructions and unknown attributes are not preserved\n",
            "文書を書き直しました。コメント、処理命令、標準にない属性は失われます\n",
        );
    }
    if repairs.is_empty() {
        note("no unambiguous repairs\n", "一意に決まる修正はありません\n");
    }
    if !report.groups.is_empty() {
        note("remaining findings:\n\n", "残っている指摘:\n\n");
    }
    let color = is_coloured(arguments.terminal.color, false);
    let options = Render { lang, color, max_per_rule: 5, width: None };
    said.push_str(&render(report, Format::Text, &options));
    said
}

fn read(file: &Path) -> Result<String, CliError> {
    let name = file.display();
    let mut bytes = Vec::new();
    let outcome = if is_dash(file) {
        io::stdin().lock().read_to_end(&mut bytes).map(|_| ())
    } else {
        fs::read(file).map(|read| bytes = read)
    };
    outcome.map_err(|error| format!("{name} could not be read: {}", reason(&error)))?;
    if bytes.starts_with(&[0x1f, 0x8b]) {
        return Err(format!("{name} is gzip-compressed; decompress it first, e.g. with `gunzip --keep {name}`").into());
    }
    if bytes.starts_with(b"PK\x03\x04") {
        return Err(format!("{name} is a ZIP archive; extract its manifest first").into());
    }
    let remedy = "convert it first, e.g. with `iconv --to-code UTF-8`";
    String::from_utf8(bytes).map_err(|_| format!("{name} is not UTF-8; {remedy}").into())
}

fn is_dash(path: &Path) -> bool {
    path.as_os_str() == "-"
}
