//! Prints the result of a run that publishes.

use std::path::Path;

use resourcesync::report::Lang;
use resourcesync_client::publish::{self, BatchCounts};

use super::{
    report::{Reporter, Unchanged},
    summary::{Counted, Outcome, Summary},
};
use crate::{error::CliError, status, words::counted};

/// Prints it; `is_any` if changes of a dry run were listed before. The status of the run.
pub(crate) fn print(
    folder: &Path,
    outcome: Result<publish::Outcome, publish::Error>,
    reporter: &mut Reporter,
    is_any: bool,
) -> Result<i32, CliError> {
    let command = reporter.command();
    let out = || Some(folder.display().to_string());
    match outcome {
        Ok(publish::Outcome::Published(summary)) => {
            reporter.accepted(&summary.accepted);
            let json = || Summary { out: out(), ..Summary::of(command, &summary) };
            let status = reporter.end(json, |lang| published(folder, &summary, lang))?;
            Ok(unsure(status, summary.skipped))
        }
        Ok(publish::Outcome::Unchanged { since, events, skipped, .. }) => {
            let json = || Summary {
                out: out(),
                at: Some(since.clone()),
                skipped: Some(skipped).filter(|skipped| *skipped > 0),
                events: events.map(Counted::from),
                ..Summary::new(command, Outcome::Unchanged)
            };
            let ended = reporter.end(json, |lang| {
                let words = unchanged(skipped, lang);
                match lang {
                    Lang::En => format!("{words} since {since}\n{}", counts(events, lang)),
                    Lang::Ja => format!("{since} 以降、{words}\n{}", counts(events, lang)),
                }
            });
            Ok(unsure(ended?, skipped))
        }
        Ok(publish::Outcome::Dry { again, resources, changes, writes, skipped }) => {
            let json = || Summary {
                out: out(),
                skipped: Some(skipped).filter(|skipped| *skipped > 0),
                resources: Some(resources),
                changes: Some(changes),
                ..Summary::new(command, Outcome::DryRun)
            };
            // The changes of a later run are listed already.
            if again && is_any {
                return Ok(unsure(status::VALID, skipped));
            }
            let ended = reporter.end(json, |lang| match (again, writes, lang) {
                (true, false, lang) => format!("{}\n", unchanged(skipped, lang)),
                (true, true, Lang::En) => "no resource has changed, but documents would be written again\n".to_owned(),
                (true, true, Lang::Ja) => "リソースに変更はありませんが、実行すると文書を書き直します\n".to_owned(),
                (false, _, Lang::En) => format!("{} would be published\n", counted(resources, "resource")),
                (false, _, Lang::Ja) => format!("実行すると、リソース {resources} 件を公開します\n"),
            });
            Ok(unsure(ended?, skipped))
        }
        Ok(_) => Ok(status::VALID),
        Err(error) => reporter.failed(&error, Unchanged::Published),
    }
}

/// That nothing has changed, as far as it was read.
fn unchanged(skipped: u64, lang: Lang) -> &'static str {
    match (skipped, lang) {
        (0, Lang::En) => "nothing has changed",
        (0, Lang::Ja) => "変更はありません",
        (_, Lang::En) => "what could be read has not changed",
        (_, Lang::Ja) => "読み取れた範囲では変更はありません",
    }
}

/// The status of a run that skipped so many resources.
fn unsure(status: i32, skipped: u64) -> i32 {
    if status == status::VALID && skipped > 0 { status::UNSURE } else { status }
}

fn published(folder: &Path, summary: &publish::Summary, lang: Lang) -> String {
    let (written, kept) = (summary.written.len(), summary.kept.len());
    let (out, resources) = (folder.display(), summary.resources);
    match lang {
        Lang::En => {
            let changes: Vec<String> = summary.changes.iter().map(|(verb, count)| format!("{count} {verb}")).collect();
            let changes = if changes.is_empty() { String::new() } else { format!(" ({})", changes.join(", ")) };
            let kept = if kept == 0 { String::new() } else { format!(", {kept} kept") };
            let (resources, written) = (counted(resources, "resource"), counted(written as u64, "file"));
            let withdrawn = withdrawn(summary, |names| format!("withdrawn: {}\n", names.join(", ")));
            let counts = counts(summary.events, lang);
            format!("{out}: {resources}{changes}, {written} written{kept}\n{withdrawn}{counts}")
        }
        Lang::Ja => {
            let verb = |verb: &str| match verb {
                "created" => "作成",
                "updated" => "更新",
                _ => "削除",
            };
            let changes: Vec<String> =
                summary.changes.iter().map(|(name, count)| format!("{} {count} 件", verb(name))).collect();
            let changes = if changes.is_empty() { String::new() } else { format!("（{}）", changes.join("、")) };
            let kept = if kept == 0 { String::new() } else { format!("、{kept} 個を維持") };
            let withdrawn = withdrawn(summary, |names| format!("公開を取りやめました: {}\n", names.join("、")));
            let counts = counts(summary.events, lang);
            format!(
                "{out}: リソース {resources} 件{changes}、{written} 個のファイルを書き込みました{kept}\n{withdrawn}{counts}"
            )
        }
    }
}

/// The files that are no longer published, if there are any.
fn withdrawn(summary: &publish::Summary, words: impl FnOnce(&[String]) -> String) -> String {
    if summary.withdrawn.is_empty() { String::new() } else { words(&summary.withdrawn) }
}

/// The events that changed nothing, or whose time was replaced.
fn counts(events: Option<BatchCounts>, lang: Lang) -> String {
    let Some(BatchCounts { events, unchanged, clamped }) = events else { return String::new() };
    let mut lines = String::new();
    let of = |count: u64| counted(count, "event");
    if unchanged > 0 {
        lines.push_str(&match lang {
            Lang::En => format!("{unchanged} of {} changed nothing\n", of(events)),
            Lang::Ja => format!("イベント {events} 件のうち {unchanged} 件は、公開中の内容と同じでした\n"),
        });
    }
    if clamped > 0 {
        lines.push_str(&match lang {
            Lang::En => format!("{} had a time before the last publication or in the future\n", of(clamped)),
            Lang::Ja => format!("イベント {clamped} 件の日時は、前回の公開より前か未来のため、置き換えました\n"),
        });
    }
    lines
}
