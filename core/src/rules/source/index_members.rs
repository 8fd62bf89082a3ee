//! `index-members`: a document that an index lists twice, or one of the set that it does not list.
//!
//! Only the whole Source shows what an index does not list: `source/checks/missing_index.rs`.

use crate::rules::prelude::*;

rule! {
    "index-members" reports [RLI_07, RDI_07, CLI_07, CDI_07]
    checks [Check::Entry(Depends::State, check)]
    message "wrong number of entries for `{uri}` in this index: {problem}"
    help "list each document of the set once"
    en {
        what "An index has one `sitemap` entry for every document of its kind in the set."
        why "A harvester reads what the index lists. A missing document is never read, so its resources or changes are \
            missing from every copy; a document that is listed twice is read twice, and counted twice."
        fix "Generate the index from the list of published documents. If two entries have the same `loc`, one of them \
            was probably meant for another document."
    }
    ja {
        message "このインデックスの `{uri}` のエントリ数が誤り（{problem}）"
        help "セットの各文書を 1 回ずつ列挙してください"
        what "インデックスには、セットに属する同じ種類のすべての文書について、`sitemap` エントリが 1 件ずつあります。"
        why "ハーベスタは、インデックスが列挙する文書だけを読みます。列挙されていない文書のリソースや変更は、どの\
            コピーにも反映されません。2 回列挙された文書は、2 回読まれて二重に数えられます。"
        fix "公開している文書の一覧からインデックスを生成します。2 件のエントリの `loc` が同じ場合、一方は別の文書の\
            エントリであった可能性があります。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <sitemap>
    <loc>https://example.com/theses/resourcelist1.xml</loc>
  </sitemap>
  <sitemap>
    <loc>https://example.com/theses/resourcelist1.xml</loc>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <sitemap>
    <loc>https://example.com/theses/resourcelist1.xml</loc>
  </sitemap>
  <sitemap>
    <loc>https://example.com/theses/resourcelist2.xml</loc>
  </sitemap>
</sitemapindex>"#
}

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    let Need::Unused(code) = cx.profile.same_loc else { return };
    let Some(loc) = entry.loc.first().filter(|loc| !loc.cut && cx.profile.shape == Shape::SitemapIndex) else { return };
    let Some(text) = loc.field.loose().or_else(|| loc.field.value().map(Uri::as_str)) else { return };
    if let Some(first) = cx.first_loc.map(|first| first.span(text)) {
        let finding = Finding::new(code).arg("uri", text).arg("problem", "listed-twice").related("first", first);
        cx.report_child(finding, "loc", None, loc.field.span());
    }
}
