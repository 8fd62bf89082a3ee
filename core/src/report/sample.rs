//! Small reports for the tests of the formats.

use alloc::{collections::BTreeMap, string::String, vec, vec::Vec};

use super::{
    Diagnostic, Excerpt, FORMAT, FORMAT_VERSION, Family, Group, Input, Point, RelatedPlace, Report, RunInfo,
    RunOptions, Skipped, Status, Summary, TextSpan, Times, Tool, Verdict, Via,
};
use crate::{
    diagnostic::{Arg, EntryRef, Severity},
    model::Kind,
};

/// A valid input called `list.xml`.
pub(super) fn input(id: u64) -> Input {
    Input {
        id,
        parent: None,
        name: "list.xml".into(),
        uri: None,
        via: Via::Argument,
        kind: Kind::ResourceList,
        entries: 3,
        bytes: 1_234,
        verdict: Verdict::Valid,
        reason: None,
        cause: None,
        closed: None,
        times: Times::default(),
    }
}

/// A report without findings.
pub(super) fn clean() -> Report {
    Report {
        format: FORMAT.into(),
        format_version: FORMAT_VERSION,
        tool: Tool { name: "resourcesync".into(), version: "0.1.0".into() },
        run: RunInfo {
            status: Status::Completed,
            stopped_by: None,
            profile: "standard".into(),
            configuration: None,
            options: RunOptions::default(),
            baseline: false,
            subject: None,
            family: None,
        },
        verdict: Verdict::Valid,
        after_filters: false,
        summary: Summary { inputs: 1, entries: 3, bytes: 1_234, ..Summary::default() },
        inputs: vec![input(0)],
        skipped: Vec::new(),
        sets: Vec::new(),
        groups: Vec::new(),
        suppressed: Vec::new(),
        diagnostics: Vec::new(),
        family: Family::default(),
    }
}

/// An error of an attribute.
pub(super) fn digest() -> Diagnostic {
    let args = [("algorithm", Arg::Text("md5".into())), ("digits", Arg::Number(3)), ("expected", Arg::Number(32))];
    Diagnostic {
        code: "AT-07".into(),
        rule: "digest-length".into(),
        severity: Severity::Error,
        level: Some("MUST".into()),
        derived: Some(true),
        message: "`md5` digest with 3 hexadecimal digits instead of 32".into(),
        args: args.into_iter().map(|(name, value)| (String::from(name), value)).collect(),
        cause: None,
        help: "recompute the digest".into(),
        section: Some("Z39.99-2017 §7".into()),
        input: 0,
        span: Some(TextSpan {
            offset: 9_123,
            length: 7,
            start: Point { line: 37, column: 18 },
            end: Point { line: 37, column: 25 },
        }),
        path: Some("/urlset/url[36]/rs:md/@hash".into()),
        entry: Some(EntryRef { index: 36, loc: Some("http://example.com/res/36".into()) }),
        excerpt: Some(Excerpt {
            text: "<rs:md hash=\"md5:xyz\" length=\"8876\"/>".into(),
            line: 37,
            column: 5,
            highlight: (13, 20),
            cut_left: true,
            cut_right: false,
        }),
        related: Vec::new(),
        fingerprint: "7f3a000000000001".into(),
    }
}

/// A report with one error.
pub(super) fn one() -> Report {
    let mut report = clean();
    report.verdict = Verdict::Invalid;
    report.inputs[0].verdict = Verdict::Invalid;
    report.summary.errors = 1;
    report.summary.stored = 1;
    report.groups = vec![Group { code: "AT-07".into(), severity: Severity::Error, input: 0, count: 1, stored: 1 }];
    report.diagnostics = vec![digest()];
    report
}

/// A report whose error was suppressed by a configuration.
pub(super) fn filtered() -> Report {
    let mut report = clean();
    report.run.configuration = Some("../resourcesync.toml".into());
    report.summary.suppressed = 2;
    report.suppressed = vec![Group { code: "AT-07".into(), severity: Severity::Error, input: 0, count: 2, stored: 0 }];
    report.mark_filtered();
    report
}

