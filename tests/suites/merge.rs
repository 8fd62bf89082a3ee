//! Merged reports: however inputs are divided and in whatever tree reports are merged, the result is that of one run; and the reports
//! that are rejected.

use std::sync::LazyLock;

use proptest::prelude::*;
use resourcesync::{
    api::{
        InputOrigin, MergeError, MergeProblem, Merger, Options, Outcome, Run, Validation, Verification, merge, validate,
    },
    diagnostic::{Code, Reason, ReasonCode, Severity},
    model::Kind,
    report::{Format, Lang, Profile, Render, Report, Selection, Status, Via, render, subtract},
};
use resourcesync_tests::{all, package::package, sources};

/// A list whose entries all have errors, or all warnings.
fn wrong(entries: usize, is_error: bool) -> String {
    let entry = |at: usize| match is_error {
        true => format!("<url><loc>wrong {at}</loc></url>"),
        false => format!("<url x='y'><loc>http://example.com/{at}</loc></url>"),
    };
    format!(
        r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
<rs:ln rel="up" href="http://example.com/capabilitylist.xml"/><rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>{}</urlset>"#,
        (0..entries).map(entry).collect::<String>()
    )
}

fn outcome(options: &Options, name: &str, via: Via, bytes: &[u8]) -> Outcome {
    let mut validation = Validation::new(options, InputOrigin { via, ..InputOrigin::named(name) });
    validation.push(bytes);
    validation.finish()
}

fn packed(options: &Options, name: &str) -> Outcome {
    let bytes = package(name);
    let verification = Verification::new(options, InputOrigin::named(format!("{name}.zip")), bytes.len() as u64);
    verification
        .run_for_contents(&mut |offset, room: &mut [u8]| {
            room.copy_from_slice(&bytes[offset as usize..][..room.len()]);
            Ok(())
        })
        .0
}

/// Options, and the outcomes of inputs that a run with them may have.
type Pool = (Options, Vec<Outcome>);

static POOLS: LazyLock<Vec<Pool>> = LazyLock::new(|| {
    let mut all_stored = Options::default();
    all_stored.max_per_rule = 0;
    let mut many = Options::default();
    many.max_per_rule = 3_000;
    many.no_fixity = true;
    assert!(many.limits.set("depth", 8));
    let mut filtered = Options::default();
    filtered.profile = Profile::Strict;
    let selectors = |names: &[&str]| names.iter().map(|name| name.parse().unwrap()).collect::<Vec<_>>();
    let severities = [("GEN-01".parse().unwrap(), Severity::Warning)];
    filtered.selection = Selection::new(Profile::Strict, &[], &selectors(&["RL", "derived", "XML-07"]), &severities);
    [Options::default(), all_stored, many, filtered]
        .into_iter()
        .map(|options| (options.clone(), pool(&options)))
        .collect()
});

fn pool(options: &Options) -> Vec<Outcome> {
    let cases = all().into_iter().filter(|case| !case.is_package() && !case.has_options()).step_by(23);
    let mut pool: Vec<Outcome> = cases
        .map(|case| (case.name(), case.bytes()))
        .filter(|(_, bytes)| bytes.len() < 20_000)
        .map(|(name, bytes)| outcome(options, &name, Via::Folder, &bytes))
        .collect();
    pool.extend(["plain", "comment", "folders"].map(|name| packed(options, name)));
    pool.push(outcome(options, "cut.xml", Via::Argument, b"<urlset"));
    for (name, is_error) in [("errors.xml", true), ("warnings.xml", false)] {
        // Several of them exceed the limit on the findings of a run.
        pool.extend(vec![outcome(options, name, Via::Argument, wrong(2_500, is_error).as_bytes()); 8]);
    }
    pool
}

