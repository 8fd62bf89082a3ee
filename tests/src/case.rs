//! One case: a folder with `case.json`, an input, and the report expected.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::{Options, Source},
    limits::Limits,
    model::Kind,
    report::{Profile, Selection, Via},
};
use serde::Deserialize;

use crate::generate::Generate;

/// The contents of `case.json`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Case {
    /// What the case shows.
    pub title: String,
    /// The input's file name, unless it is generated.
    #[serde(default)]
    input: Option<String>,
    #[serde(default)]
    generate: Option<Generate>,
    /// Options of the run.
    #[serde(default)]
    pub options: Settings,
    /// `valid`, `invalid` or `undetermined`.
    pub verdict: String,
    /// Findings every validator has to make.
    pub must: Vec<Must>,
    /// Findings a validator may make besides.
    #[serde(default)]
    pub may: Vec<Must>,
    /// Requirements this case nearly, but not, violates.
    #[serde(default)]
    pub near: Vec<String>,
    /// Where this document comes from, if it is not our own.
    #[serde(default)]
    pub origin: Option<String>,
    /// The folder.
    #[serde(skip)]
    pub folder: PathBuf,
}

/// Options of a case.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Settings {
    expect: Option<String>,
    profile: Option<String>,
    via: Option<String>,
    name: Option<String>,
    #[serde(default)]
    no_fixity: bool,
    #[serde(default)]
    limits: BTreeMap<String, u64>,
}

/// A finding that is expected.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Must {
    /// Its code.
    pub code: String,
    /// Its severity.
    #[serde(default)]
    pub severity: Option<String>,
    /// How often.
    #[serde(default)]
    pub count: Option<u64>,
    /// The line of the first.
    #[serde(default)]
    pub line: Option<u32>,
    /// The column of the first.
    #[serde(default)]
    pub column: Option<u32>,
    /// The path of the first.
    #[serde(default)]
    pub path: Option<String>,
    /// Arguments of the first.
    #[serde(default)]
    pub args: BTreeMap<String, serde_json::Value>,
}

impl Must {
    /// True if it says only what and how often.
    pub fn is_bare(&self) -> bool {
        let Must { code: _, count: _, severity, line, column, path, args } = self;
        severity.is_none() && line.is_none() && column.is_none() && path.is_none() && args.is_empty()
    }
}

/// The folder of the corpus.
pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// All cases, sorted by folder.
///
/// # Panics
///
/// If the corpus cannot be read.
pub fn all() -> Vec<Case> {
    let mut cases = Vec::new();
    gather(&corpus(), &mut cases);
    cases.sort_by(|a: &Case, b: &Case| a.folder.cmp(&b.folder));
    cases
}

fn gather(folder: &Path, cases: &mut Vec<Case>) {
    let file = folder.join("case.json");
    if file.is_file() {
        let text = fs::read_to_string(&file).expect("case.json can be read");
        let mut case: Case = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
        case.folder = folder.to_path_buf();
        return cases.push(case);
    }
    for entry in fs::read_dir(folder).expect("the corpus can be read") {
        let path = entry.expect("the corpus can be read").path();
        // Whole Sources have a form of their own.
        if path.is_dir() && path != corpus().join("set") {
            gather(&path, cases);
        }
    }
}

impl Case {
    /// The name: the folder within the corpus.
    pub fn name(&self) -> String {
        let path = self.folder.strip_prefix(corpus()).unwrap_or(&self.folder);
        path.to_string_lossy().replace('\\', "/")
    }

    /// The bytes of the input.
    ///
    /// # Panics
    ///
    /// If the case names no input.
    pub fn bytes(&self) -> Vec<u8> {
        match (&self.input, &self.generate) {
            (Some(input), None) => fs::read(self.folder.join(input)).expect("the input can be read"),
            (None, Some(generate)) => generate.bytes(),
            _ => panic!("{}: exactly one of input and generate", self.name()),
        }
    }

    /// True if the input is not in the folder but made to measure.
    pub fn is_generated(&self) -> bool {
        self.generate.is_some()
    }

    /// True if the input is to be verified as a package.
    pub fn is_package(&self) -> bool {
        matches!(self.generate, Some(Generate::Package { .. }))
    }

    /// Where the input is said to come from.
    pub fn source(&self) -> Source {
        let via = match self.options.via.as_deref() {
            Some("folder") => Via::Folder,
            _ => Via::Argument,
        };
        let generated = if self.is_package() { "package.zip" } else { "generated.xml" };
        let name = self.options.name.as_deref().or(self.input.as_deref()).unwrap_or(generated);
        Source { via, ..Source::named(name) }
    }

    /// The options of the run.
    ///
    /// # Panics
    ///
    /// If the case names a kind or profile that does not exist.
    pub fn options(&self) -> Options {
        let mut options = Options::default();
        if let Some(name) = &self.options.expect {
            options.expect = Some(Kind::find(name).expect("a kind of design 4.1"));
        }
        if let Some(name) = &self.options.profile {
            options.profile = Profile::find(name).expect("a profile");
            options.selection = Selection::new(options.profile, &[], &[], &[]);
        }
        options.no_fixity = self.options.no_fixity;
        for (name, value) in &self.options.limits {
            set(&mut options.limits, name, *value);
        }
        options
    }
}

fn set(limits: &mut Limits, name: &str, value: u64) {
    assert!(limits.set(name, value), "no limit is called {name}");
}
