//! `index-as-urlset`: an index published as a `urlset`.

use crate::rules::prelude::*;

rule! {
    "index-as-urlset" reports [ADV_09]
    checks [Check::Md(Depends::State, check)]
    message "an entry has the capability of the document itself, `{capability}`, as if this were an index"
    help "publish an index as `sitemapindex` with `sitemap` entries, without `capability` on the entries"
    en {
        what "An index has the root element `sitemapindex` and `sitemap` entries. In a `urlset`, the entries are \
            resources, changes or packages."
        why "A harvester treats the listed documents as resources: it copies the XML files themselves and never reads \
            their entries."
        fix "Change the root element to `sitemapindex` and each `url` to `sitemap`, and remove `capability` from the \
            entries. If the entry really is a resource, only remove its `capability`."
    }
    ja {
        message "文書自身と同じ `capability` の値 `{capability}` がエントリにあり、インデックスのように見える"
        help "インデックスは `sitemapindex` と `sitemap` で記述し、エントリに `capability` を付けないでください"
        what "インデックスのルート要素は `sitemapindex`、エントリは `sitemap` です。`urlset` のエントリは、リソース、\
            変更、パッケージのいずれかです。"
        why "ハーベスタは列挙された文書をリソースとして扱い、XML ファイルそのものをコピーするだけで、その中の\
            エントリを読みません。"
        fix "ルート要素を `sitemapindex` に、各 `url` を `sitemap` に変更し、エントリの `capability` を削除します。\
            エントリが実際にリソースである場合は、`capability` だけを削除します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/resourcelist-1.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>
"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/photos/resourcelist-1.xml</loc>
  </sitemap>
</sitemapindex>
"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.profile.index.is_none() || cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let own = cx.profile.capability;
    let same = md.attributes.capability().and_then(|field| field.exact()).is_some_and(|listed| listed.as_str() == own);
    // Reported once per document, at the first such entry.
    if !same || cx.memory.capabilities.keys().any(|seen| seen.as_str() == own) {
        return;
    }
    if let Some(capability) = md.attributes.get(Name::Capability) {
        cx.report_value(Finding::new(Code::ADV_09).arg("capability", own), capability);
    }
}