/// A run over these inputs; it was stopped after the one with this place.
fn run(pool: &Pool, picked: &[usize], stop: Option<usize>) -> Report {
    let mut run = Run::new(&pool.0);
    for (at, pick) in picked.iter().enumerate() {
        if pick % 5 == 0 {
            run.skip(format!("skipped-{pick}"), Reason::new(ReasonCode::NotXml));
        }
        run.add(pool.1[pick % pool.1.len()].clone());
        if stop == Some(at) {
            run.stopped("interrupt");
        }
    }
    run.finish()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_division_and_any_tree_of_merges_give_the_report_of_one_run(
        variant in 0_usize..4,
        picked in prop::collection::vec(0_usize..1_000, 0..24),
        cuts in prop::collection::vec(any::<prop::sample::Index>(), 0..8),
        joins in prop::collection::vec(any::<prop::sample::Index>(), 8),
        stop in prop::option::weighted(0.3, any::<prop::sample::Index>()),
    ) {
        let pool = &POOLS[variant];
        let stop = stop.filter(|_| !picked.is_empty()).map(|at| at.index(picked.len()));
        let whole = run(pool, &picked, stop).to_json();
        let mut cuts: Vec<usize> = cuts.iter().map(|at| at.index(picked.len() + 1)).chain([0, picked.len()]).collect();
        cuts.sort_unstable();
        let parts: Vec<Report> = cuts
            .windows(2)
            .map(|cut| run(pool, &picked[cut[0]..cut[1]], stop.filter(|at| (cut[0]..cut[1]).contains(at)).map(|at| at - cut[0])))
            .collect();
        prop_assert_eq!(&merge(parts.clone()).unwrap().to_json(), &whole);
        // Neighbours are merged, in any order, until one is left. What is merged was written and read.
        let mut left = parts;
        for join in joins.iter().cycle() {
            if left.len() < 2 {
                break;
            }
            let at = join.index(left.len() - 1);
            let other = Report::from_json(&left.remove(at + 1).to_json()).unwrap();
            left[at] = merge([left[at].clone(), other]).unwrap();
        }
        prop_assert_eq!(&left[0].to_json(), &whole);
    }
}

#[test]
fn the_limit_on_findings_is_that_of_one_run() {
    // The first severities to be dropped are in reports of their own, and in the middle.
    let pool = &POOLS[2];
    let picked: Vec<usize> = (pool.1.len() - 16..pool.1.len()).collect();
    let whole = run(pool, &picked, None);
    assert_eq!((whole.summary.stored, whole.summary.warnings, whole.summary.errors), (10_000, 20_000, 20_000));
    let merged = merge(picked.iter().map(|at| run(pool, &[*at], None))).unwrap();
    assert_eq!(merged.to_json(), whole.to_json());
}

#[test]
fn every_report_of_the_corpus_is_a_merge_of_itself() {
    for case in all().into_iter().step_by(11) {
        let report = case.report(1 << 20);
        assert_eq!(merge([report.clone()]).unwrap().to_json(), report.to_json(), "{}", case.name());
    }
}

#[test]
fn whole_sources_are_merged_with_their_numbers_moved() {
    let reports: Vec<Report> = sources()
        .into_iter()
        .filter(|case| !case.is_large())
        .step_by(9)
        .map(|case| case.crawl(1 << 20, false))
        .collect();
    for report in &reports {
        assert_eq!(merge([report.clone()]).unwrap(), *report);
        // Any document in common is rejected, as soon as one of the Sources has several documents.
        let is_crawled = report.inputs.iter().any(|input| input.parent.is_some() && input.via != Via::Zip);
        assert_eq!(merge([report.clone(), report.clone()]).is_err(), is_crawled);
    }
    // Elsewhere, each is a Source of its own.
    let moved = |(at, report): (usize, &Report)| {
        let json = report.to_json().replace("http://example.com", &format!("http://example.com:{}", 8_000 + at));
        Report::from_json(&json).unwrap()
    };
    let parts: Vec<Report> = reports.iter().enumerate().map(moved).collect();
    let merged = merge(parts.clone()).unwrap();
    let mut first = 0;
    for part in &parts {
        let own = |input: u64| (first..first + part.inputs.len() as u64).contains(&input).then(|| input - first);
        let found: Vec<_> = merged
            .diagnostics
            .iter()
            .filter_map(|found| {
                let mut found = found.clone();
                found.input = own(found.input)?;
                found.related.iter_mut().for_each(|place| place.input = own(place.input).unwrap());
                Some(found)
            })
            .collect();
        assert_eq!(found, part.diagnostics);
        let sets: Vec<_> = merged.sets.iter().filter_map(|set| Some((own(set.input)?, set.resources))).collect();
        assert_eq!(sets, part.sets.iter().map(|set| (set.input, set.resources)).collect::<Vec<_>>());
        first += part.inputs.len() as u64;
    }
    assert_eq!(merged.inputs.len() as u64, first);
    assert_eq!(merged.verdict, parts.iter().map(|part| part.verdict).max().unwrap());
}

