//! What a builder accepts validates without a finding; what it refuses leaves everything as it was.
#![allow(clippy::unwrap_used)] // helpers of tests, too

use resourcesync::{
    api::{self, Builder, Options, Source, plain, validate},
    limits::Limits,
    model::Kind,
    report::Verdict,
};
use serde_json::json;

fn head(value: serde_json::Value) -> plain::Head {
    serde_json::from_value(value).unwrap()
}

fn entry(value: serde_json::Value) -> plain::Entry {
    serde_json::from_value(value).unwrap()
}

fn list() -> Builder {
    let head = head(
        json!({"at": "2024-05-01T00:00:00Z", "links": [{"rel": "up", "href": "http://example.com/capabilitylist.xml"}]}),
    );
    Builder::new(Kind::ResourceList, &head, &Options::default()).unwrap()
}

/// The document built, after it was validated.
fn built(builder: Builder) -> String {
    let text = builder.finish().unwrap();
    let report = validate(text.as_bytes(), Source::named("built.xml"), &Options::default());
    assert_eq!((report.verdict, report.diagnostics), (Verdict::Valid, vec![]), "{text}");
    text
}

#[test]
fn everything_an_entry_can_say_is_read_back() {
    let full = entry(json!({
        "uri": "http://example.com/res1?a=1&b=%3C", "lastmod": "2024-04-30T10:00:00Z", "changefreq": "weekly", "priority": "0.8",
        "hashes": {"md5": "1584abdf8ebdc9802ac0c6a7402c03b6", "sha-1": "0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a"},
        "length": 8876, "type": "text/html; charset=utf-8", "encoding": "gzip",
        "links": [
            {"rel": "duplicate", "href": "http://mirror.example.com/res1", "pri": 1, "modified": "2024-04-30T10:00:00Z"},
            {"rel": "alternate", "href": "http://example.com/res1.ja", "type": "text/html", "length": 3,
             "attributes": [{"name": "lang", "namespace": "http://www.w3.org/XML/1998/namespace", "prefix": "xml", "value": "日本 & \"<\n"}]},
        ],
        "attributes": [{"name": "x", "namespace": "http://example.com/own", "prefix": "rs", "value": "\u{ff01}"}],
        "elements": ["<dc:title xmlns:dc=\"http://purl.org/dc/terms/\">A &amp; B</dc:title>"],
    }));
    let mut list = list();
    list.push(&full).unwrap();
    let text = built(list);
    let read = api::read(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(read.kind, "resource-list");
    assert_eq!(read.entries, std::slice::from_ref(&full));
    let json = serde_json::to_string(&read).unwrap();
    assert_eq!(serde_json::from_str::<plain::Document>(&json).unwrap(), read);
    let mut again = Builder::new(Kind::ResourceList, &read.head, &Options::default()).unwrap();
    again.push(&full).unwrap();
    assert_eq!(built(again), text);
}

#[test]
fn a_refused_entry_leaves_everything_as_it_was() {
    let good = entry(json!({"uri": "http://example.com/1"}));
    let mut once = list();
    once.push(&good).unwrap();
    let once = built(once);
    for (bad, code) in [
        (json!({"uri": "http://example.com/1"}), "RL-13"),
        (json!({"uri": "/2"}), "GEN-11"),
        (json!({"uri": ""}), "GEN-11"),
        (json!({"uri": "http://example.com/日本"}), "GEN-11"),
        (json!({"uri": "http://example.com/2", "change": "created"}), "AT-22"),
        (json!({"uri": "http://example.com/2", "hashes": {"md5": "12"}}), "AT-07"),
        (json!({"uri": "http://example.com/2", "lastmod": "yesterday"}), "AT-01"),
        (json!({"uri": "http://example.com/2", "type": "text/unheard-of"}), "AT-13"),
        (json!({"uri": "http://example.com/2", "links": [{"rel": "up"}]}), "LK-01"),
        (json!({"uri": "http://example.com/2", "attributes": [{"name": "a b", "value": ""}]}), "GEN-01"),
        (json!({"uri": "http://example.com/2", "attributes": [{"name": "a", "value": "\u{1}"}]}), "GEN-01"),
        (
            json!({"uri": "http://example.com/2", "attributes": [{"name": "length", "value": "1"}], "length": 1}),
            "GEN-01",
        ),
        (json!({"uri": "http://example.com/2", "elements": ["<a>"]}), "GEN-01"),
        (json!({"uri": "http://example.com/2", "elements": ["</url><url>"]}), "GEN-24"),
        (json!({"uri": "http://example.com/2", "elements": ["</url></urlset><!--"]}), "GEN-01"),
        (
            json!({"uri": "http://example.com/2", "elements": ["<a xmlns='http://www.sitemaps.org/schemas/sitemap/0.9'/>"]}),
            "GEN-24",
        ),
        (json!({"uri": format!("http://example.com/{}", "a".repeat(70_000))}), "LIM-07"),
        (json!({"uri": "http://example.com/2", "encoding": "a".repeat(70_000)}), "LIM-07"),
    ] {
        let mut list = list();
        list.push(&good).unwrap();
        let refused = list.push(&entry(bad.clone())).expect_err(&bad.to_string());
        assert!(refused.diagnostics().any(|diagnostic| diagnostic.code == code), "{bad}: {refused}");
        assert!(refused.diagnostic().span.is_none() && !refused.message(resourcesync::report::Lang::Ja).is_empty());
        assert_eq!(built(list), once, "{bad}");
    }
}

#[test]
fn a_wrong_or_incomplete_head_is_refused_before_anything_is_written() {
    let up = json!([{"rel": "up", "href": "http://example.com/capabilitylist.xml"}]);
    for (kind, value, code) in [
        (Kind::ResourceList, json!({"links": up}), "RL-03"),
        (Kind::ResourceList, json!({"at": "2024-05-01T00:00:00Z"}), "RL-06"),
        (Kind::ResourceList, json!({"at": "2024-05-01T00:00:00Z", "links": up, "capability": "changelist"}), "RL-02"),
        (
            Kind::ChangeList,
            json!({"from": "2024-05-02T00:00:00Z", "until": "2024-05-01T00:00:00Z", "links": up}),
            "GEN-32",
        ),
        (Kind::SourceDescription, json!({}), "SD-03"),
        (Kind::ResourceList, json!({"at": "2024-05-01T00:00:00Z", "links": up, "elements": ["<url>"]}), "GEN-01"),
        (Kind::Sitemap, json!({}), "GEN-05"),
        (Kind::Package, json!({}), "GEN-05"),
    ] {
        let refused = Builder::new(kind, &head(value.clone()), &Options::default()).expect_err(&value.to_string());
        assert!(refused.diagnostics().any(|diagnostic| diagnostic.code == code), "{value}: {refused}");
    }
}
