//! Documents that a builder accepts validate without a finding; rejected entries change nothing.

use resourcesync::{
    api::{self, Builder, InputOrigin, Options, plain, validate},
    build::{
        Bitstream, CapabilityEntry, CapabilityList, CapabilityListEntry, ChangeDump, ChangeDumpIndex,
        ChangeDumpManifest, ChangeList, ChangeListIndex, ChangeNotification, ChangePackage, ChangedBitstream,
        FrameworkChange, FrameworkNotification, IntervalEntry, NotifiedChange, Package, Refused, RelatedLink, Resource,
        ResourceChange, ResourceDump, ResourceDumpIndex, ResourceDumpManifest, ResourceList, ResourceListIndex,
        SnapshotEntry, SourceDescription, SourceDescriptionEntry, SourceDescriptionIndex,
    },
    limits::Limits,
    model::Kind,
    report::Verdict,
    value::{BitstreamPath, Capability, Change, Datetime, MediaType, Uri},
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
    Builder::from_plain(Kind::ResourceList, &head, &Options::default()).unwrap()
}

/// Validates the built document and returns it.
fn built(builder: Builder) -> String {
    let text = builder.finish().unwrap();
    let report = validate(text.as_bytes(), InputOrigin::named("built.xml"), &Options::default());
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
    list.push_plain(&full).unwrap();
    let text = built(list);
    let read = api::read(text.as_bytes(), &Limits::default()).unwrap();
    assert_eq!(read.kind, Kind::ResourceList);
    assert_eq!(read.entries, std::slice::from_ref(&full));
    let json = serde_json::to_string(&read).unwrap();
    assert_eq!(serde_json::from_str::<plain::Document>(&json).unwrap(), read);
    let mut again = Builder::from_plain(Kind::ResourceList, &read.head, &Options::default()).unwrap();
    again.push_plain(&full).unwrap();
    assert_eq!(built(again), text);
}

#[test]
fn a_refused_entry_leaves_everything_as_it_was() {
    let good = entry(json!({"uri": "http://example.com/1"}));
    let mut once = list();
    once.push_plain(&good).unwrap();
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
        list.push_plain(&good).unwrap();
        let refused = list.push_plain(&entry(bad.clone())).expect_err(&bad.to_string());
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
        let refused =
            Builder::from_plain(kind, &head(value.clone()), &Options::default()).expect_err(&value.to_string());
        assert!(refused.diagnostics().any(|diagnostic| diagnostic.code == code), "{value}: {refused}");
    }
}

fn uri(path: &str) -> Uri {
    format!("http://example.com/{path}").parse().unwrap()
}

fn day(day: u8) -> Datetime {
    Datetime::utc(2024, 5, day, 0, 0, 0).unwrap()
}

fn path(text: &str) -> BitstreamPath {
    text.parse().unwrap()
}

fn html() -> MediaType {
    "text/html".parse().unwrap()
}