fn report(name: &str, options: &Options) -> Report {
    validate(wrong(2, true).as_bytes(), InputOrigin::named(name), options)
}

/// The error if the second report is added to the first; the first is left as it was.
fn refused(first: Report, second: Report) -> MergeProblem {
    let mut merger = Merger::new();
    merger.add(first.clone()).unwrap();
    let MergeError { report, problem } = merger.add(second).unwrap_err();
    assert_eq!(report, 1);
    assert_eq!(merger.finish().unwrap(), first);
    problem
}

#[test]
fn reports_that_one_run_cannot_have_are_rejected() {
    let usual = || report("a.xml", &Options::default());
    assert_eq!(merge([]), Err(MergeError { report: 0, problem: MergeProblem::Nothing }));
    let mut other = usual();
    other.tool.version = "9.9.9".into();
    assert_eq!(refused(usual(), other), MergeProblem::OtherTool { tool: "resourcesync 9.9.9".into() });
    let mut other = usual();
    other.run.subject = Some("https://example.com/oai".into());
    assert_eq!(refused(usual(), other), MergeProblem::Service);
    let mut other = usual();
    other.groups[0].code = "OAI-01".into();
    assert_eq!(refused(usual(), other), MergeProblem::Service);
    let mut all = Options::default();
    all.max_per_rule = 0;
    let mut other = report("b.xml", &all);
    subtract(&mut other, &report("b.xml", &all)).unwrap();
    assert_eq!(refused(report("a.xml", &all), other.clone()), MergeProblem::Baseline);
    assert!(matches!(merge([other]), Err(MergeError { report: 0, problem: MergeProblem::Baseline })));
}

#[test]
fn each_option_that_decides_what_a_report_contains_must_be_the_same() {
    let selectors = |name: &str| [name.parse().unwrap()];
    type Change<'a> = (&'static str, &'a dyn Fn(&mut Options));
    let changes: [Change<'_>; 8] = [
        ("profile", &|options| options.profile = Profile::Strict),
        ("max-per-rule", &|options| options.max_per_rule = 99),
        ("select", &|options| options.selection = Selection::new(Profile::Standard, &selectors("RL"), &[], &[])),
        ("ignore", &|options| {
            options.selection = Selection::new(Profile::Standard, &[], &selectors("missing-at"), &[])
        }),
        ("ignore", &|options| options.selection = Selection::default().without(Code::ADV_03)),
        ("severity", &|options| {
            let severities = [("RL-03".parse().unwrap(), Severity::Info)];
            options.selection = Selection::new(Profile::Standard, &[], &[], &severities);
        }),
        ("expect", &|options| options.expect = Some(Kind::ChangeList)),
        ("limit", &|options| assert!(options.limits.set("depth", 5))),
    ];
    for (what, change) in changes {
        let mut options = Options::default();
        change(&mut options);
        let other = report("b.xml", &options);
        assert_eq!(refused(report("a.xml", &Options::default()), other.clone()), MergeProblem::Differs { what });
        assert!(merge([report("a.xml", &options), other]).is_ok(), "{what}");
    }
    let mut options = Options::default();
    options.no_fixity = true;
    options.seed = 7;
    let problem = refused(report("a.xml", &Options::default()), report("b.xml", &options));
    assert_eq!(problem, MergeProblem::Differs { what: "no-fixity" });
    let mut other = report("b.xml", &Options::default());
    other.run.configuration = Some("resourcesync.toml".into());
    assert_eq!(refused(report("a.xml", &Options::default()), other), MergeProblem::Differs { what: "configuration" });
}

#[test]
fn an_option_set_to_its_default_and_names_in_another_order_do_not_differ() {
    let mut options = Options::default();
    options.max_per_rule = 100;
    options.seed = 3;
    let depth = options.limits.get("depth").unwrap();
    assert!(options.limits.set("depth", depth));
    assert!(merge([report("a.xml", &Options::default()), report("b.xml", &options)]).is_ok());
    let ignoring = |names: [&str; 3]| {
        let mut options = Options::default();
        options.selection = Selection::new(Profile::Standard, &[], &names.map(|name| name.parse().unwrap()), &[]);
        options
    };
    let (one, other) = (ignoring(["RL", "CL", "CL"]), ignoring(["CL", "RL", "RL"]));
    assert!(merge([report("a.xml", &one), report("b.xml", &other)]).is_ok());
}

