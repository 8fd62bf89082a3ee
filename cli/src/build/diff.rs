//! `resourcesync diff`: compares two inventories or Resource Lists.

use std::{collections::BTreeMap, env, fmt::Write, path::Path};

use resourcesync::{
    api::{Builder, Options, plain},
    build::{Accepted, Refused},
    diagnostic::Severity,
    model::Kind,
    report::Lang,
    value::{Change as Verb, Datetime},
};
use resourcesync_client::{
    Cancel,
    publish::{self, Change, Event, ListHead, Pair, Record, pairs, read_resources},
    reason,
    sort::{Merge, Sorter},
};
use tempfile::TempDir;

use super::{
    line_output::LineOutput,
    report::{Reporter, Unchanged},
    summary::{Outcome, Summary},
};
use crate::{
    arguments::{Diff, DiffFormat, Plain},
    error::CliError,
    inputs,
    interrupt::Interrupt,
    outputs,
    progress::Passed,
    status,
};

/// Runs it.
pub(crate) fn run(arguments: &Diff) -> Result<i32, CliError> {
    [&arguments.old, &arguments.new].into_iter().try_for_each(|path| inputs::without_url(path))?;
    if [&arguments.old, &arguments.new].iter().all(|path| path.as_os_str() == "-") {
        return Err("only one of OLD and NEW can be standard input".into());
    }
    match (arguments.format, &arguments.up, &arguments.printing.output) {
        (DiffFormat::Json, Some(_), None) => return Err("--format json with --up requires --output".into()),
        (DiffFormat::Json, None, Some(_)) => return Err("--format json with --output requires --up".into()),
        (DiffFormat::Ndjson, None, None) | (DiffFormat::Text | DiffFormat::Json, ..) => {}
        (DiffFormat::Ndjson, ..) => return Err("--format ndjson prints to standard output, without --up".into()),
    }
    if let Some(output) = &arguments.printing.output {
        outputs::check(output)?;
        outputs::check_inputs(output, [&arguments.old, &arguments.new])?;
    }
    let format = if arguments.format == DiffFormat::Json { Plain::Json } else { Plain::Text };
    let interrupt = Interrupt::listen();
    let work = Work::new()?;
    let (old, was) = sorted(&arguments.old, &work, "old", interrupt.cancel())?;
    let (new, is) = sorted(&arguments.new, &work, "new", interrupt.cancel())?;
    let name = arguments.new.display().to_string();
    let mut reporter = Reporter::new("diff", format, arguments.printing.terminal.language, false);
    for (path, head) in [(&arguments.old, &was), (&arguments.new, &is)] {
        if let Some(warning) = head.warning(path) {
            reporter.show(Event::Warning(&warning), &mut Passed::new(true, Lang::En));
        }
    }
    let changes =
        pairs(latest(records(old, &work)), records(new, &work), name).filter_map(|pair| pair.map(change).transpose());
    let mut counts = BTreeMap::new();
    let mut counted = |verb: &Verb| {
        let count: &mut u64 = counts.entry(verb.as_str()).or_default();
        *count = count.saturating_add(1);
    };
    let mut accepted = Accepted::default();
    let text = match &arguments.up {
        None if arguments.printing.output.is_none() || reporter.is_json() => {
            let mut entries = Entries::new(arguments.format)?;
            for change in changes {
                let (verb, record) = match change {
                    Ok(change) => change,
                    Err(error) => {
                        entries.end()?;
                        if reporter.is_json() {
                            Summary::failed("diff", &error).print_after_entries()?;
                        }
                        return Err(error.into());
                    }
                };
                counted(&verb);
                entries.push(&verb, record)?;
            }
            entries.end()?;
            None
        }
        None => {
            let mut lines = String::new();
            for change in changes {
                let (verb, record) = change?;
                counted(&verb);
                let _ = writeln!(lines, "{} {}", verb.as_str(), record.uri);
            }
            Some(lines)
        }
        Some(up) => {
            let from = arguments.since.clone().or(was.at).ok_or("pass --since to set the start of the interval")?;
            let now = arguments.at.clone().or(is.at).or_else(|| arguments.until.clone());
            let now = now.ok_or("pass --at to set the time of changes that `lastmod` does not determine")?;
            let mut sorter = Sorter::new(work.path(), "changes");
            for change in changes {
                let (verb, record) = change?;
                counted(&verb);
                let change = Change::between(Some(&from), &now, verb, record);
                let size = change.record.size();
                sorter.push(change, size).map_err(|error| unwritten(work.path(), &error))?;
            }
            let head = plain::Head {
                from: Some(from.to_string()),
                until: arguments.until.as_ref().map(Datetime::to_string),
                links: vec![plain::Link { rel: Some("up".into()), href: Some(up.clone()), ..plain::Link::default() }],
                ..plain::Head::default()
            };
            match list(
                &head,
                sorter.finish().map_err(|error| unwritten(work.path(), &error))?,
                arguments.fail_on,
                &work,
            )? {
                Ok((list, findings)) => {
                    reporter.accepted(&findings);
                    accepted = findings;
                    Some(list)
                }
                Err(refused) => {
                    return reporter.failed(&publish::Error::Refused(Box::new(refused)), Unchanged::Written);
                }
            }
        }
    };
    let status = if arguments.exit_code && !counts.is_empty() { status::FOUND } else { status::VALID };
    if !reporter.is_json() {
        match (&arguments.printing.output, text) {
            (Some(output), Some(text)) => outputs::to_file(output, text.as_bytes())?,
            (None, Some(text)) => drop(outputs::print(&text)?),
            (_, None) => {}
        }
        return Ok(status);
    }
    let (out, outcome) = match (&arguments.printing.output, text) {
        (Some(output), Some(list)) => {
            outputs::to_file(output, list.as_bytes())?;
            (Some(output.display().to_string()), Outcome::Written)
        }
        _ => (None, Outcome::Compared),
    };
    let Accepted { diagnostics, counts: findings, .. } = accepted;
    let warnings = reporter.take_warnings();
    let changes = Some(counts);
    let summary = Summary { out, changes, diagnostics, findings, warnings, ..Summary::new("diff", outcome) };
    if arguments.up.is_some() {
        summary.print(false)?
    } else {
        summary.print_after_entries()?
    };
    Ok(status)
}