/// Each kind with all attributes of its type.
fn one_of_each() -> Vec<Result<String, Refused>> {
    let up = || uri("capabilitylist.xml");
    let about = || uri("about.html");
    let hash = || "md5:1584abdf8ebdc9802ac0c6a7402c03b6".parse().unwrap();
    let related = || {
        [
            RelatedLink::duplicate(uri("mirror/1")).pri("1".parse().unwrap()).modified(day(1)),
            RelatedLink::alternate(uri("1.pdf"), "application/pdf".parse().unwrap()).hash(hash()).length(3),
            RelatedLink::canonical(uri("canonical/1")),
            RelatedLink::describedby(uri("1.xml")).media_type("application/xml".parse().unwrap()),
            RelatedLink::describes(uri("2")),
            RelatedLink::profile(uri("profile")),
            RelatedLink::memento(uri("memento/1"), day(1)),
            RelatedLink::timegate(uri("timegate/1")),
            RelatedLink::timemap(uri("timemap/1")).media_type("application/link-format".parse().unwrap()),
            RelatedLink::collection(uri("collection")),
            RelatedLink::via(uri("origin/1")).encoding("gzip".parse().unwrap()),
        ]
    };
    let patch = || RelatedLink::patch(uri("1.patch"), "application/json-patch+json".parse().unwrap());
    let all = |first, add: fn(Resource, RelatedLink) -> Resource| related().into_iter().fold(first, add);
    let resource = Resource::new(uri("1"))
        .lastmod(day(1))
        .changefreq("daily".parse().unwrap())
        .priority("0.5".parse().unwrap())
        .hash(hash())
        .length(3)
        .media_type(html())
        .encoding("gzip".parse().unwrap())
        .foreign("<dc:title xmlns:dc='http://purl.org/dc/elements/1.1/'>題</dc:title>");
    let channel = |capability, name| CapabilityEntry::channel(capability, uri(name), uri("hub"));
    vec![
        SourceDescription::new(about())
            .index(uri("sd-index.xml"))
            .with([CapabilityListEntry::new(up()).describedby(about())]),
        SourceDescriptionIndex::new()
            .describedby(about())
            .with([SourceDescriptionEntry::new(uri("sd.xml")).lastmod(day(1))]),
        CapabilityList::new(uri(".well-known/resourcesync"), about()).with([
            CapabilityEntry::new(Capability::ResourceList, uri("resourcelist.xml")),
            channel(Capability::ChangeNotification, "changes"),
            channel(Capability::FrameworkNotification, "framework"),
        ]),
        ResourceList::new(up(), day(1))
            .completed(day(2))
            .index(uri("index.xml"))
            .with([all(resource, Resource::related)]),
        ResourceListIndex::new(up(), day(1))
            .completed(day(2))
            .with([SnapshotEntry::new(uri("1.xml")).at(day(1)).completed(day(2)).lastmod(day(1))]),
        ResourceDump::new(up(), day(1)).completed(day(2)).index(uri("index.xml")).with([Package::new(
            uri("1.zip"),
            4_000,
        )
        .hash(hash())
        .at(day(1))
        .completed(day(2))
        .lastmod(day(3))
        .contents(uri("1.xml"))]),
        ResourceDumpIndex::new(up(), day(1)).completed(day(2)).with([SnapshotEntry::new(uri("1.xml"))]),
        ResourceDumpManifest::new(up(), day(1))
            .completed(day(2))
            .with([Bitstream::new(uri("1"), path("/1"), html()).hash(hash()).length(3)]),
        ChangeList::new(up(), day(1)).until(day(4)).index(uri("index.xml")).with([
            ResourceChange::created(uri("1")).at(day(1)).length(3).media_type(html()),
            ResourceChange::updated(uri("1")).at(day(2)).lastmod(day(2)).related(patch()),
            ResourceChange::deleted(uri("1")).at(day(3)),
        ]),
        ChangeListIndex::new(up(), day(1))
            .with([IntervalEntry::new(uri("1.xml"), day(1)).until(day(2)), IntervalEntry::new(uri("2.xml"), day(2))]),
        ChangeDump::new(up(), day(1))
            .index(uri("index.xml"))
            .with([ChangePackage::new(uri("1.zip"), 4_000, day(1)).until(day(2)).contents(uri("1.xml"))]),
        ChangeDumpIndex::new(up(), day(1)).until(day(2)).with([IntervalEntry::new(uri("1.xml"), day(1)).until(day(2))]),
        ChangeDumpManifest::new(up(), day(1)).until(day(4)).with([
            ChangedBitstream::created(uri("1"), path("/1"), html()).at(day(1)),
            ChangedBitstream::updated(uri("1"), path("/2"), html()).at(day(2)).related(patch().path(path("/1.patch"))),
            ChangedBitstream::deleted(uri("1")).at(day(3)),
        ]),
        ChangeNotification::new(day(1), day(2))
            .up(up())
            .with([NotifiedChange::updated(uri("1")).at(day(1)).hash(hash())]),
        FrameworkNotification::new().up(up()).from(day(1)).until(day(2)).with([FrameworkChange::new(
            uri("resourcelist.xml"),
            Change::Updated,
            Capability::ResourceList,
        )
        .at(day(1))
        .index(uri("index.xml"))]),
    ]
}

#[test]
fn every_kind_can_be_built_with_all_that_it_can_say() {
    let mut kinds = vec![];
    for document in one_of_each() {
        let text = document.unwrap();
        let report = validate(text.as_bytes(), InputOrigin::named("built.xml"), &Options::default());
        assert_eq!((report.verdict, report.diagnostics), (Verdict::Valid, vec![]), "{text}");
        kinds.push(report.inputs[0].kind);
    }
    let all: Vec<Kind> = Kind::ALL.iter().take(15).copied().collect();
    assert_eq!(kinds, all);
}
