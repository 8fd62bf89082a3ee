//! A run whose findings are kept in files, so that their number does not determine the memory of the run.

use std::{
    cmp::Ordering,
    collections::BTreeMap,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write},
    num::NonZeroUsize,
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use resourcesync::{
    api::{Options, Outcome},
    diagnostic::Code,
    report::{Diagnostic, Format, Render, Report, json_line, json_pretty, render},
};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::{input::Step, run::drive};
use crate::{
    cancel::Cancel,
    progress::OnProgress,
    sort::{Merge, Sorted, Sorter},
};

/// A report whose findings on documents are in files.
#[derive(Debug)]
pub struct LargeReport {
    /// Without findings.
    report: Report,
    /// The findings on packages.
    others: Vec<Diagnostic>,
    /// The file of each input that has one.
    files: BTreeMap<u64, PathBuf>,
    /// Removed when it is dropped.
    _folder: TempDir,
}

/// Validates everything as [`run`](super::run()), and keeps the findings on documents in temporary files.
///
/// # Errors
///
/// If they could not be written.
pub fn run_large(
    steps: &[Step],
    options: &Options,
    jobs: NonZeroUsize,
    cancel: &Cancel,
    on_progress: &mut OnProgress<'_>,
) -> io::Result<LargeReport> {
    let folder = TempDir::new()?;
    let keep = Keep { folder: folder.path(), failed: Mutex::default() };
    let (mut report, numbers) = drive(steps, options, jobs, cancel, on_progress, Some(&keep));
    if let Some(error) = keep.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let files = numbers.into_iter().map(|(number, id)| (id, place(folder.path(), number)));
    let files = files.filter(|(_, file)| file.exists()).collect();
    let others = std::mem::take(&mut report.diagnostics);
    Ok(LargeReport { report, others, files, _folder: folder })
}

impl LargeReport {
    /// The report without its findings; all counts are those of the whole.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The report, for changes of what is not a finding.
    pub fn report_mut(&mut self) -> &mut Report {
        &mut self.report
    }

    /// Passes on all findings, in the order of a report.
    ///
    /// # Errors
    ///
    /// If a file could not be read, and those of `take`.
    pub fn diagnostics(&self, take: &mut dyn FnMut(&Diagnostic) -> io::Result<()>) -> io::Result<()> {
        let mut others = self.others.iter().peekable();
        for input in &self.report.inputs {
            if let Some(file) = self.files.get(&input.id) {
                for line in BufReader::new(File::open(file)?).lines() {
                    let mut found: Diagnostic = serde_json::from_str(&line?)?;
                    found.input = input.id;
                    found.related.iter_mut().for_each(|related| related.input = input.id);
                    take(&found)?;
                }
            }
            while let Some(found) = others.next_if(|found| found.input == input.id) {
                take(found)?;
            }
        }
        Ok(())
    }

    /// Writes it as JSON, the same bytes as [`Report::to_json`].
    ///
    /// # Errors
    ///
    /// If it could not be written, or a file not be read.
    pub fn write_json(&self, out: &mut dyn Write) -> io::Result<()> {
        const END: &str = "[]\n}\n";
        let head = json_pretty(&self.report)?;
        // The findings are the last field.
        let Some(head) = head.strip_suffix(END) else { return Err(io::Error::other("the report has another form")) };
        out.write_all(head.as_bytes())?;
        let mut separator = "[\n    ";
        self.diagnostics(&mut |found| {
            let text = json_pretty(found)?;
            write!(out, "{separator}{}", text.trim_end().replace('\n', "\n    "))?;
            separator = ",\n    ";
            Ok(())
        })?;
        out.write_all(if separator.starts_with('[') { END } else { "\n  ]\n}\n" }.as_bytes())
    }

    /// Writes it as NDJSON, the same bytes as [`render`].
    ///
    /// # Errors
    ///
    /// If it could not be written, or a file not be read.
    pub fn write_ndjson(&self, out: &mut dyn Write) -> io::Result<()> {
        let rest = render(&self.report, Format::Ndjson, &Render::default());
        let is_after =
            |line: &str| [r#"{"type":"group""#, r#"{"type":"su"#].iter().any(|start| line.starts_with(start));
        let before: usize = rest.split_inclusive('\n').take_while(|line| !is_after(line)).map(str::len).sum();
        let (before, after) = rest.split_at_checked(before).unwrap_or((&rest, ""));
        out.write_all(before.as_bytes())?;
        self.diagnostics(&mut |found| {
            let line = json_line(found)?;
            write!(out, "{{\"type\":\"diagnostic\",{}", line.strip_prefix('{').unwrap_or(&line))
        })?;
        out.write_all(after.as_bytes())
    }
}

/// The files of one run.
pub(super) struct Keep<'a> {
    folder: &'a Path,
    /// The first error.
    failed: Mutex<Option<io::Error>>,
}

impl Keep<'_> {
    /// Starts the findings of an input.
    pub(super) fn begin(&self, number: usize) -> Findings<'_> {
        Findings { keep: self, number, sorter: Sorter::new(self.folder, &format!("{number}-sorted")), is_any: false }
    }
}

fn place(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number}.jsonl"))
}

/// The findings of one input.
pub(super) struct Findings<'a> {
    keep: &'a Keep<'a>,
    number: usize,
    sorter: Sorter<Found>,
    is_any: bool,
}

impl Findings<'_> {
    /// Takes further findings.
    pub(super) fn take(&mut self, found: Vec<Diagnostic>) {
        self.is_any |= !found.is_empty();
        let outcome = found.into_iter().map(Found).try_for_each(|found| {
            let size = found.size();
            self.sorter.push(found, size)
        });
        self.keep.note(outcome);
    }

    /// Takes the remaining findings of an outcome, and writes all of them.
    pub(super) fn end(mut self, outcome: &mut Outcome) {
        self.take(std::mem::take(&mut outcome.checked.diagnostics));
        if self.is_any {
            let keep = self.keep;
            let file = place(keep.folder, self.number);
            let written = self.sorter.finish().and_then(|all| write(&file, all));
            keep.note(written);
        }
    }
}

impl Keep<'_> {
    fn note(&self, outcome: io::Result<()>) {
        if let Err(error) = outcome {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

fn write(file: &Path, all: Merge<Found>) -> io::Result<()> {
    let mut out = BufWriter::new(File::create_new(file)?);
    for found in all {
        serde_json::to_writer(&mut out, &found?)?;
        out.write_all(b"\n")?;
    }
    out.flush()
}

/// A finding, in the order of a report.
#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Found(Diagnostic);

impl Found {
    /// Its approximate size in memory, apart from its fields.
    fn size(&self) -> usize {
        let Diagnostic { message, help, path, entry, excerpt, .. } = &self.0;
        let texts = [Some(message), Some(help), path.as_ref(), entry.as_ref().and_then(|entry| entry.loc.as_ref())];
        let texts = texts.into_iter().flatten().map(String::len).fold(0, usize::saturating_add);
        // The arguments are nodes of a tree.
        texts.saturating_add(excerpt.as_ref().map_or(0, |excerpt| excerpt.text.len())).saturating_add(1_000)
    }

    fn place(&self) -> (Option<u64>, Option<usize>) {
        (self.0.span.map(|span| span.offset), Code::find(&self.0.code).map(Code::index))
    }
}

impl Sorted for Found {
    fn order(&self, other: &Found) -> Ordering {
        self.place().cmp(&other.place())
    }
}
