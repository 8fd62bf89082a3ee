//! Text for a terminal: each finding with its code frame, a table by code, the verdict.

use alloc::{
    format,
    string::{String, ToString},
    vec::Vec,
};

use super::{
    Diagnostic, Group, Render, Report, Verdict,
    escape::visible,
    frame::{CUT, Frame},
    i18n::labels::{fill, grouped},
    outline::{Outline, key, key_of, name},
    width,
};
use crate::diagnostic::Severity;

/// Maximum inputs listed by name if there are no findings.
const MAX_INPUTS: usize = 20;
/// Maximum documents of a whole Source listed by name.
const MAX_TREE: usize = 60;

pub(super) fn render(report: &Report, options: &Render) -> String {
    let mut text = TextStream::new(report, options);
    for own in report.diagnostics.chunk_by(|one, other| one.input == other.input) {
        let gutter = own.iter().map(gutter_of).max().unwrap_or(1);
        own.iter().for_each(|found| text.show(found, gutter));
    }
    text.finish()
}

/// A report as text, one finding at a time: the findings need not be in memory.
#[derive(Debug)]
pub struct TextStream<'a> {
    page: Page<'a>,
    /// With the number of findings shown, in the order of their keys.
    groups: Vec<(&'a Group, u64)>,
}

impl<'a> TextStream<'a> {
    /// Starts a report, whose own findings are not used.
    pub fn new(report: &'a Report, options: &'a Render) -> TextStream<'a> {
        let mut groups: Vec<(&Group, u64)> = report.groups.iter().map(|group| (group, 0)).collect();
        groups.sort_unstable_by_key(|(group, _)| key(group));
        TextStream { page: Page { outline: Outline::new(report, options.lang), options, out: String::new() }, groups }
    }

    /// The next finding, in the order of a report; `last_line` is the greatest line of all excerpts of its input.
    pub fn finding(&mut self, found: &Diagnostic, last_line: u32) {
        self.show(found, last_line.to_string().len());
    }

    /// The text so far.
    pub fn take(&mut self) -> String {
        core::mem::take(&mut self.page.out)
    }

    /// The rest of the text.
    pub fn finish(mut self) -> String {
        // Groups without stored findings.
        for (group, shown) in self.groups.into_iter().filter(|(group, _)| group.stored == 0) {
            self.page.omitted(group, shown, 1);
            self.page.out.push('\n');
        }
        self.page.table();
        self.page.end();
        self.page.out
    }

    fn show(&mut self, found: &Diagnostic, gutter: usize) {
        let own = self.groups.binary_search_by(|(group, _)| key(group).cmp(&key_of(found)));
        let Some((group, shown)) = own.ok().and_then(|at| self.groups.get_mut(at)) else {
            return self.page.finding(found, gutter);
        };
        let most = match self.page.options.max_per_rule {
            0 => group.stored,
            most => most.min(group.stored),
        };
        if *shown >= most {
            return;
        }
        *shown = shown.saturating_add(1);
        self.page.finding(found, gutter);
        if *shown == most {
            self.page.omitted(group, *shown, gutter);
        }
    }
}

#[derive(Debug)]
struct Page<'a> {
    outline: Outline<'a>,
    options: &'a Render,
    out: String,
}

/// ANSI colours.
const RED: &str = "1;31";
const YELLOW: &str = "1;33";
const CYAN: &str = "1;36";
const GREEN: &str = "1;32";
const BLUE: &str = "1;34";
const BOLD: &str = "1";