/// The same error twice.
pub(super) fn twice() -> Report {
    let mut report = one();
    report.summary.errors = 2;
    report.summary.stored = 2;
    report.groups[0].count = 2;
    report.groups[0].stored = 2;
    report.diagnostics.push(digest());
    report
}

/// A report with the same error in several inputs, several times each.
pub(super) fn many(inputs: u64, each: u64) -> Report {
    let mut report = clean();
    report.verdict = Verdict::Invalid;
    report.inputs = (0..inputs).map(|id| Input { name: alloc::format!("folder/list{id}.xml"), ..input(id) }).collect();
    let group = |input| Group { code: "AT-07".into(), severity: Severity::Error, input, count: each, stored: each };
    report.groups = (0..inputs).map(group).collect();
    report.summary = Summary { errors: inputs * each, stored: inputs * each, inputs, ..report.summary };
    let found = |input: u64, at: u64| {
        let number = input * each + at;
        let loc = alloc::format!("https://repository.example.org/records/{number}/bitstreams/{}.pdf", number * 7_919);
        let fingerprint = alloc::format!("{:016x}", number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        Diagnostic { input, entry: Some(EntryRef { index: at + 1, loc: Some(loc) }), fingerprint, ..digest() }
    };
    report.diagnostics = (0..inputs).flat_map(|input| (0..each).map(move |at| found(input, at))).collect();
    report
}

/// Text of a document or file name that tries to break out of a format.
pub(super) const WILD: &str = "\u{1b}[2J\u{202e}\r\n::error::x %0A `` </script><img src=x onerror=alert(1)> ]]> | @you \
    \u{0}\u{85}\u{7f}\u{feff}";

/// A report with hostile text everywhere; its inputs exist, its first code is unknown.
pub(super) fn hostile() -> Report {
    let mut report = one();
    report.verdict = Verdict::Undetermined;
    report.run = RunInfo {
        status: Status::Stopped,
        stopped_by: Some(WILD.into()),
        profile: WILD.into(),
        configuration: Some(WILD.into()),
        options: RunOptions { select: vec![WILD.into()], ..RunOptions::default() },
        baseline: true,
        subject: Some(WILD.into()),
        family: Some(WILD.into()),
    };
    report.after_filters = true;
    report.suppressed = vec![Group { code: WILD.into(), severity: Severity::Error, input: 0, count: 1, stored: 0 }];
    report.tool.version = WILD.into();
    report.inputs[0].name = WILD.into();
    report.inputs.push(Input { uri: Some(WILD.into()), parent: Some(1), ..input(1) });
    report.inputs[1].verdict = Verdict::Undetermined;
    report.skipped = vec![Skipped { name: WILD.into(), reason: WILD.into(), cause: None }];
    let known = digest();
    let excerpt =
        Excerpt { text: WILD.into(), line: 37, column: 1, highlight: (2, 400), cut_left: true, cut_right: true };
    let wild = Diagnostic {
        code: WILD.into(),
        rule: WILD.into(),
        severity: Severity::Warning,
        level: Some(WILD.into()),
        message: WILD.into(),
        args: BTreeMap::from([(WILD.into(), Arg::Text(WILD.into()))]),
        cause: None,
        help: WILD.into(),
        section: Some(WILD.into()),
        path: Some(WILD.into()),
        entry: Some(EntryRef { index: 1, loc: Some(WILD.into()) }),
        excerpt: Some(excerpt),
        related: vec![RelatedPlace { role: WILD.into(), input: 1, span: known.span.unwrap() }],
        fingerprint: WILD.into(),
        ..known.clone()
    };
    report.groups = vec![
        Group { code: WILD.into(), severity: Severity::Warning, input: 0, count: 1, stored: 1 },
        Group { code: "AT-07".into(), severity: Severity::Error, input: 0, count: 1, stored: 1 },
    ];
    report.summary = Summary { warnings: 1, errors: 1, stored: 2, inputs: 2, ..report.summary };
    report.diagnostics = vec![wild, known];
    report
}
