//! `resourcesync audit`: compares a copy with its Source, or with the metadata verified when its files were stored.

use std::fmt::Write;

use resourcesync::report::{Lang, reason, visible};
use resourcesync_client::{
    destination::{
        self, Audit as Found, AuditOptions, AuditOutcome, Difference, Event, Options, Sign, SyncError, audit_with,
        fetch_again, undetermined,
    },
    http::Recordings,
};
use resourcesync_sync::report::Report;

use super::{
    keep::keep,
    once::limits,
    outcome::status_of,
    progress,
    target::{damage, target},
    words::{self, number},
};
use crate::{
    arguments::{Audit, Plain},
    error::CliError,
    interrupt::Interrupt,
    outputs,
    progress::ProgressLine,
    settings, status,
};

/// Maximum differences listed in text.
const LISTED: usize = 200;

/// Runs it.
pub(crate) fn run(arguments: &Audit) -> Result<i32, CliError> {
    if let Some(file) = &arguments.printing.output {
        outputs::check(file)?;
    }
    let state = arguments.state.as_deref();
    if let Some((uri, _, why)) = damage(&arguments.targets, state) {
        let found = undetermined(uri.unwrap_or_default(), !arguments.offline, &why);
        return print(arguments, &found, None, status(&found));
    }
    let (uri, folder) = target(&arguments.targets, state, "audit")?;
    if let Some(held) = destination::source(folder, state)?.filter(|held| *held != uri) {
        return Err(SyncError::OtherSource { held }.into());
    }
    let interrupt = Interrupt::listen();
    let lang = arguments.printing.terminal.language.for_people();
    let (limits, http) = limits(&arguments.limit, lang);
    let (ratio, urls) = (limits.inflate_ratio, [uri.clone()]);
    let (servers, recordings) = (&arguments.servers, Recordings::default());
    let client = settings::client_with(servers, recordings, &http, ratio, &urls, interrupt.cancel())?;
    let keep = keep(None, folder, state, &client)?;
    let client = if arguments.offline { None } else { Some(client) };
    let options = AuditOptions {
        state: arguments.state.clone(),
        keep,
        quick: arguments.quick,
        download: arguments.download,
        via: arguments.via,
        selection: arguments.selected.settings()?.selection,
        // What is repaired is what is listed.
        max_listed: if arguments.repair { usize::MAX } else { arguments.max_listed },
        names_foreign: arguments.verbose,
        limits: limits.clone(),
    };
    let mut line = ProgressLine::new(arguments.printing.terminal.quiet, lang);
    let found = audit_with(folder, client.as_ref(), &options, interrupt.cancel(), &mut |far| {
        line.show(|_, lang| progress::text(&far, lang));
    });
    line.end();
    let mut found = match found {
        Err(SyncError::State(why)) => undetermined(&uri, !arguments.offline, &why),
        found => found?,
    };
    let repairs = arguments.repair && found.outcome == AuditOutcome::Different;
    if let Some(client) = client.filter(|_| repairs) {
        let at = Options { state: options.state, keep: options.keep, ..Options::default() };
        let related = destination::related(folder, state)?;
        let options = at.with(|run| {
            run.reading.full = true;
            run.reading.limits = limits;
            (run.selection, run.related) = (options.selection, related);
            run.max_listed = arguments.max_listed;
        });
        fetch_again(folder, state, &found)?;
        found.compared.shorten(arguments.max_listed);
        let mut line = ProgressLine::new(arguments.printing.terminal.quiet, lang);
        let report = destination::sync(&uri, folder, &client, &options, interrupt.cancel(), &mut |event| {
            if let Event::Progress(far) = event {
                line.show(|_, lang| progress::text(&far, lang));
            }
        })?;
        line.end();
        return print(arguments, &found, Some(&report), status_of(&report));
    }
    found.compared.shorten(arguments.max_listed);
    print(arguments, &found, None, status(&found))
}

/// Prints the result, and the report of what was repaired.
fn print(arguments: &Audit, found: &Found, repaired: Option<&Report>, status: i32) -> Result<i32, CliError> {
    let lang = arguments.printing.terminal.language.for_people();
    let text = match (arguments.format, repaired) {
        (Plain::Text, _) => text(found, lang) + &repaired.map(|report| words::report(report, lang)).unwrap_or_default(),
        (Plain::Json, None) => outputs::json(found)?,
        (Plain::Json, Some(report)) => outputs::json(report)?,
    };
    match &arguments.printing.output {
        Some(file) => outputs::to_file(file, text.as_bytes())?,
        None if arguments.printing.terminal.quiet && arguments.format == Plain::Text && status == status::VALID => {}
        None => drop(outputs::print(&text)?),
    }
    Ok(status)
}

