//! Runs the examples of every rule: the wrong document has the finding and no other error, the right one has no
//! findings.

use std::path::Path;

use libtest_mimic::{Arguments, Failed, Trial};
use resourcesync::{
    api::{InputOrigin, Options, validate},
    model::Kind,
    report::{Profile, Report, Selection},
    rules::{ALL, Rule},
};

const CORE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../core/src");

fn main() {
    let trials = ALL
        .iter()
        .flat_map(|rule| {
            let name = rule.name;
            [
                Trial::test(format!("{name}/words"), move || words(rule)),
                Trial::test(format!("{name}/wrong"), move || wrong(rule)),
                Trial::test(format!("{name}/right"), move || right(rule)),
                Trial::test(format!("{name}/checks"), move || checks(rule)),
            ]
        })
        .collect();
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// All texts are present, and no two rules have the same text.
fn words(rule: &Rule) -> Result<(), Failed> {
    let texts = &rule.texts;
    let all = [
        rule.message,
        rule.help,
        texts.message_ja,
        texts.help_ja,
        texts.en.what,
        texts.en.why,
        texts.en.fix,
        texts.ja.what,
        texts.ja.why,
        texts.ja.fix,
    ];
    if all.iter().any(|text| text.trim().is_empty()) {
        return Err("a text is missing".into());
    }
    if rule.message.ends_with('.') || rule.help.ends_with('.') {
        return Err("message and help end without a full stop".into());
    }
    let japanese = |text: &str| text.chars().any(|c| ('\u{3040}'..='\u{9fff}').contains(&c));
    if ![texts.message_ja, texts.help_ja, texts.ja.what, texts.ja.why, texts.ja.fix].iter().all(|text| japanese(text)) {
        return Err("a Japanese text is not in Japanese".into());
    }
    for other in ALL.iter().filter(|other| other.name != rule.name) {
        if other.message == rule.message || other.texts.message_ja == texts.message_ja {
            return Err(format!("says the same as {}", other.name).into());
        }
    }
    Ok(())
}

/// A rule has checks, or names the files that report its codes.
fn checks(rule: &Rule) -> Result<(), Failed> {
    let places = rule.texts.checked_in;
    if rule.checks.is_empty() == places.is_empty() {
        return Err("either checks, or the files that have them".into());
    }
    let read = |place: &&str| {
        std::fs::read_to_string(Path::new(CORE).join(place)).map_err(|error| format!("{place}: {error}"))
    };
    let texts = places.iter().map(read).collect::<Result<Vec<_>, _>>()?;
    for code in rule.reports.iter().filter(|_| !places.is_empty()) {
        let name = format!("Code::{}", code.id().replace('-', "_"));
        if !texts.iter().any(|text| text.contains(&name)) {
            return Err(format!("{name} is in none of {places:?}").into());
        }
    }
    Ok(())
}

fn run(rule: &Rule, document: &str) -> Report {
    let mut options = Options::default();
    // Rules about the expected kind need one, which the first requirement determines.
    if rule.name.starts_with("unexpected-") || rule.name == "not-a-description-index" {
        options.expect =
            Some(if rule.name.starts_with("not-") { Kind::SourceDescriptionIndex } else { Kind::SourceDescription });
    }
    if rule.reports.iter().any(|code| code.is_optional()) {
        options.profile = Profile::SearchEngines;
        options.selection = Selection::new(options.profile, &[], &[], &[]);
    }
    validate(document.as_bytes(), InputOrigin::named("example.xml"), &options)
}

fn wrong(rule: &Rule) -> Result<(), Failed> {
    if rule.texts.wrong.is_empty() {
        return input_only(rule);
    }
    let report = run(rule, rule.texts.wrong);
    let found: Vec<&str> = report.diagnostics.iter().map(|diagnostic| diagnostic.rule.as_str()).collect();
    if found.contains(&rule.name) { Ok(()) } else { Err(format!("the wrong example shows {found:?}").into()) }
}

fn right(rule: &Rule) -> Result<(), Failed> {
    if rule.texts.right.is_empty() {
        return input_only(rule);
    }
    let report = run(rule, rule.texts.right);
    let found: Vec<String> =
        report.diagnostics.iter().map(|found| format!("{}: {}", found.code, found.message)).collect();
    if found.is_empty() { Ok(()) } else { Err(format!("the right example shows {found:?}").into()) }
}

/// Only rules about the input itself, and about size, have no example document.
fn input_only(rule: &Rule) -> Result<(), Failed> {
    // Packages and whole Sources cannot be shown as one document either.
    let families = ["INP", "LIM", "ZIP", "PKG"];
    let sizes = ["too-many-entries", "too-large", "package-size"];
    let across = include_str!("../requirements.tsv").lines().filter_map(|line| {
        let mut cells = line.split('\t');
        let id = cells.next()?;
        cells.nth(1).filter(|place| place.contains("xdoc") || *place == "http").map(|_| id)
    });
    let across: Vec<&str> = across.collect();
    let excused = rule.reports.iter().all(|code| families.contains(&code.family()) || across.contains(&code.id()))
        || rule.texts.checked_in.iter().any(|place| place.starts_with("source/"))
        || sizes.contains(&rule.name);
    if excused { Ok(()) } else { Err("an example is missing".into()) }
}
