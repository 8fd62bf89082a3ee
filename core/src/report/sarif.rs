//! SARIF 2.1.0: the results of a report for code scanning.

use alloc::{
    collections::BTreeMap,
    format,
    string::{String, ToString},
    vec::Vec,
};

use serde_json::{Map, Value, json};

use super::{
    Diagnostic, Excerpt, Input, Lang, Report, Status, TextSpan, Verdict,
    escape::{json_pretty, visible},
    outline::{Outline, index, input, name, outermost},
    sarif_rule::{self, level},
    sarif_uri::uri,
};
use crate::model::Kind;

/// Maximum results; consumers reject files with more.
const MAX_RESULTS: usize = 5_000;
/// Unicode scalar values, like the columns of a report.
const COLUMNS: &str = "unicodeCodePoints";

pub(super) fn render(report: &Report) -> String {
    let kept = kept(report);
    let mut codes: BTreeMap<&str, usize> = kept.iter().map(|found| (&*found.code, 0)).collect();
    for (at, index) in codes.values_mut().enumerate() {
        *index = at;
    }
    let first = |code: &&str| kept.iter().find(|found| found.code == **code);
    let rules: Vec<Value> =
        codes.keys().filter_map(first).map(|found| sarif_rule::rule(found, &report.family)).collect();
    let outline = Outline::new(report, Lang::En);
    let results: Vec<Value> =
        kept.iter().map(|found| result(&outline, found, codes.get(&*found.code).copied().unwrap_or(0))).collect();
    let run = json!({
        "tool": {"driver": {
            "name": report.tool.name,
            "version": report.tool.version,
            "semanticVersion": report.tool.version,
            "rules": rules,
        }},
        "columnKind": COLUMNS,
        "artifacts": report.inputs.iter().map(|input| artifact(report, input)).collect::<Vec<_>>(),
        "invocations": [{
            "executionSuccessful": report.run.status == Status::Completed,
            "toolExecutionNotifications": notifications(&outline, kept.len()),
        }],
        "results": results,
        "properties": properties(report),
    });
    let log = json!({
        "$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
        "version": "2.1.0",
        "runs": [run],
    });
    json_pretty(&log).unwrap_or_default()
}

fn properties(report: &Report) -> Map<String, Value> {
    let mut bag = Map::new();
    let mut put = |name: &str, value: Value| bag.insert(name.to_string(), value);
    put("verdict", json!(report.verdict));
    if report.after_filters {
        put("afterFilters", json!(true));
    }
    put("summary", json!(report.summary));
    put("profile", json!(report.run.profile));
    if let Some(configuration) = &report.run.configuration {
        put("configuration", json!(configuration));
    }
    if let Some(subject) = &report.run.subject {
        put("subject", json!(subject));
    }
    if !report.suppressed.is_empty() {
        put("suppressed", json!(report.suppressed));
    }
    bag
}

/// The findings to write, in the order of the report: all, or the most severe.
fn kept(report: &Report) -> Vec<&Diagnostic> {
    let mut places: Vec<usize> = (0..report.diagnostics.len()).collect();
    places.sort_by_key(|at| report.diagnostics.get(*at).map(|found| core::cmp::Reverse(found.severity)));
    places.truncate(MAX_RESULTS);
    places.sort_unstable();
    places.into_iter().filter_map(|at| report.diagnostics.get(at)).collect()
}