impl Page<'_> {
    fn omitted(&mut self, group: &Group, shown: u64, gutter: usize) {
        if let Some(line) = self.outline.omitted(group, shown) {
            // Replaces the empty line after the finding.
            self.out.truncate(self.out.trim_end_matches('\n').len());
            if !self.out.is_empty() {
                self.out.push('\n');
            }
            self.spaces(gutter.saturating_add(1));
            self.out.push_str(&line);
            self.out.push_str("\n\n");
        }
    }

    fn finding(&mut self, found: &Diagnostic, gutter: usize) {
        let color = color_of(found.severity);
        let severity = self.outline.phrases.severity(found.severity);
        self.paint(color, &format!("{severity}[{}]", visible(&found.code)));
        self.paint(BOLD, &format!(" {}: {}", visible(&found.rule), visible(&self.outline.message(found))));
        self.out.push('\n');
        self.place(found, gutter);
        self.frame(found, gutter, color);
        self.notes(found, gutter);
        self.out.push('\n');
    }

    /// `  --> list.xml:3:5   entry 36  http://example.com/res/36`
    fn place(&mut self, found: &Diagnostic, gutter: usize) {
        self.spaces(gutter);
        self.paint(BLUE, "-->");
        self.out.push(' ');
        self.out.push_str(&visible(&name(self.outline.report, found.input)));
        if let Some(span) = found.span {
            self.out.push_str(&format!(":{}:{}", span.start.line, span.start.column));
        }
        if let Some(entry) = &found.entry {
            self.out.push_str("   ");
            self.out.push_str(&fill(self.outline.phrases.entry, &[("n", &entry.index.to_string())]));
            if let Some(loc) = found.shown_loc() {
                self.out.push_str("  ");
                self.out.push_str(&visible(&loc));
            }
        }
        self.out.push('\n');
    }

    fn frame(&mut self, found: &Diagnostic, gutter: usize, color: &str) {
        let Some(excerpt) = &found.excerpt else { return };
        let columns = self.options.width.map(|width| (width as usize).saturating_sub(gutter.saturating_add(3)));
        let frame = Frame::new(excerpt, columns);
        let line = excerpt.line.to_string();
        self.bar("", gutter);
        self.out.push('\n');
        self.bar(&line, gutter);
        self.out.push(' ');
        let cut = |cut: bool| if cut { CUT } else { "" };
        for part in [cut(frame.cut_left), &frame.before, &frame.marked, &frame.after, cut(frame.cut_right)] {
            self.out.push_str(part);
        }
        self.out.truncate(self.out.trim_end_matches(' ').len());
        self.out.push('\n');
        self.bar("", gutter);
        self.spaces(frame.indent().saturating_add(1));
        let mut marks = "^".repeat(frame.carets());
        let end = found.span.map_or(excerpt.line, |span| span.end.line);
        if end > excerpt.line {
            marks.push(' ');
            marks.push_str(&fill(self.outline.phrases.to_line, &[("n", &end.to_string())]));
        }
        self.paint(color, &marks);
        self.out.push('\n');
    }

    fn notes(&mut self, found: &Diagnostic, gutter: usize) {
        let phrases = self.outline.phrases;
        for related in &found.related {
            let said = self.outline.related(found, related);
            self.note("", &said, gutter);
        }
        if let Some(detail) = self.outline.detail(found) {
            self.note(phrases.detail, &detail, gutter);
        }
        if let Some(origin) = self.outline.origin(found) {
            self.note("", &visible(&origin), gutter);
        }
        if !found.help.is_empty() {
            let help = visible(&self.outline.help(found));
            self.note(phrases.help, &help, gutter);
        }
    }

    fn note(&mut self, label: &str, text: &str, gutter: usize) {
        self.spaces(gutter.saturating_add(1));
        self.paint(BLUE, "=");
        self.out.push(' ');
        self.paint(BOLD, label);
        self.out.push_str(text);
        self.out.push('\n');
    }

    /// Writes what explains the report, and the table by code.
    fn table(&mut self) {
        for hint in self.outline.hints() {
            self.out.push_str(&hint);
            self.out.push_str("\n\n");
        }
        let rows = self.outline.rows();
        let phrases = self.outline.phrases;
        let head =
            [phrases.code_head, phrases.rule_head, phrases.severity_head, phrases.count_head, phrases.inputs_head];
        let lines: Vec<[String; 5]> = rows
            .iter()
            .map(|row| {
                let severity = phrases.severity(row.severity);
                [visible(row.code), visible(row.rule), visible(severity), grouped(row.count), grouped(row.inputs)]
            })
            .collect();
        if lines.is_empty() {
            return;
        }
        let head = head.map(ToString::to_string);
        let mut widths = head.each_ref().map(|text| width::of_text(text));
        for line in &lines {
            for (width, text) in widths.iter_mut().zip(line) {
                *width = (*width).max(width::of_text(text));
            }
        }
        self.row(&head, widths, BOLD);
        for (line, row) in lines.iter().zip(&rows) {
            self.row(line, widths, color_of(row.severity));
        }
        self.out.push('\n');
    }

    fn row(&mut self, cells: &[String; 5], widths: [usize; 5], color: &str) {
        for (at, (cell, width)) in cells.iter().zip(widths).enumerate() {
            let padding = width::padding(cell, width);
            // Numbers are right-aligned; code and severity are coloured.
            let is_number = at >= 3;
            self.spaces(if at == 0 { 0 } else { 2 });
            self.spaces(if is_number { padding } else { 0 });
            self.paint(if at == 0 || at == 2 || color == BOLD { color } else { "" }, cell);
            self.spaces(if is_number { 0 } else { padding });
        }
        self.out.push('\n');
    }

    fn end(&mut self) {
        let report = self.outline.report;
        let lines = if self.outline.is_walk() {
            let mut lines = self.outline.tree(MAX_TREE);
            lines.push(String::new());
            lines.extend(self.outline.sets(MAX_INPUTS));
            lines.push(String::new());
            lines
        } else if report.groups.is_empty() && report.inputs.len() > 1 {
            self.outline.input_lines(MAX_INPUTS)
        } else {
            Vec::new()
        };
        for line in lines {
            self.out.push_str(&line);
            self.out.push('\n');
        }
        for line in self.outline.skipped() {
            self.out.push_str(&line);
            self.out.push('\n');
        }
        let color = match report.verdict {
            Verdict::Valid => GREEN,
            Verdict::Undetermined => YELLOW,
            Verdict::Invalid => RED,
        };
        let line = self.outline.verdict_line();
        let (word, rest) = line.split_once(':').unwrap_or((&line, ""));
        self.paint(color, word);
        if !rest.is_empty() {
            self.out.push(':');
        }
        self.out.push_str(rest);
        self.out.push('\n');
        for gap in self.outline.gaps().into_iter().chain(self.outline.filters()) {
            self.out.push_str("  ");
            self.out.push_str(&gap);
            self.out.push('\n');
        }
    }

    /// ` 12 |`
    fn bar(&mut self, line: &str, gutter: usize) {
        let padding = width::padding(line, gutter);
        self.spaces(padding);
        self.paint(BLUE, &format!("{line} |"));
    }

    fn spaces(&mut self, count: usize) {
        self.out.extend(core::iter::repeat_n(' ', count));
    }

    fn paint(&mut self, color: &str, text: &str) {
        if self.options.color && !color.is_empty() && !text.is_empty() {
            self.out.push_str(&format!("\u{1b}[{color}m{text}\u{1b}[0m"));
        } else {
            self.out.push_str(text);
        }
    }
}

