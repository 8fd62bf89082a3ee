//! A run whose findings are kept in files, so that their number does not determine the memory of the run.

use std::{
    cmp::Ordering,
    collections::BTreeMap,
    fs::{self, File},
    io::{self, BufRead, BufReader, BufWriter, Write},
    path::{Path, PathBuf},
    sync::{Mutex, PoisonError},
};

use resourcesync::{
    api::Outcome,
    diagnostic::Code,
    report::{Diagnostic, Format, Render, Report, TextStream, json_line, json_pretty, render},
};
use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use crate::sort::{Sorted, Sorter};

/// A report whose findings on documents are in files.
#[derive(Debug)]
pub struct LargeReport {
    /// Without findings.
    report: Report,
    /// The findings on packages.
    others: Vec<Diagnostic>,
    /// The file of each input that has one, and the greatest line of its excerpts.
    files: BTreeMap<u64, (PathBuf, u32)>,
    /// Removed when it is dropped.
    _folder: TempDir,
}

impl LargeReport {
    /// The report of a run whose findings are kept in a folder. `numbers` are the inputs with files, each with its id in the report.
    pub(super) fn new(
        mut report: Report,
        numbers: impl IntoIterator<Item = (usize, u64)>,
        lines: &BTreeMap<usize, u32>,
        folder: TempDir,
    ) -> LargeReport {
        let file = |number| (place(folder.path(), number), lines.get(&number).copied().unwrap_or_default());
        let files = numbers.into_iter().map(|(number, id)| (id, file(number)));
        let files = files.filter(|(_, (file, _))| file.exists()).collect();
        let others = std::mem::take(&mut report.diagnostics);
        LargeReport { report, others, files, _folder: folder }
    }

    /// The report without its findings; all counts are those of the whole.
    #[must_use]
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// The report, for changes of what is not a finding.
    pub fn report_mut(&mut self) -> &mut Report {
        &mut self.report
    }