fn result(outline: &Outline<'_>, found: &Diagnostic, rule: usize) -> Value {
    let report = outline.report;
    let mut text = visible(&found.message);
    // The location is that of the package, since its members have no lines in it.
    if let (Some(inside), Some(span)) = (nested(report, found.input), found.span) {
        text = format!("{}:{}:{}: {text}", visible(&name(report, inside.id)), span.start.line, span.start.column);
    }
    if !found.help.is_empty() {
        text = format!("{text}\nhelp: {}", visible(&found.help));
    }
    let mut properties = json!({"args": found.args});
    if let (Some(entry), Value::Object(bag)) = (&found.entry, &mut properties) {
        bag.insert("entry".to_string(), json!(entry));
    }
    let related: Vec<Value> = found
        .related
        .iter()
        .enumerate()
        .map(|(at, related)| {
            let mut place = location(report, related.input, Some(&related.span), None, None);
            place.insert("id".to_string(), json!(at));
            place.insert("message".to_string(), json!({"text": outline.related(found, related)}));
            Value::Object(place)
        })
        .collect();
    let mut result = json!({
        "ruleId": found.code,
        "ruleIndex": rule,
        "level": level(found.severity),
        "message": {"text": text},
        "locations": [location(report, found.input, found.span.as_ref(), found.excerpt.as_ref(), found.path.as_deref())],
        "partialFingerprints": {"resourcesync/v1": found.fingerprint},
        "properties": properties,
    });
    if let (false, Value::Object(fields)) = (related.is_empty(), &mut result) {
        fields.insert("relatedLocations".to_string(), Value::Array(related));
    }
    result
}

fn location(
    report: &Report,
    id: u64,
    span: Option<&TextSpan>,
    excerpt: Option<&Excerpt>,
    path: Option<&str>,
) -> Map<String, Value> {
    let mut place = Map::new();
    let mut physical = Map::new();
    if let Some(outer) = outermost(report, id) {
        physical.insert("artifactLocation".to_string(), json!({"uri": uri(outer), "index": index(report, outer.id)}));
    }
    if let (Some(span), None) = (span, nested(report, id)) {
        let mut region = json!({
            "startLine": span.start.line.max(1),
            "startColumn": span.start.column.max(1),
            "endLine": span.end.line.max(1),
            "endColumn": span.end.column.max(1),
        });
        // An excerpt is part of one line; findings beyond it have no snippet.
        if let (Some((text, context)), Value::Object(region)) =
            (excerpt.and_then(|excerpt| snippet(span, excerpt)), &mut region)
        {
            region.insert("snippet".to_string(), json!({"text": text}));
            physical.insert("contextRegion".to_string(), context);
        }
        physical.insert("region".to_string(), region);
    }
    if !physical.is_empty() {
        place.insert("physicalLocation".to_string(), Value::Object(physical));
    }
    let inside = nested(report, id).map(|_| name(report, id));
    if path.is_some() || inside.is_some() {
        let path = path.unwrap_or("");
        let is_attribute = path.rsplit('/').next().is_some_and(|step| step.starts_with('@'));
        let qualified = format!("{}{path}", inside.unwrap_or_default());
        let kind = if is_attribute { "attribute" } else { "element" };
        place.insert("logicalLocations".to_string(), json!([{"fullyQualifiedName": qualified, "kind": kind}]));
    }
    place
}

/// The text of a span and the region around it, if the excerpt contains both completely.
fn snippet(span: &TextSpan, excerpt: &Excerpt) -> Option<(String, Value)> {
    let length = u32::try_from(excerpt.text.chars().count()).ok()?;
    let end = excerpt.column.checked_add(length)?;
    let one_line = span.start.line == excerpt.line && span.end.line == excerpt.line;
    let within = excerpt.column <= span.start.column && span.end.column <= end;
    let from = span.start.column.checked_sub(excerpt.column)?;
    let to = span.end.column.checked_sub(excerpt.column)?;
    let text = excerpt.text.chars().take(to as usize).skip(from as usize).collect();
    let context = json!({
        "startLine": excerpt.line.max(1),
        "startColumn": excerpt.column.max(1),
        "endLine": excerpt.line.max(1),
        "endColumn": end.max(1),
        "snippet": {"text": excerpt.text},
    });
    (one_line && within).then_some((text, context))
}

/// The input, if it is inside another one.
fn nested(report: &Report, id: u64) -> Option<&Input> {
    input(report, id).filter(|own| outermost(report, id).is_some_and(|outer| outer.id != own.id))
}

