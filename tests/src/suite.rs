//! The conformance suite for other implementations: the cases of the corpus that do not depend on the options of this one.
//! `conformance/README.md` describes the folder.

use std::{
    collections::{BTreeMap, BTreeSet},
    fs, io,
    path::Path,
};

use resourcesync::{
    api::FetchError,
    diagnostic::Severity,
    report::{
        Lang,
        catalogue::{Catalogue, Row},
    },
};
use serde::Serialize;

use crate::{Answer, Expected, SourceCase, all, sources};

/// `cases.json`.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Suite {
    format: &'static str,
    format_version: u32,
    version: &'static str,
    /// By code, the limits that cases need.
    limits: BTreeMap<String, BTreeSet<u64>>,
    requirements: BTreeMap<&'static str, Requirement>,
    cases: Vec<Described>,
}

/// What a code means.
#[derive(Serialize)]
struct Requirement {
    #[serde(skip_serializing_if = "Option::is_none")]
    level: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    derived: Option<bool>,
    severity: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    section: Option<&'static str>,
    what: &'static str,
    why: &'static str,
}

impl From<&Row> for Requirement {
    fn from(row: &Row) -> Requirement {
        let Row { level, derived, severity, section, what, why, .. } = row;
        Requirement { level: *level, derived: *derived, severity: severity.as_str(), section: *section, what, why }
    }
}

/// A case.
#[derive(Serialize)]
struct Described {
    name: String,
    title: String,
    #[serde(flatten)]
    input: Input,
    verdict: String,
    /// The number of findings of each code that have to be reported.
    must: BTreeMap<String, u64>,
    /// Those of them that are no errors here, although their requirements say so.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    warnings: BTreeSet<String>,
    /// Codes that may be reported as well.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    may: BTreeSet<String>,
    /// Requirements that are nearly violated.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    near: Vec<String>,
    /// The codes of the limits that an implementation needs for this verdict.
    #[serde(skip_serializing_if = "BTreeSet::is_empty")]
    limits: BTreeSet<String>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum Input {
    Document {
        file: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        expect: Option<&'static str>,
    },
    Package {
        file: String,
    },
    Source {
        start: Vec<String>,
        responses: BTreeMap<String, Served>,
    },
}

/// What the server of a Source responds.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Served {
    Redirect(String),
    /// The connection is closed.
    Failed(bool),
    #[serde(untagged)]
    Body {
        status: u16,
        headers: Vec<(String, String)>,
        file: String,
    },
}

/// Writes the suite into a folder.
///
/// # Errors
///
/// If a file cannot be written.
///
/// # Panics
///
/// If the corpus cannot be read.
pub fn write_suite(folder: &Path) -> io::Result<()> {
    let catalogue = Catalogue::new(Lang::En);
    let errors: BTreeSet<&str> =
        catalogue.rows().iter().filter(|row| row.severity == Severity::Error).map(|row| row.code).collect();
    let mut cases = Vec::new();
    let mut limits: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
    let mut exceeded = |expected: &Expected| {
        for demand in &expected.must {
            if let Some(limit) = demand.limit {
                limits.entry(demand.code.clone()).or_default().insert(limit);
            }
        }
    };
    for case in all().iter().filter(|case| case.is_portable()) {
        let file = format!("{}/{}", case.name(), case.file_name());
        write(folder, &file, &case.bytes())?;
        let input = match case.is_package() {
            true => Input::Package { file },
            false => Input::Document { file, expect: case.options().expect.map(|kind| kind.as_str()) },
        };
        exceeded(&case.expected);
        cases.push(described(case.name(), &case.expected, input, &errors));
    }
    for case in sources().iter().filter(|case| case.is_portable()) {
        let Some(responses) = responses(folder, case)? else { continue };
        let start = case.crawl_options(usize::MAX, false).start;
        exceeded(&case.expected);
        cases.push(described(case.name(), &case.expected, Input::Source { start, responses }, &errors));
    }
    for code in cases.iter().flat_map(|case: &Described| &case.limits) {
        limits.entry(code.clone()).or_default();
    }
    let used: BTreeSet<&str> =
        cases.iter().flat_map(|case| case.must.keys().chain(&case.may).chain(&case.near)).map(String::as_str).collect();
    let rows = catalogue.rows().iter().filter(|row| used.contains(row.code));
    let suite = Suite {
        format: "resourcesync-conformance",
        format_version: 1,
        version: env!("CARGO_PKG_VERSION"),
        limits,
        requirements: rows.map(|row| (row.code, Requirement::from(row))).collect(),
        cases,
    };
    write(folder, "cases.json", &serde_json::to_vec_pretty(&suite)?)
}

fn described(name: String, expected: &Expected, input: Input, errors: &BTreeSet<&str>) -> Described {
    let mut must = BTreeMap::new();
    let mut warnings = BTreeSet::new();
    for demand in &expected.must {
        *must.entry(demand.code.clone()).or_default() += demand.count;
        if errors.contains(&*demand.code) && demand.severity.as_deref() != Some(Severity::Error.as_str()) {
            warnings.insert(demand.code.clone());
        }
    }
    let is_error = |code: &String| errors.contains(&**code) && !warnings.contains(code);
    assert_eq!(must.keys().any(is_error), expected.verdict == "invalid", "{name}: the verdict is that of its findings");
    // What a case is about is in its name: a near miss of a limit demands nothing.
    let is_limit = |code: &&str| code.starts_with("LIM-");
    let limits = must.keys().map(String::as_str).chain(name.split('/')).filter(is_limit).map(str::to_owned).collect();
    Described {
        name,
        title: expected.title.clone(),
        input,
        verdict: expected.verdict.clone(),
        must,
        warnings,
        may: expected.may.iter().cloned().collect(),
        near: expected.near.clone(),
        limits,
    }
}

/// The responses of a Source; `None` if a server cannot show what the case is about.
fn responses(folder: &Path, case: &SourceCase) -> io::Result<Option<BTreeMap<String, Served>>> {
    let mut responses = BTreeMap::new();
    for (number, (uri, answer)) in case.web().into_iter().enumerate() {
        let served = match answer {
            Answer::Moved(to) => Served::Redirect(to),
            Answer::Failed(FetchError::NotFound { .. }) => continue,
            Answer::Failed(FetchError::Failed { .. }) => Served::Failed(true),
            Answer::Failed(_) => return Ok(None),
            // A topic that was not requested over HTTP.
            Answer::Had { headers: None, body, .. } if body.is_empty() => return Ok(None),
            Answer::Had { status, headers, body } => {
                let file = format!("{}/{number}", case.name());
                write(folder, &file, &body)?;
                Served::Body { status, headers: headers.unwrap_or_default(), file }
            }
        };
        responses.insert(uri, served);
    }
    Ok(Some(responses))
}

fn write(folder: &Path, file: &str, bytes: &[u8]) -> io::Result<()> {
    let path = folder.join(file);
    path.parent().map_or(Ok(()), fs::create_dir_all)?;
    fs::write(path, bytes)
}
