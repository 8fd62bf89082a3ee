//! Runs on a small Source.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec,
    vec::Vec,
};

use super::*;
use crate::report::PlanKind;

const BASE: &str = "http://a.example/";
const NOW: i64 = 1_767_225_600;

/// A Source with resources, and changes with their times.
#[derive(Default)]
struct Source {
    at: &'static str,
    resources: BTreeMap<&'static str, &'static str>,
    from: &'static str,
    changes: Vec<(&'static str, &'static str, &'static str)>,
}

impl Source {
    fn document(&self, uri: &str) -> Option<String> {
        let head = "<urlset xmlns=\"http://www.sitemaps.org/schemas/sitemap/0.9\" xmlns:rs=\"http://www.openarchives.org/rs/terms/\">";
        let up = |name: &str| format!("<rs:ln rel=\"up\" href=\"{BASE}{name}\"/>");
        let inner = match uri.strip_prefix(BASE)? {
            ".well-known/resourcesync" => format!(
                "<rs:md capability=\"description\"/><url><loc>{BASE}capabilitylist.xml</loc><rs:md capability=\"capabilitylist\"/></url>"
            ),
            "capabilitylist.xml" => format!(
                "{}<rs:md capability=\"capabilitylist\"/><url><loc>{BASE}resourcelist.xml</loc><rs:md capability=\"resourcelist\"/></url>\
                 <url><loc>{BASE}changelist.xml</loc><rs:md capability=\"changelist\"/></url>",
                up(".well-known/resourcesync")
            ),
            "resourcelist.xml" => {
                let entry = |(name, hash): (&&str, &&str)| {
                    format!(
                        "<url><loc>{BASE}{name}</loc><lastmod>2025-01-01T00:00:00Z</lastmod><rs:md hash=\"md5:{hash}\" length=\"7\"/></url>"
                    )
                };
                let entries: String = self.resources.iter().map(entry).collect();
                format!("{}<rs:md capability=\"resourcelist\" at=\"{}\"/>{entries}", up("capabilitylist.xml"), self.at)
            }
            "changelist.xml" => {
                let entry = |(at, change, name): &(&str, &str, &str)| {
                    let hash = self
                        .resources
                        .get(name)
                        .map_or(String::new(), |hash| format!(" hash=\"md5:{hash}\" length=\"7\""));
                    format!("<url><loc>{BASE}{name}</loc><rs:md change=\"{change}\" datetime=\"{at}\"{hash}/></url>")
                };
                let entries: String = self.changes.iter().map(entry).collect();
                format!(
                    "{}<rs:md capability=\"changelist\" from=\"{}\"/>{entries}",
                    up("capabilitylist.xml"),
                    self.from
                )
            }
            _ => return None,
        };
        Some(format!("{head}{inner}</urlset>"))
    }
}

const A: &str = "1584abdf8ebdc9802ac0c6a7402c03b1";
const B: &str = "1584abdf8ebdc9802ac0c6a7402c03b2";

fn source() -> Source {
    Source {
        at: "2025-06-01T00:00:00Z",
        resources: [("old", A), ("changed", B), ("new", A)].into(),
        from: "2025-01-01T00:00:00Z",
        changes: vec![
            ("2025-02-01T00:00:00Z", "updated", "changed"),
            ("2025-03-01T00:00:00Z", "created", "new"),
            ("2025-04-01T00:00:00Z", "deleted", "gone"),
        ],
    }
}

fn options(checkpoint: Option<PullCheckpoint>) -> PullOptions {
    PullOptions { uri: BASE.to_string(), checkpoint, now: NOW, ..PullOptions::default() }
}

/// Answers a request.
fn respond(source: &Source, request: &Request) -> (Head, Vec<u8>) {
    let body = source.document(&request.uri);
    let status = if body.is_some() { 200 } else { 404 };
    (Head { uri: request.uri.clone(), status, headers: Vec::new() }, body.unwrap_or_default().into_bytes())
}

fn run(source: &Source, options: PullOptions) -> (Vec<String>, Pulled) {
    let mut pull = Pull::new(options).unwrap();
    let mut taken = Vec::new();
    for _ in 0..1_000 {
        match pull.next() {
            PullStep::Read { request } => {
                let (head, body) = respond(source, &request);
                pull.answer(head);
                body.chunks(100).for_each(|bytes| pull.push(bytes));
                pull.end();
            }
            PullStep::Resource { resource: PulledResource { change, resource } } => {
                let name = resource.uri.strip_prefix(BASE).unwrap_or(&resource.uri);
                taken.push(format!("{change:?} {name}").to_lowercase());
            }
            PullStep::Done => {
                taken.sort();
                return (taken, pull.finish("2026-01-01T00:00:00Z"));
            }
        }
    }
    panic!("it does not end")
}

fn forecast(source: &Source, since: &str) -> Outlook {
    let mut forecast = Forecast::new(options(None), Some(since.to_string())).unwrap();
    for _ in 0..1_000 {
        let Some(request) = forecast.next() else { return forecast.finish().unwrap() };
        let (head, body) = respond(source, &request);
        forecast.answer(head);
        forecast.push(&body);
        forecast.end();
    }
    panic!("it does not end")
}

#[test]
fn a_program_takes_what_it_does_not_have() {
    let mut own = source();
    let (taken, pulled) = run(&own, options(None));
    assert_eq!(taken, ["created changed", "created new", "created old"]);
    assert_eq!(pulled.report.run.outcome.as_str(), "in-step", "{:?}", pulled.report.diagnostics);
    let checkpoint = pulled.checkpoint.unwrap();
    let text = serde_json::to_string(&checkpoint).unwrap();
    assert_eq!(serde_json::from_str::<PullCheckpoint>(&text).unwrap(), checkpoint);
    let (taken, pulled) = run(&own, options(Some(checkpoint)));
    assert_eq!(taken, [""; 0]);
    own.changes.push(("2025-07-01T00:00:00Z", "deleted", "old"));
    own.changes.push(("2025-07-02T00:00:00Z", "created", "newer"));
    own.resources.remove("old");
    own.resources.insert("newer", A);
    own.at = "2025-07-02T00:00:00Z";
    let (taken, pulled) = run(&own, options(pulled.checkpoint));
    assert_eq!(taken, ["created newer", "deleted old"]);
    let (taken, _) = run(&own, PullOptions { full: true, ..options(pulled.checkpoint) });
    assert_eq!(taken, [""; 0]);
}

#[test]
fn a_dry_run_says_what_would_be_done_and_leaves_no_checkpoint() {
    let (taken, pulled) = run(&source(), PullOptions { dry_run: true, ..options(None) });
    assert_eq!((taken.len(), pulled.checkpoint), (0, None));
    let plan = pulled.report.plan.unwrap();
    assert_eq!((plan.requests, plan.bytes, plan.why.as_str()), (3, 21, "first-run"));
    assert!(pulled.report.run.dry_run);
}

#[test]
fn deletions_are_withheld_by_the_guard() {
    let mut own = source();
    let names: Vec<&'static str> = (0..100).map(|name| &*format!("r{name:03}").leak()).collect();
    own.resources = names.iter().map(|name| (*name, A)).collect();
    own.changes.clear();
    let (_, pulled) = run(&own, options(None));
    own.resources = names.iter().take(10).map(|name| (*name, A)).collect();
    own.at = "2025-07-01T00:00:00Z";
    let (taken, again) = run(&own, PullOptions { full: true, ..options(pulled.checkpoint.clone()) });
    assert_eq!(taken, [""; 0]);
    assert!(again.report.withheld.is_some());
    let all = PullOptions { full: true, max_delete: Some("100%".into()), ..options(pulled.checkpoint) };
    assert_eq!(run(&own, all).0.len(), 90);
}

#[test]
fn a_copy_of_the_past_continues_by_changes_or_by_lists() {
    let outlook = forecast(&source(), "2025-02-15T00:00:00Z");
    assert_eq!(outlook.first.plan.map(|plan| plan.requests), Some(3));
    let next = outlook.next.unwrap();
    let plan = next.plan.unwrap();
    assert_eq!((plan.kind, plan.requests), (PlanKind::Changes, 1), "{:?}", plan.why);
    assert_eq!((next.counts.created, next.counts.updated, next.counts.deleted), (1, 0, 1));
    // Everything is known from the beginning of the Change List on.
    let next = forecast(&source(), "2025-01-01T00:00:00Z").next.unwrap();
    assert_eq!((next.counts.created, next.counts.updated, next.counts.deleted), (1, 1, 1));
    // Before, the Resource List decides, and what cannot be known is fetched.
    let next = forecast(&source(), "2024-06-01T00:00:00Z").next.unwrap();
    let plan = next.plan.unwrap();
    assert_eq!((plan.kind, plan.why.as_str()), (PlanKind::List, "gap"));
    assert!(plan.requests >= 2);
    assert!(Forecast::new(options(None), Some("yesterday".into())).is_err());
}

#[test]
fn a_checkpoint_belongs_to_one_source() {
    let (_, pulled) = run(&source(), options(None));
    let other = PullOptions { uri: "http://b.example/".into(), ..options(pulled.checkpoint.clone()) };
    assert!(Pull::new(other).is_err());
    let mut newer = pulled.checkpoint.unwrap();
    newer.format_version = 2;
    assert!(Pull::new(options(Some(newer))).is_err());
}

#[test]
fn a_package_is_held_up_to_its_limit() {
    let mut body = Body::default();
    for (more, held) in
        [("ab", Some("ab")), ("", Some("ab")), ("cd", Some("abcd")), ("e", None), ("", None), ("f", None)]
    {
        body.push(more.as_bytes(), 4);
        assert_eq!(body.bytes.as_deref(), held.map(str::as_bytes));
    }
}
