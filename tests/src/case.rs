//! A case of one document or one package.

use std::{
    collections::BTreeMap,
    fs,
    path::{Path, PathBuf},
};

use resourcesync::{
    api::{InputOrigin, Options, Run, Validation},
    limits::Limits,
    model::Kind,
    report::{Profile, Report, Selection, Via},
};
use serde::Deserialize;

use crate::{
    expected::{self, Expected},
    file::CaseFile,
    generate::Generate,
    verify,
};

/// A document or a package, and the expected report.
#[derive(Debug)]
pub struct Case {
    /// The expected report.
    pub expected: Expected,
    input: Input,
    settings: Option<Settings>,
    path: PathBuf,
}

/// The location of the bytes of a case.
#[derive(Debug)]
enum Input {
    /// In the case file.
    Inline(Vec<u8>),
    /// In a file next to it.
    File(PathBuf),
    /// Generated from a description.
    Generated(Generate),
}

/// Options of a case.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    expect: Option<String>,
    profile: Option<String>,
    via: Option<String>,
    name: Option<String>,
    #[serde(default)]
    no_fixity: bool,
    #[serde(default)]
    limits: BTreeMap<String, u64>,
}

/// The folder of the corpus.
pub fn corpus() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// All cases of one document or package, sorted by name.
///
/// # Panics
///
/// If the corpus cannot be read.
pub fn all() -> Vec<Case> {
    let mut cases: Vec<Case> =
        ["doc", "field", "spec", "zip"].iter().flat_map(|part| files(&corpus().join(part))).map(Case::load).collect();
    cases.sort_by(|one, other| one.path.cmp(&other.path));
    cases
}

/// The case files below a folder.
pub(crate) fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).expect("the corpus can be read") {
        let path = entry.expect("the corpus can be read").path();
        if path.is_dir() {
            all.extend(files(&path));
        } else if path.extension().is_some_and(|extension| extension == "case") {
            all.push(path);
        }
    }
    all
}

/// The name of a case: its path in the corpus, without the ending.
pub(crate) fn name(path: &Path) -> String {
    let path = path.strip_prefix(corpus()).unwrap_or(path).with_extension("");
    path.to_string_lossy().replace('\\', "/")
}

impl Case {
    fn load(path: PathBuf) -> Case {
        let file = CaseFile::load(&path);
        file.allow(&[&expected::KEYS[..], &["options", "file", "generate"]].concat());
        let parse = |problem: serde_json::Error| -> ! { panic!("{}: {problem}", path.display()) };
        let settings =
            file.get("options").map(|json| serde_json::from_str(json).unwrap_or_else(|problem| parse(problem)));
        let expected = Expected::read(&file, &path, false);
        let input = match (file.get("file"), file.get("generate")) {
            (Some(name), None) => Input::File(path.with_file_name(name)),
            (None, Some(json)) => Input::Generated(serde_json::from_str(json).unwrap_or_else(|problem| parse(problem))),
            (None, None) => Input::Inline(file.body),
            (Some(_), Some(_)) => panic!("{}: a file, and something else to generate", path.display()),
        };
        Case { expected, input, settings, path }
    }

    /// The name: the path in the corpus.
    pub fn name(&self) -> String {
        name(&self.path)
    }

    /// The bytes of the input.
    ///
    /// # Panics
    ///
    /// If its file cannot be read.
    pub fn bytes(&self) -> Vec<u8> {
        match &self.input {
            Input::Inline(bytes) => bytes.clone(),
            Input::File(path) => fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())),
            Input::Generated(generate) => generate.bytes(),
        }
    }

    /// True if the input is to be verified as a package.
    pub fn is_package(&self) -> bool {
        matches!(self.input, Input::Generated(Generate::Package { .. }))
    }

    /// True if the case is about options of the run.
    pub fn has_options(&self) -> bool {
        self.settings.is_some()
    }

    /// The name of the input as a file.
    pub fn file_name(&self) -> String {
        match &self.input {
            Input::Inline(_) => "input.xml".into(),
            Input::File(path) => path.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            Input::Generated(Generate::Package { .. }) => "package.zip".into(),
            Input::Generated(_) => "generated.xml".into(),
        }
    }

    /// True if no option is chosen but the kind that is expected.
    pub fn is_portable(&self) -> bool {
        self.settings.as_ref().is_none_or(|own| *own == Settings { expect: own.expect.clone(), ..Settings::default() })
    }

    /// The origin of the input.
    pub fn source(&self) -> InputOrigin {
        let settings = self.settings.clone().unwrap_or_default();
        let via = match settings.via.as_deref() {
            Some("folder") => Via::Folder,
            _ => Via::Argument,
        };
        InputOrigin { via, ..InputOrigin::named(settings.name.unwrap_or_else(|| self.file_name())) }
    }

    /// The options of the run.
    ///
    /// # Panics
    ///
    /// If the case names a kind or profile that does not exist.
    pub fn options(&self) -> Options {
        let settings = self.settings.clone().unwrap_or_default();
        let mut options = Options::default();
        if let Some(name) = &settings.expect {
            options.expect = Some(Kind::find(name).expect("a kind of design 4.1"));
        }
        if let Some(name) = &settings.profile {
            options.profile = Profile::find(name).expect("a profile");
            options.selection = Selection::new(options.profile, &[], &[], &[]);
        }
        options.no_fixity = settings.no_fixity;
        for (name, value) in &settings.limits {
            set(&mut options.limits, name, *value);
        }
        options
    }

    /// The report, with windows or blocks of `window` bytes.
    pub fn report(&self, window: usize) -> Report {
        let (bytes, options) = (self.bytes(), self.options());
        if self.is_package() {
            return verify(&bytes, self.source(), &options, window);
        }
        let mut validation = Validation::new(&options, self.source());
        bytes.chunks(window.min(bytes.len().max(1))).for_each(|window| validation.push(window));
        let mut run = Run::new(&options);
        run.add(validation.finish());
        run.finish()
    }
}

fn set(limits: &mut Limits, name: &str, value: u64) {
    assert!(limits.set(name, value), "no limit is called {name}");
}