/// The changes on standard output, which is written as they are found.
struct Entries {
    format: DiffFormat,
    lines: LineOutput,
    /// The last entry, which gets a comma if another one follows.
    last: Option<String>,
}

impl Entries {
    fn new(format: DiffFormat) -> Result<Entries, CliError> {
        let mut lines = LineOutput::default();
        if format == DiffFormat::Json {
            lines.exact("{\n  \"entries\": [")?;
        }
        Ok(Entries { format, lines, last: None })
    }

    fn push(&mut self, verb: &Verb, record: Record) -> Result<(), CliError> {
        if self.format == DiffFormat::Text {
            return self.lines.line(&format!("{} {}", verb.as_str(), record.uri));
        }
        let change = Change { change: *verb, datetime: String::new(), record };
        let entry = plain::Entry { datetime: None, ..change.plain() };
        let entry = outputs::json_line(&entry)?;
        match self.format {
            DiffFormat::Json => match self.last.replace(entry) {
                Some(last) => self.lines.exact(&format!("    {last},")),
                None => Ok(()),
            },
            _ => self.lines.exact(&entry),
        }
    }

    fn end(mut self) -> Result<(), CliError> {
        if let Some(last) = self.last.take() {
            self.lines.exact(&format!("    {last}"))?;
        }
        if self.format == DiffFormat::Json {
            self.lines.exact("  ],")?;
        }
        self.lines.end().map(drop)
    }
}

/// Writes a Change List; invalid changes are rejected.
fn list(
    head: &plain::Head,
    changes: Merge<Change>,
    fail_on: Severity,
    work: &Work,
) -> Result<Result<(String, Accepted), Refused>, CliError> {
    let mut builder = match Builder::from_plain(Kind::ChangeList, head, &Options::default()) {
        Ok(builder) => builder.with_fail_on(fail_on),
        Err(refused) => return Ok(Err(refused)),
    };
    for change in changes {
        let change = change.map_err(|error| unwritten(work.path(), &error))?;
        if let Err(refused) = builder.push_plain(&change.plain()) {
            return Ok(Err(refused));
        }
    }
    let mut accepted = Accepted::default();
    Ok(builder.finish_into(&mut accepted).map(|text| (text, accepted)))
}

fn change(pair: Pair) -> Option<(Verb, Record)> {
    match pair {
        Pair::New(new) => Some((Verb::Created, new)),
        Pair::Gone(old) => Some((Verb::Deleted, old)),
        Pair::Both { old, new } => new.differs(&old).then_some((Verb::Updated, new)),
    }
}

fn sorted(path: &Path, work: &Work, name: &str, cancel: &Cancel) -> Result<(Merge<Record>, ListHead), CliError> {
    let mut sorter = Sorter::new(work.path(), name);
    let listed = read_resources(path, cancel, &mut |record| {
        let size = record.size();
        // Resources are compared regardless of their set.
        let record = Record { set: String::new(), ..record };
        sorter.push(record, size).map_err(|error| unwritten(work.path(), &error).to_string().into())
    })?;
    Ok((sorter.finish().map_err(|error| unwritten(work.path(), &error))?, listed))
}

/// Of resources that are listed several times, the last entry counts.
fn latest<E>(records: impl Iterator<Item = Result<Record, E>>) -> impl Iterator<Item = Result<Record, E>> {
    let mut records = records.peekable();
    std::iter::from_fn(move || {
        let mut record = records.next()?;
        while let (Ok(own), Some(Ok(next))) = (&record, records.peek())
            && own.uri == next.uri
        {
            record = records.next()?;
        }
        Some(record)
    })
}

fn records(merge: Merge<Record>, work: &Work) -> impl Iterator<Item = Result<Record, publish::Error>> {
    merge.map(|record| record.map_err(|error| unwritten(work.path(), &error).to_string().into()))
}

fn unwritten(path: &Path, error: &std::io::Error) -> CliError {
    format!("{} could not be written: {}", path.display(), reason(error)).into()
}

/// A temporary folder for sorting.
struct Work(TempDir);

impl Work {
    fn new() -> Result<Work, CliError> {
        let made = tempfile::Builder::new().prefix("resourcesync-").tempdir();
        made.map(Work).map_err(|error| unwritten(&env::temp_dir(), &error))
    }

    fn path(&self) -> &Path {
        self.0.path()
    }
}
