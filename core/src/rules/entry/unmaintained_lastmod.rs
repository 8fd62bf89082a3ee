//! `unmaintained-lastmod`: the upper levels say when a listed document changed only if they keep up with it.

use crate::rules::rule;

rule! {
    "unmaintained-lastmod" reports [SD_09, CAP_11]
    checks []
    message "an entry of this {kind} has `lastmod`, which is true only if it is kept up"
    help "leave `lastmod` out, unless this document is written anew whenever a document it lists changes"
    en {
        what "An entry of a Source Description or a Capability List has no `lastmod`, unless the Source rewrites this \
              document whenever one of the listed documents changes."
        why "A harvester that trusts a `lastmod` nobody keeps up believes that nothing has happened, and does not look \
             into a Change List that has grown since."
        mend "Leave `lastmod` out; these documents change seldom and a harvester looks below them anyway. If your \
              software does rewrite them on every change, ignore this note."
    }
    ja {
        message "{kind}のエントリに `lastmod` があるが、更新し続けなければ正しくなくなる"
        help "下位の文書が変わるたびにこの文書を書き直すのでなければ、`lastmod` を省く"
        what "ソース記述と機能リストのエントリには `lastmod` を書かないことが推奨されています。列挙した文書が変わるたびに\
              この文書も更新する場合に限って書くことができます。"
        why "更新されない `lastmod` を信じたハーベスタは、何も変わっていないと判断し、その後に増えた変更リストの内容を\
             見に行きません。"
        mend "`lastmod` を省きます。これらの文書はめったに変わらず、ハーベスタは下位の文書を確認します。変更のたびに\
              書き直す仕組みがあれば、この指摘は無視してかまいません。"
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