    /// Passes on all findings as lines of JSON, in the order of a report, each with the greatest line of the excerpts of its input.
    fn lines(&self, take: &mut dyn FnMut(&str, u32) -> io::Result<()>) -> io::Result<()> {
        let mut others = self.others.as_slice();
        for input in &self.report.inputs {
            let count = others.iter().take_while(|found| found.input == input.id).count();
            let (own, rest) = others.split_at_checked(count).unwrap_or((others, &[]));
            others = rest;
            let in_memory = own.iter().filter_map(|found| Some(found.excerpt.as_ref()?.line)).max().unwrap_or_default();
            if let Some((file, last)) = self.files.get(&input.id) {
                let id = format!(r#""input":{}"#, input.id);
                // A quotation mark in a text is escaped, so this is never part of one.
                merged(file, &mut |line| take(&line.replace(MARK, &id), in_memory.max(*last)))?;
            }
            own.iter().try_for_each(|found| take(json_line(found)?.trim_end(), in_memory))?;
        }
        Ok(())
    }

    /// Writes it as text, the same bytes as [`render`].
    ///
    /// # Errors
    ///
    /// If it could not be written, or a file not be read.
    pub fn write_text(&self, options: &Render, out: &mut dyn Write) -> io::Result<()> {
        let mut text = TextStream::new(&self.report, options);
        self.lines(&mut |line, last| {
            let found: Diagnostic = serde_json::from_str(line)?;
            text.finding(&found, last);
            out.write_all(text.take().as_bytes())
        })?;
        out.write_all(text.finish().as_bytes())
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
        let (mut separator, mut text) = ("[\n    ", Vec::new());
        self.lines(&mut |line, _| {
            text.clear();
            indent(line, 2, &mut text);
            out.write_all(separator.as_bytes())?;
            separator = ",\n    ";
            out.write_all(&text)
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
        self.lines(&mut |line, _| {
            let fields = line.strip_prefix('{').unwrap_or(line);
            writeln!(out, "{{\"type\":\"diagnostic\",{fields}")
        })?;
        out.write_all(after.as_bytes())
    }
}

/// Stands for the number of the input, which is known at the end of the run.
const MARK: &str = r#""input":18446744073709551615"#;

/// Writes a line of JSON indented, like `serde_json`, at this depth.
fn indent(line: &str, mut depth: usize, out: &mut Vec<u8>) {
    let (mut in_text, mut is_escaped, mut before) = (false, false, b' ');
    let start = |depth: usize, out: &mut Vec<u8>| {
        out.push(b'\n');
        out.resize(out.len().saturating_add(depth.saturating_mul(2)), b' ');
    };
    for byte in line.bytes() {
        // An empty list or object stays on its line.
        let is_end = !in_text && matches!(byte, b'}' | b']');
        if !in_text && matches!(before, b'{' | b'[') && !is_end {
            depth = depth.saturating_add(1);
            start(depth, out);
        } else if is_end && !matches!(before, b'{' | b'[') {
            depth = depth.saturating_sub(1);
            start(depth, out);
        }
        out.push(byte);
        if in_text {
            in_text = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            before = b' ';
            continue;
        }
        match byte {
            b'"' => in_text = true,
            b',' => start(depth, out),
            b':' => out.push(b' '),
            _ => {}
        }
        before = byte;
    }
}

/// The files of one run.
pub(super) struct Keep<'a> {
    folder: &'a Path,
    /// The first error.
    failed: Mutex<Option<io::Error>>,
    /// The greatest line of the excerpts of each input.
    lines: Mutex<BTreeMap<usize, u32>>,
}

impl<'a> Keep<'a> {
    pub(super) fn new(folder: &'a Path) -> Keep<'a> {
        Keep { folder, failed: Mutex::default(), lines: Mutex::default() }
    }

    /// The greatest line of the excerpts of each input.
    pub(super) fn finish(self) -> io::Result<BTreeMap<usize, u32>> {
        match self.failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(self.lines.into_inner().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// Starts the findings of an input.
    pub(super) fn begin(&self, number: usize) -> Findings<'_> {
        let file = place(self.folder, number);
        // Those of an earlier attempt.
        [&file, &late(&file)].into_iter().for_each(|file| drop(fs::remove_file(file)));
        let late = Sorter::new(self.folder, &format!("{number}-late"));
        let window = Vec::new();
        Findings { keep: self, number, file, out: None, window, last_line: 0, last: (None, None), late, is_late: false }
    }

    fn note(&self, outcome: io::Result<()>) {
        if let Err(error) = outcome {
            self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        }
    }
}

fn place(folder: &Path, number: usize) -> PathBuf {
    folder.join(format!("{number}.jsonl"))
}

/// The file of findings that came too late for the order.
fn late(file: &Path) -> PathBuf {
    file.with_extension("late")
}

/// Findings in memory that are sorted before the first ones are written: within an entry they come in the order of the rules.
const SORTED: usize = 4_096;

/// The place of a finding in the order of a report: offset and code.
type Position = (Option<u64>, Option<usize>);

/// The findings of one input.
pub(super) struct Findings<'a> {
    keep: &'a Keep<'a>,
    /// The number of the input.
    number: usize,
    file: PathBuf,
    out: Option<BufWriter<File>>,
    window: Vec<Line>,
    /// The greatest line of the excerpts.
    last_line: u32,
    /// The place of the last one in the file.
    last: Position,
    late: Sorter<Line>,
    is_late: bool,
}

impl Findings<'_> {
    /// Takes further findings.
    pub(super) fn take(&mut self, found: Vec<Diagnostic>) {
        for found in found {
            self.last_line = self.last_line.max(found.excerpt.as_ref().map_or(0, |excerpt| excerpt.line));
            let written = Line::new(found).and_then(|line| {
                self.window.push(line);
                if self.window.len() < SORTED { Ok(()) } else { self.flush(SORTED / 2) }
            });
            self.keep.note(written);
        }
    }

    /// Takes the remaining findings of an outcome, and writes all of them.
    pub(super) fn end(mut self, outcome: &mut Outcome) {
        // The findings on a plain sitemap were dropped at its end.
        if outcome.checked.groups.is_empty() {
            [&self.file, &late(&self.file)].into_iter().for_each(|file| drop(fs::remove_file(file)));
            return;
        }
        self.take(std::mem::take(&mut outcome.checked.diagnostics));
        let written = self.flush(self.window.len());
        self.keep.lines.lock().unwrap_or_else(PoisonError::into_inner).insert(self.number, self.last_line);
        let keep = self.keep;
        keep.note(written.and_then(|()| self.finish()));
    }

    fn finish(self) -> io::Result<()> {
        if let Some(mut out) = self.out {
            out.flush()?;
        }
        if self.is_late {
            let mut out = BufWriter::new(File::create(late(&self.file))?);
            self.late.finish()?.try_for_each(|line| line?.write(&mut out))?;
            out.flush()?;
        }
        Ok(())
    }

    /// Writes the first findings of the window.
    fn flush(&mut self, count: usize) -> io::Result<()> {
        self.window.sort_by(Line::order);
        for line in self.window.drain(..count) {
            if line.place < self.last {
                self.is_late = true;
                let size = line.text.len();
                self.late.push(line, size)?;
                continue;
            }
            self.last = line.place;
            let out = match &mut self.out {
                Some(out) => out,
                none => none.insert(BufWriter::new(File::create(&self.file)?)),
            };
            line.write(out)?;
        }
        Ok(())
    }
}

/// A finding as JSON, with its place.
#[derive(Serialize, Deserialize)]
struct Line {
    place: Position,
    text: String,
}

impl Line {
    fn new(mut found: Diagnostic) -> io::Result<Line> {
        found.input = u64::MAX;
        found.related.iter_mut().for_each(|related| related.input = u64::MAX);
        let place = (found.span.map(|span| span.offset), Code::find(&found.code).map(Code::index));
        Ok(Line { place, text: json_line(&found)? })
    }

    fn write(&self, out: &mut dyn Write) -> io::Result<()> {
        let number = |number: Option<u64>| number.map_or(String::from("-"), |number| number.to_string());
        write!(out, "{} {}\t{}", number(self.place.0), number(self.place.1.map(|code| code as u64)), self.text)
    }

    /// The place and the text of a line of a file.
    fn parse(line: &str) -> Option<(Position, &str)> {
        let (place, text) = line.split_once('\t')?;
        let (offset, code) = place.split_once(' ')?;
        Some(((offset.parse().ok(), code.parse().ok()), text))
    }
}

impl Sorted for Line {
    fn order(&self, other: &Line) -> Ordering {
        self.place.cmp(&other.place)
    }
}

/// The lines of a file and of its late ones, which come after equal ones.
fn merged(file: &Path, take: &mut dyn FnMut(&str) -> io::Result<()>) -> io::Result<()> {
    let open = |file: &Path| -> io::Result<Box<dyn Iterator<Item = io::Result<String>>>> {
        Ok(if file.exists() {
            Box::new(BufReader::new(File::open(file)?).lines())
        } else {
            Box::new(std::iter::empty())
        })
    };
    let broken = || io::Error::other("a temporary file was changed");
    let (mut own, mut late) = (open(file)?, open(&late(file))?);
    let (mut one, mut other) = (own.next().transpose()?, late.next().transpose()?);
    loop {
        let is_late = match (&one, &other) {
            (None, None) => return Ok(()),
            (Some(one), Some(other)) => {
                let place = |line: &str| Line::parse(line).map(|(place, _)| place);
                place(other).ok_or_else(broken)? < place(one).ok_or_else(broken)?
            }
            (one, _) => one.is_none(),
        };
        let (next, lines) = if is_late { (&mut other, &mut late) } else { (&mut one, &mut own) };
        if let Some(line) = next {
            take(Line::parse(line).ok_or_else(broken)?.1)?;
        }
        *next = lines.next().transpose()?;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_indented_as_serde_json_does() {
        let text = r#"{"a":[],"b":{},"c":[1,[2,{"d":"x,\\\"{[:"}]],"e":{"f":null,"g":[{}]},"h":""}"#;
        let value: serde_json::Value = serde_json::from_str(text).unwrap();
        let mut out = Vec::new();
        indent(text, 0, &mut out);
        assert_eq!(String::from_utf8(out).unwrap(), serde_json::to_string_pretty(&value).unwrap());
    }

    #[test]
    fn late_findings_are_merged() {
        let folder = TempDir::new().unwrap();
        let keep = Keep::new(folder.path());
        let mut findings = keep.begin(0);
        let line = |offset| Line { place: (Some(offset), Some(1)), text: format!("{{\"{offset}\"}}\n") };
        for offset in [5, 9, 7, 7, 12, 1, 9] {
            findings.window.push(line(offset));
            findings.flush(1).unwrap();
        }
        findings.finish().unwrap();
        let mut all = String::new();
        let mut add = |line: &str| {
            all.push_str(line);
            Ok(())
        };
        merged(&place(folder.path(), 0), &mut add).unwrap();
        assert_eq!(all, r#"{"1"}{"5"}{"7"}{"7"}{"9"}{"9"}{"12"}"#);
    }
}