#[test]
fn a_document_may_be_in_two_reports_unless_a_whole_source_has_it() {
    let twice = merge([report("a.xml", &Options::default()), report("a.xml", &Options::default())]).unwrap();
    assert_eq!(twice.inputs.len(), 2);
    let source = sources().into_iter().find(|case| case.name().contains("CL-18")).unwrap().crawl(1 << 20, false);
    let child = source.inputs.iter().find(|input| input.parent.is_some()).unwrap().clone();
    let single = report(&child.name, &Options::default());
    let problem = MergeProblem::Repeated { input: child.name };
    assert_eq!(refused(source.clone(), single.clone()), problem);
    assert_eq!(refused(single, source), problem);
}

#[test]
fn a_report_whose_parts_do_not_fit_together_is_rejected() {
    let changes: [&dyn Fn(&mut Report); 10] = [
        &|report| report.summary.errors += 1,
        &|report| report.summary.inputs = 7,
        &|report| report.groups[0].count += 1,
        &|report| report.groups[0].input = 1,
        &|report| report.diagnostics[0].input = u64::MAX,
        &|report| drop(report.diagnostics.pop()),
        &|report| report.inputs[0].id = 1,
        &|report| report.inputs[0].parent = Some(5),
        &|report| report.verdict = resourcesync::report::Verdict::Valid,
        &|report| report.inputs[0].verdict = resourcesync::report::Verdict::Valid,
    ];
    for change in changes {
        let mut other = report("b.xml", &Options::default());
        change(&mut other);
        assert_eq!(refused(report("a.xml", &Options::default()), other), MergeProblem::Inconsistent);
    }
    let mut other = validate(
        b"<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>",
        InputOrigin::named("b.xml"),
        &Options::default(),
    );
    assert!(merge([other.clone()]).is_ok());
    let given = other.clone();
    (other.run.status, other.run.stopped_by) = (Status::Stopped, Some("interrupt".into()));
    other.verdict = resourcesync::report::Verdict::Valid;
    assert_eq!(refused(report("a.xml", &Options::default()), other), MergeProblem::Inconsistent);
    // Each of these is a verdict that the other one contradicts.
    for verdict in [resourcesync::report::Verdict::Undetermined, resourcesync::report::Verdict::Invalid] {
        let mut other = given.clone();
        other.inputs[0].verdict = verdict;
        assert_eq!(refused(given.clone(), other), MergeProblem::Inconsistent);
    }
}

#[test]
fn every_problem_has_words_in_both_languages_and_hostile_names_stay_in_their_line() {
    let problems = [
        MergeProblem::Nothing,
        MergeProblem::OtherTool { tool: "x 1".into() },
        MergeProblem::Inconsistent,
        MergeProblem::Service,
        MergeProblem::Baseline,
        MergeProblem::Differs { what: "profile" },
        MergeProblem::Repeated { input: "http://example.com/a".into() },
    ];
    for problem in problems {
        let [en, ja] = [Lang::En, Lang::Ja].map(|lang| problem.message(lang));
        assert!(en.is_ascii() && !ja.is_ascii() && en != ja, "{en} {ja}");
        let error = MergeError { report: 2, problem }.to_string();
        assert!(error.ends_with(&en) && !error.contains('\n'), "{error}");
    }
    let mut other = report("a.xml", &Options::default());
    other.tool.version = "1\n::error::\u{1b}[2J".into();
    let error = merge([other]).unwrap_err().to_string();
    assert!(!error.contains(['\n', '\u{1b}']), "{error}");
}

#[test]
fn a_merged_report_is_a_report_in_every_format() {
    let merged = merge(["a.xml", "b.xml"].map(|name| report(name, &Options::default()))).unwrap();
    let mut run = Run::new(&Options::default());
    for name in ["a.xml", "b.xml"] {
        run.add(outcome(&Options::default(), name, Via::Argument, wrong(2, true).as_bytes()));
    }
    let whole = run.finish();
    for format in Format::ALL.iter().copied() {
        assert_eq!(render(&merged, format, &Render::default()), render(&whole, format, &Render::default()));
    }
}
