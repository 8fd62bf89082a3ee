//! The file of a transcript.

use std::{collections::BTreeMap, fs, path::PathBuf};

use resourcesync_oai::{
    harvest::{Amount, Goal, MaxDelete, Moment, OnLoop, Owed, Plan, Reconcile, Start, Window},
    limits::Limits,
    page::Repair,
    request::Verb,
    stamp::Stamp,
};
use serde::Deserialize;

use super::Body;

/// A transcript.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct OaiCase {
    /// Its description.
    pub title: String,
    /// The guidelines that it tests.
    #[serde(default)]
    pub rows: Vec<String>,
    /// The plan of the harvest.
    #[serde(default)]
    pub plan: PlanText,
    /// When it begins; a minute past the usual `responseDate` by default.
    pub now: Option<String>,
    /// The responses, in order.
    pub answers: Vec<Response>,
    /// True if the last response is repeated for all further requests.
    #[serde(default)]
    pub repeat: bool,
    /// The results of comparisons with earlier harvests.
    #[serde(default)]
    pub compare: Vec<Compared>,
    /// The records that are owed, each time that they are to be determined; none without a store.
    #[serde(default)]
    pub owed: Vec<Vec<Owed>>,
    /// The exit status of the command; without it the command does not run the case.
    pub exit: Option<i32>,
    /// The expected events, line by line.
    pub lines: Vec<String>,
    /// Its path.
    #[serde(skip)]
    pub path: PathBuf,
}

/// The plan as text.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
#[allow(missing_docs)]
pub struct PlanText {
    pub base_url: Option<String>,
    pub goal: Option<String>,
    pub identifiers: Vec<String>,
    pub prefixes: Vec<String>,
    pub all_formats: bool,
    pub sets: Vec<String>,
    pub starts: Vec<Start>,
    pub since: Option<Stamp>,
    pub until: Option<Stamp>,
    pub window: Option<String>,
    pub overlap: Option<u64>,
    pub reconcile: Option<String>,
    pub reconciled: Option<Stamp>,
    pub max_delete: Option<String>,
    pub tolerance: Option<String>,
    pub allow_quarantine: u64,
    pub repair: Option<String>,
    pub delay: u64,
    pub max_wait: Option<u64>,
    pub max_records: Option<u64>,
    pub post: bool,
    pub on_loop: Option<String>,
    pub limits: BTreeMap<String, u64>,
}

/// One response.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Response {
    /// 200 by default.
    #[serde(default = "ok")]
    pub status: u16,
    /// Besides `Content-Type: text/xml`.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// The connection fails: `connection` or `timeout`, and the part received before: `nothing`, `head` or
    /// `part`.
    pub fail: Option<(String, String)>,
    /// Its duration in milliseconds; one second by default.
    #[serde(default = "second")]
    pub ms: u64,
    /// The body.
    #[serde(flatten)]
    pub body: Body,
}

/// The result of a comparison.
#[derive(Debug, Clone, Deserialize)]
#[allow(missing_docs)]
pub struct Compared {
    pub missing: u64,
    pub total: u64,
    pub sample: Vec<String>,
    #[serde(default)]
    pub lacking: u64,
    #[serde(default)]
    pub wanted: Vec<String>,
}

fn ok() -> u16 {
    200
}

fn second() -> u64 {
    1000
}

impl OaiCase {
    /// When it begins.
    pub fn begins(&self) -> Moment {
        let text = self.now.as_deref().unwrap_or("2026-01-01T00:01:00Z");
        let second = Stamp::read(text).unwrap_or_else(|| panic!("{text} is no second"));
        Moment(second.unix().unsigned_abs() * 1000)
    }

    /// The name of the file, without its ending.
    pub fn name(&self) -> String {
        self.path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// The plan it describes.
    pub fn plan(&self) -> Plan {
        let own = &self.plan;
        let mut plan = Plan::new(own.base_url.as_deref().unwrap_or("http://a.example/oai"));
        plan.goal = match own.goal.as_deref() {
            None => Goal::Harvest,
            Some("identify") => Goal::Identify,
            Some("sets") => Goal::List(Verb::ListSets),
            Some("identifiers") => Goal::List(Verb::ListIdentifiers),
            Some("get") => Goal::Get(own.identifiers.clone()),
            Some(other) => panic!("no goal is called {other}"),
        };
        plan.prefixes.clone_from(&own.prefixes);
        plan.all_formats = own.all_formats;
        plan.sets.clone_from(&own.sets);
        let reconciled = own.reconciled.map_or(self.begins(), |stamp| Moment(stamp.unix().unsigned_abs() * 1000));
        plan.starts = own.starts.iter().map(|start| Start { reconciled: Some(reconciled), ..start.clone() }).collect();
        (plan.since, plan.until) = (own.since, own.until);
        if let Some(window) = &own.window {
            plan.window = Window::ALL.iter().find(|(name, _)| name == window).expect("a window").1;
        }
        plan.overlap = own.overlap;
        plan.reconcile = match own.reconcile.as_deref() {
            None => Reconcile::Auto,
            Some("never") => Reconcile::Never,
            Some("now") => Reconcile::Now,
            Some(seconds) => Reconcile::Every(seconds.parse().expect("seconds")),
        };
        plan.max_delete = match own.max_delete.as_deref() {
            None => MaxDelete::Default,
            Some("all") => MaxDelete::All,
            Some(amount) => MaxDelete::Most(Amount::read(amount).expect("an amount")),
        };
        plan.tolerance =
            own.tolerance.as_deref().map_or(Amount::Count(0), |text| Amount::read(text).expect("an amount"));
        plan.allow_quarantine = own.allow_quarantine;
        if let Some(repair) = &own.repair {
            plan.repair = Repair::ALL.iter().find(|(name, _)| name == repair).expect("a repair").1;
        }
        plan.delay = own.delay;
        plan.max_wait = own.max_wait;
        plan.max_records = own.max_records;
        plan.post = own.post;
        plan.on_loop = if own.on_loop.as_deref() == Some("window") { OnLoop::Window } else { OnLoop::Stop };
        plan.limits = self.limits();
        plan
    }

    fn limits(&self) -> Limits {
        let mut limits = Limits::default();
        for (name, value) in &self.plan.limits {
            assert!(limits.set(name, *value), "no limit is called {name}");
        }
        limits
    }
}

/// All transcripts, by name.
pub fn cases() -> Vec<OaiCase> {
    let folder = crate::case::corpus().join("oai");
    let mut cases: Vec<OaiCase> = fs::read_dir(folder)
        .expect("the corpus has transcripts")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a transcript is text");
            let mut case: OaiCase = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            case.path = path;
            case
        })
        .collect();
    cases.sort_by_key(OaiCase::name);
    cases
}
