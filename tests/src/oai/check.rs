//! Plays checks of scripted providers.

use std::{collections::BTreeMap, fs, path::PathBuf};

use resourcesync::{
    diagnostic::{Reason, ReasonCode},
    report::Report,
};
use resourcesync_oai::{
    harvest::{Failure, Moment, ResponseHead},
    provider::{Call, CheckPlan, Event, Output, ProviderCheck},
};
use serde::Deserialize;

use super::provider::{Edit, Profile, Provider};

/// Steps after which a check is considered endless.
const MOST: usize = 500;

/// The case of a rule: one provider that violates it, and one that almost does.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckCase {
    /// A violation.
    pub fires: CheckVariant,
    /// A near miss.
    pub near: CheckVariant,
    /// The code.
    #[serde(skip)]
    pub code: String,
    /// Its path.
    #[serde(skip)]
    pub path: PathBuf,
}

/// A provider, and what a check finds.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckVariant {
    /// What it shows.
    pub title: String,
    /// The profile.
    #[serde(default = "plain")]
    pub profile: String,
    /// The edits.
    #[serde(default)]
    pub edits: Vec<Edit>,
    /// Limits.
    #[serde(default)]
    pub limits: BTreeMap<String, u64>,
    /// Every code with its severity, response and number.
    pub findings: Vec<String>,
}

fn plain() -> String {
    "plain".into()
}

/// All cases, by code.
pub fn check_cases() -> Vec<CheckCase> {
    let folder = crate::case::corpus().join("oai/provider");
    let mut cases: Vec<CheckCase> = fs::read_dir(folder)
        .expect("the corpus has providers")
        .map(|entry| entry.expect("an entry of the folder").path())
        .filter(|path| path.extension().is_some_and(|end| end == "json"))
        .map(|path| {
            let text = fs::read_to_string(&path).expect("a case is text");
            let mut case: CheckCase = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path:?}: {error}"));
            case.code = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            case.path = path;
            case
        })
        .collect();
    cases.sort_by(|one, other| one.code.cmp(&other.code));
    cases
}

impl CheckVariant {
    /// The provider.
    pub fn provider(&self) -> Provider {
        Provider::new(Profile::named(&self.profile), self.edits.clone())
    }

    /// The report of a check of it.
    pub fn report(&self) -> Report {
        let mut plan = CheckPlan::new(&self.base_url());
        for (name, value) in &self.limits {
            assert!(plan.limits.set(name, *value), "no limit is called {name}");
        }
        checked(&mut self.provider(), plan).report
    }

    /// The URL that is checked.
    pub fn base_url(&self) -> String {
        Profile::named(&self.profile).base_url().to_owned()
    }
}

/// A check that was played.
#[derive(Debug)]
pub struct Checked {
    /// Its report.
    pub report: Report,
    /// Its requests, in order, with the moment of each.
    pub calls: Vec<(Call, Moment)>,
}

/// Checks a provider. A status of 0 means that the connection fails, and 302 a redirect without `Location`.
pub fn checked(provider: &mut Provider, plan: CheckPlan) -> Checked {
    let base = plan.base_url.clone();
    let mut check = ProviderCheck::new(plan);
    let mut now = Moment(1_767_225_600_000);
    let mut calls = Vec::new();
    for _ in 0..MOST {
        match check.poll(now) {
            Output::Call(call) => {
                calls.push((call.clone(), now));
                let query = call.form.clone().unwrap_or_else(|| {
                    call.url.strip_prefix(&base).unwrap_or_default().trim_start_matches(['?', '&']).to_owned()
                });
                let response = provider.respond(&query, call.form.is_some(), call.identity);
                now = now.plus_millis(200);
                let header = |name: &str| response.headers.get(name).cloned();
                let failure = match response.status {
                    0 => Some((Failure::Connection, Reason::new(ReasonCode::ConnectionClosed))),
                    302 => Some((Failure::Redirect, Reason::new(ReasonCode::NoLocation).arg("status", 302_u64))),
                    _ => None,
                };
                if let Some((why, reason)) = failure {
                    check.handle(now, Event::Failed { why, reason });
                    continue;
                }
                let head = ResponseHead {
                    status: response.status,
                    content_type: header("content-type"),
                    content_encoding: header("content-encoding"),
                    retry_after: header("retry-after"),
                    date: header("date"),
                    redirects: header("redirected-to")
                        .and_then(|to| {
                            to.split_once(' ').map(|(status, to)| (status.parse().expect("a status"), to.to_owned()))
                        })
                        .into_iter()
                        .collect(),
                };
                let mut answer = check.answer(now, head);
                for window in response.body.chunks(1000) {
                    answer.push(window);
                    if answer.is_over() {
                        break;
                    }
                }
                check.handle(now, Event::Answered(answer.finish()));
            }
            Output::Wait { until, .. } => now = until,
            Output::Done => return Checked { report: check.report(), calls },
            other => panic!("{other:?}"),
        }
    }
    panic!("it does not end: {:#?}", calls.iter().rev().take(10).collect::<Vec<_>>())
}

/// The findings of a report: code, severity, number, response.
pub fn findings(report: &Report) -> Vec<String> {
    let name = |id: u64| report.inputs.get(id as usize).map_or("", |input| input.name.as_str());
    report
        .groups
        .iter()
        .map(|group| {
            let count = if group.count == 1 { String::new() } else { format!(" x{}", group.count) };
            format!("{} {}{count} {}", group.code, group.severity.as_str(), name(group.input))
        })
        .collect()
}