fn artifact(report: &Report, own: &Input) -> Value {
    let mime = match own.kind {
        Kind::Package => "application/zip",
        Kind::Html => "text/html",
        Kind::Robots => "text/plain",
        _ => "application/xml",
    };
    let mut artifact = json!({
        "location": {"uri": uri(own)},
        "mimeType": mime,
        "properties": {"kind": own.kind, "via": own.via, "verdict": own.verdict, "entries": own.entries, "bytes": own.bytes},
    });
    let parent = own.package().and_then(|parent| input(report, parent)).filter(|parent| parent.id != own.id);
    if let (Some(parent), Value::Object(fields)) = (parent, &mut artifact) {
        fields.insert("parentIndex".to_string(), json!(index(report, parent.id)));
    }
    artifact
}

/// Notifications: information that the results do not contain.
fn notifications(outline: &Outline<'_>, written: usize) -> Vec<Value> {
    let report = outline.report;
    let note = |level: &str, text: String| json!({"level": level, "message": {"text": text}});
    let mut notes = Vec::new();
    let open = if report.verdict == Verdict::Undetermined { "error" } else { "warning" };
    notes.extend(outline.gaps().into_iter().map(|gap| note(open, gap)));
    let left = report.diagnostics.len().saturating_sub(written);
    if left > 0 {
        let stored = report.diagnostics.len();
        let text =
            format!("{left} of {stored} stored findings are not in this file; it holds the gravest {MAX_RESULTS}");
        notes.push(note("warning", text));
    }
    for group in report.groups.iter().filter(|group| group.stored < group.count) {
        let more = group.count.saturating_sub(group.stored);
        let name = visible(&name(report, group.input));
        let code = visible(&group.code);
        let text = format!("{more} more {code} in {name} were counted and not stored; --max-per-rule 0 stores all");
        notes.push(note("note", text));
    }
    notes.extend(outline.filters().into_iter().map(|line| note("note", line)));
    notes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        diagnostic::Severity,
        report::{Via, sample},
    };

    fn read(report: &Report) -> Value {
        serde_json::from_str(&render(report)).unwrap()
    }

    #[test]
    fn a_result_says_where_and_what() {
        let log = read(&sample::one());
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["ruleId"], "AT-07");
        assert_eq!(result["level"], "error");
        let place = &result["locations"][0]["physicalLocation"];
        let region =
            json!({"startLine": 37, "startColumn": 18, "endLine": 37, "endColumn": 25, "snippet": {"text": "md5:xyz"}});
        assert_eq!(place["region"], region);
        assert_eq!(
            (&place["contextRegion"]["startColumn"], &place["contextRegion"]["endColumn"]),
            (&json!(5), &json!(42))
        );
        assert_eq!(result["locations"][0]["logicalLocations"][0]["kind"], "attribute");
        assert_eq!(log["runs"][0]["tool"]["driver"]["rules"][0]["name"], "digest-length");
    }

    #[test]
    fn a_finding_inside_a_package_is_placed_at_the_package() {
        let mut report = sample::one();
        report.inputs[0].name = "dump.zip".into();
        report.inputs.push(Input {
            id: 1,
            parent: Some(0),
            name: "manifest.xml".into(),
            via: Via::Zip,
            ..sample::input(1)
        });
        report.diagnostics[0].input = 1;
        let log = read(&report);
        let result = &log["runs"][0]["results"][0];
        assert_eq!(result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"], "dump.zip");
        assert!(result["locations"][0]["physicalLocation"]["region"].is_null());
        assert!(result["message"]["text"].as_str().unwrap().starts_with("dump.zip!/manifest.xml:37:18: "));
        assert_eq!(log["runs"][0]["artifacts"][1]["parentIndex"], 0);
    }

    #[test]
    fn the_gravest_results_are_kept_and_the_rest_is_said() {
        let mut report = sample::one();
        let error = report.diagnostics[0].clone();
        let info = Diagnostic { severity: Severity::Info, code: "AT-13".into(), ..error.clone() };
        report.diagnostics = alloc::vec![info; 5_000];
        report.diagnostics.push(error);
        let log = read(&report);
        let results = log["runs"][0]["results"].as_array().unwrap();
        assert_eq!(results.len(), 5_000);
        assert_eq!(results[4_999]["level"], "error");
        let note = &log["runs"][0]["invocations"][0]["toolExecutionNotifications"][0];
        assert!(note["message"]["text"].as_str().unwrap().starts_with("1 of 5001 stored findings"));
    }
}