fn color_of(severity: Severity) -> &'static str {
    match severity {
        Severity::Error => RED,
        Severity::Warning => YELLOW,
        Severity::Info => CYAN,
    }
}

/// Columns of the line number.
fn gutter_of(found: &Diagnostic) -> usize {
    found.excerpt.as_ref().map_or(1, |excerpt| excerpt.line.to_string().len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Point, RelatedPlace, Skipped, sample};

    #[test]
    fn a_finding_is_shown_in_its_line() {
        let expected = "\
error[AT-07] digest-length: `md5` digest with 3 hexadecimal digits instead of 32
  --> list.xml:37:18   entry 36  http://example.com/res/36
   |
37 | …<rs:md hash=\"md5:xyz\" length=\"8876\"/>
   |               ^^^^^^^
   = MUST (derived): Z39.99-2017 §7
   = help: recompute the digest

code   rule           severity  count  inputs
AT-07  digest-length  error         1       1

INVALID: 1 error in 1 input, 3 entries, 1.2 kB
";
        assert_eq!(render(&sample::one(), &Render::default()), expected);
    }

    #[test]
    fn what_is_left_out_is_said() {
        let mut report = sample::twice();
        let once = Render { max_per_rule: 1, ..Render::default() };
        assert!(
            render(&report, &once).contains("\n   … 1 more AT-07 in this input (1 shown; --max-per-rule 0 shows all,")
        );
        report.groups[0].count = 48_212;
        let all = Render { max_per_rule: 0, ..Render::default() };
        assert!(
            render(&report, &all)
                .contains("\n   … 48,210 more AT-07 in this input (2 stored; --max-per-rule 0 stores all,")
        );
        report.diagnostics.clear();
        report.groups[0].stored = 0;
        assert!(render(&report, &all).starts_with("  … 48,212 more AT-07 in this input (0 stored;"));
    }

    #[test]
    fn lines_that_follow_and_other_places_are_named() {
        let mut report = sample::one();
        let mut span = report.diagnostics[0].span.unwrap();
        report.diagnostics[0].related = [RelatedPlace { role: "first".into(), input: 0, span }].into();
        span.end = Point { line: 39, column: 2 };
        report.diagnostics[0].span = Some(span);
        let written = render(&report, &Render::default());
        assert!(written.contains("^^^^^^^ … to line 39\n   = first occurrence at line 37, column 18\n"), "{written}");
    }

    #[test]
    fn a_clean_run_says_little() {
        assert_eq!(render(&sample::clean(), &Render::default()), "VALID: no findings in 1 input, 3 entries, 1.2 kB\n");
        let mut report = sample::clean();
        report.inputs = (0..22).map(sample::input).collect();
        report.skipped =
            [Skipped { name: "logo.svg".into(), reason: "XML, but not a sitemap".into(), cause: None }].into();
        let written = render(&report, &Render::default());
        assert_eq!(written.lines().filter(|line| *line == "list.xml: valid resource-list, 3 entries").count(), 20);
        assert!(written.contains("\n… and 2 more\nskipped 1 file (XML, but not a sitemap): logo.svg\n"), "{written}");
    }

    #[test]
    fn a_verdict_after_filters_names_the_configuration_and_what_was_suppressed() {
        let expected = "\
VALID after filters: no findings in 1 input, 3 entries, 1.2 kB; 2 findings suppressed
  configuration: ../resourcesync.toml
  suppressed: AT-07 (2 errors)
";
        assert_eq!(render(&sample::filtered(), &Render::default()), expected);
        let mut report = sample::filtered();
        report.suppressed[0].severity = Severity::Warning;
        report.mark_filtered();
        assert!(render(&report, &Render::default()).starts_with("VALID: no findings"));
    }

    #[test]
    fn colours_are_only_added() {
        let plain = render(&sample::one(), &Render::default());
        let mut colored = render(&sample::one(), &Render { color: true, ..Render::default() });
        assert!(colored.contains("\u{1b}[1;31merror[AT-07]\u{1b}[0m"));
        for code in [RED, YELLOW, CYAN, GREEN, BLUE, BOLD, "0"] {
            colored = colored.replace(&format!("\u{1b}[{code}m"), "");
        }
        assert_eq!(colored, plain);
    }

    #[test]
    #[cfg(feature = "texts")]
    fn columns_of_a_japanese_table_stand_below_each_other() {
        let written = render(&sample::one(), &Render { lang: super::super::Lang::Ja, ..Render::default() });
        assert!(
            written.contains(
                "コード  ルール         重大度  件数  検証対象\nAT-07   digest-length  エラー     1         1\n"
            ),
            "{written}"
        );
    }
}