fn status(found: &Found) -> i32 {
    match found.outcome {
        AuditOutcome::Equal => status::VALID,
        AuditOutcome::Different => status::FOUND,
        AuditOutcome::Undetermined => status::UNSURE,
    }
}

fn text(found: &Found, lang: Lang) -> String {
    let mut text = format!("{}\n", visible(&found.source));
    for difference in found.compared.differences.iter().take(LISTED) {
        line(difference, lang, &mut text);
    }
    for name in &found.compared.foreign {
        let _ = writeln!(text, "~ {}", visible(name));
    }
    let rest = found.compared.left_out.saturating_add(found.compared.differences.len().saturating_sub(LISTED) as u64);
    if rest > 0 {
        let _ = match lang {
            Lang::En => writeln!(text, "  … and {} more; --format json lists them", number(rest)),
            Lang::Ja => writeln!(text, "  ほか {} 件（--format json で一覧）", number(rest)),
        };
    }
    for finding in &found.diagnostics {
        words::finding(finding, lang, &mut text);
    }
    last(found, lang, &mut text);
    text
}

fn line(difference: &Difference, lang: Lang, text: &mut String) {
    let path = difference.path.as_deref().map(|path| format!("  {}", visible(path))).unwrap_or_default();
    let (en, ja) = match difference.sign {
        Sign::Equal => ("equal", "一致"),
        Sign::Missing => ("missing", "ファイルがない"),
        Sign::Debt => ("could not be stored so far", "まだ保存できていない"),
        Sign::Extra => ("not listed", "リストにない"),
        Sign::Behind => ("behind the Source", "ソースより古い"),
        Sign::Diverged => ("differs from its original", "原本と異なる"),
        Sign::Damaged => ("changed here", "ローカルで変更された"),
        Sign::Unverifiable => ("cannot be compared", "照合できない"),
        Sign::Unreadable => ("not readable", "読み取れない"),
    };
    let why = difference.cause.as_ref().map(|cause| format!(": {}", reason(cause, lang))).unwrap_or_default();
    let word = if lang == Lang::En { en } else { ja };
    let sign = difference.sign.as_char();
    let [open, close] = if lang == Lang::En { ["  (", ")"] } else { ["（", "）"] };
    let _ = writeln!(text, "{sign} {}{path}{open}{word}{}{close}", visible(&difference.uri), visible(&why));
}

fn last(found: &Found, lang: Lang, text: &mut String) {
    let counts = &found.compared.counts;
    let parts = [
        (found.compared.equal, "equal", "一致"),
        (counts.missing, "missing", "不足"),
        (counts.debts, "not stored so far", "未保存"),
        (counts.extra, "not listed", "リスト外"),
        (counts.behind, "behind the Source", "ソースより古い"),
        (counts.diverged, "different from their originals", "原本と相違"),
        (counts.damaged, "changed here", "ローカルで変更"),
        (counts.unverifiable, "not verifiable", "照合不可"),
        (counts.unreadable, "not readable", "読み取り不可"),
        (counts.skipped, "not selected", "対象外"),
        (counts.foreign, if counts.foreign == 1 { "file of others" } else { "files of others" }, "管理外のファイル"),
    ];
    let words: Vec<String> = parts
        .into_iter()
        .enumerate()
        .filter(|(at, (count, ..))| *at == 0 || *count > 0)
        .map(|(_, (count, en, ja))| match lang {
            Lang::En => format!("{} {en}", number(count)),
            Lang::Ja => format!("{ja} {} 件", number(count)),
        })
        .collect();
    let (en, ja) = match found.outcome {
        AuditOutcome::Equal => ("NO DIFFERENCE", "相違なし"),
        AuditOutcome::Different => ("DIFFERENT", "相違あり"),
        AuditOutcome::Undetermined => ("UNDETERMINED", "判定保留"),
    };
    let _ = match lang {
        Lang::En => writeln!(text, "{en}: {}", words.join(", ")),
        Lang::Ja => writeln!(text, "{ja}: {}", words.join("、")),
    };
    if let Some(at) = &found.as_of {
        let _ = match lang {
            Lang::En => writeln!(text, "compared with the lists of {}", visible(at)),
            Lang::Ja => writeln!(text, "{} 時点のリストと照合", visible(at)),
        };
    }
    if let Some(originals) = found.compared.originals {
        let _ = match lang {
            Lang::En => writeln!(text, "{} compared with their originals", number(originals)),
            Lang::Ja => writeln!(text, "{} 件を原本と照合", number(originals)),
        };
    }
    if !found.completed {
        text.push_str(match lang {
            Lang::En => "stopped before the end\n",
            Lang::Ja => "途中で中止\n",
        });
    }
}
