//! `unmaintained-lastmod`: entries of the upper levels have `lastmod` only if it is kept up to date.

use crate::rules::rule;

rule! {
    "unmaintained-lastmod" reports [SD_09, CAP_11]
    checks in ["rules/profile.rs"]
    message "`lastmod` in an entry of a {kind}, where it is correct only if kept up to date"
    help "remove `lastmod`, unless this document is rewritten whenever a document it lists changes"
    en {
        what "An entry of a Source Description or Capability List should not have `lastmod`, unless the Source updates \
            this document whenever one of the listed documents changes."
        why "A harvester that relies on an outdated `lastmod` assumes that nothing has changed and does not look into \
            a Change List that has grown since."
        fix "Omit `lastmod`: these documents rarely change, and a harvester checks the listed documents anyway. If \
            your software does update this document on every change, ignore this finding."
    }
    ja {
        message "更新し続けないと不正確になる `lastmod` が、{kind}のエントリにある"
        help "下位の文書が変わるたびにこの文書も更新する場合を除き、`lastmod` を削除してください"
        what "ソース記述と機能リストのエントリには、列挙した文書が変更されるたびにこの文書も更新する場合を除き、\
            `lastmod` を書かないことが推奨されます。"
        why "ハーベスタが古いままの `lastmod` を参照すると、何も変わっていないと判断し、その後に追記された変更リストの\
            内容を確認しません。"
        fix "`lastmod` を省略します。これらの文書はめったに変わらず、ハーベスタは下位の文書も確認します。\
            変更のたびにこの文書を更新する仕組みがある場合は、この指摘を無視してかまいません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/theses/changelist.xml</loc>
    <lastmod>2024-04-01T00:00:00Z</lastmod>
    <rs:md capability="changelist"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/theses/changelist.xml</loc>
    <rs:md capability="changelist"/>
  </url>
</urlset>"#
}
