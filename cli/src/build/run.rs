//! `resourcesync build`: publishes a folder or an inventory as a Source.

use resourcesync::report::Lang;
use resourcesync_client::publish::{self, BatchCounts, Event, State, Verified};

use super::{
    line_output::LineOutput,
    report::{Reporter, Unchanged},
    summary::{Counted, Outcome, Summary},
};
use crate::{
    arguments::Build, error::CliError, interrupt::Interrupt, notify, progress::Passed, status, words::counted,
};

/// Runs it.
pub(crate) fn run(arguments: &Build) -> Result<i32, CliError> {
    let interrupt = Interrupt::listen();
    let mut reporter = Reporter::new(
        "build",
        arguments.format,
        arguments.printing.terminal.language,
        arguments.printing.terminal.quiet,
    );
    if arguments.verify_state || arguments.rebuild_state {
        return state(arguments, &mut reporter, &interrupt);
    }
    let hubs = notify::Hubs::new(arguments, &interrupt, arguments.printing.terminal.quiet || reporter.is_json())?;
    let mut passed = Passed::new(arguments.printing.terminal.quiet, arguments.printing.terminal.language.for_people());
    let (mut lines, mut written) = (LineOutput::default(), Ok(()));
    let is_listed = !reporter.is_json();
    let mut show = |event: Event<'_>| match event {
        Event::Change(verb, uri) if is_listed && written.is_ok() => {
            written = lines.line(&format!("{} {uri}", verb.as_str()));
        }
        event => reporter.show(event, &mut passed),
    };
    let outcome = match arguments.stated.changes(&arguments.resources) {
        Some(changes) => {
            let options = |state: Option<&State>| arguments.continuing(state);
            publish::publish_changes(&arguments.out, &changes, &options, interrupt.cancel(), &mut show)
        }
        None => arguments.options().and_then(|options| publish::publish(&options, interrupt.cancel(), &mut show)),
    };
    drop(passed);
    written?;
    let is_any = lines.end()?;
    let out = || Some(arguments.out.display().to_string());
    match outcome {
        Ok(publish::Outcome::Published(summary)) => {
            reporter.accepted(&summary.accepted);
            let json = || Summary { out: out(), ..Summary::of("build", &summary) };
            reporter.end(json, |lang| published(arguments, &summary, lang))?;
            let status = hubs.send()?;
            Ok(if status == status::VALID && summary.skipped > 0 { status::UNSURE } else { status })
        }
        Ok(publish::Outcome::Unchanged { since, events, .. }) => {
            let json = || Summary {
                out: out(),
                at: Some(since.clone()),
                events: events.map(Counted::from),
                ..Summary::new("build", Outcome::Unchanged)
            };
            reporter.end(json, |lang| match lang {
                Lang::En => format!("nothing has changed since {since}\n{}", counts(events, lang)),
                Lang::Ja => format!("{since} 以降、変更はありません\n{}", counts(events, lang)),
            })?;
            hubs.send()
        }
        Ok(publish::Outcome::Dry { again, resources, changes }) => {
            let json = || Summary {
                out: out(),
                resources: Some(resources),
                changes: Some(changes),
                ..Summary::new("build", Outcome::DryRun)
            };
            // The changes of a later run are listed already.
            if again && is_any {
                return Ok(status::VALID);
            }
            reporter.end(json, |lang| match (again, lang) {
                (true, Lang::En) => "nothing has changed\n".to_owned(),
                (true, Lang::Ja) => "変更はありません\n".to_owned(),
                (false, Lang::En) => format!("{} would be published\n", counted(resources, "resource")),
                (false, Lang::Ja) => format!("リソース {resources} 件が公開されることになります\n"),
            })
        }
        Ok(_) => Ok(status::VALID),
        Err(error) => reporter.failed(&error, Unchanged::Published),
    }
}

/// Checks or rebuilds the state.
fn state(arguments: &Build, reporter: &mut Reporter, interrupt: &Interrupt) -> Result<i32, CliError> {
    let (is_check, outcome) = match arguments.verify_state {
        true => (true, publish::verify_state(&arguments.out)),
        false => {
            let rebuilt = |options| publish::rebuild_state(&options, interrupt.cancel());
            (false, arguments.options().and_then(rebuilt))
        }
    };
    let Verified { at, resources, changes } = match outcome {
        Ok(verified) => verified,
        Err(error) => return reporter.failed(&error, Unchanged::Written),
    };
    let out = arguments.out.display();
    let json = || Summary {
        out: Some(out.to_string()),
        at: Some(at.clone()),
        resources: Some(resources),
        open_changes: Some(changes),
        ..Summary::new("build", if is_check { Outcome::Verified } else { Outcome::Rebuilt })
    };
    reporter.end(json, |lang| match lang {
        Lang::En => {
            let verb = if is_check { "verified" } else { "rebuilt" };
            let (resources, changes) = (counted(resources, "resource"), counted(changes, "change"));
            format!("{out}: state of {at} {verb}: {resources}, {changes} in open Change Lists\n")
        }
        Lang::Ja => {
            let verb = if is_check { "検証しました" } else { "再構築しました" };
            format!("{out}: {at} の状態を{verb}: リソース {resources} 件、開いている変更リストに変更 {changes} 件\n")
        }
    })
}

fn published(arguments: &Build, summary: &publish::Summary, lang: Lang) -> String {
    let (written, kept) = (summary.written.len(), summary.kept.len());
    let (out, resources) = (arguments.out.display(), summary.resources);
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
