//! `useless-changefreq`: `changefreq` in a kind of document that does not use it. The table of kinds reports it.

use crate::rules::rule;

rule! {
    "useless-changefreq" reports [GEN_17]
    checks in ["rules/profile.rs"]
    message "`changefreq` has no effect in the entries of a {kind}"
    help "remove `changefreq`"
    en {
        what "`changefreq` is meant for resources: it is used in Resource Lists, Change Lists and both kinds of \
            manifests."
        why "Harvesters ignore it elsewhere. They learn when to look again from the documents themselves and from \
            notifications."
        fix "Remove the element. Sitemap generators often add it to every entry; this can usually be turned off."
    }
    ja {
        message "{kind}のエントリでは `changefreq` に効果がない"
        help "`changefreq` を削除してください"
        what "`changefreq` はリソースのための要素で、リソースリスト、変更リスト、2 種類のマニフェストで使います。"
        why "ほかの文書にある `changefreq` は無視されます。ハーベスタは、次に確認する時期を文書の内容や通知から\
            判断します。"
        fix "要素を削除します。サイトマップ生成ソフトウェアがすべてのエントリに出力していることがありますが、多くは\
            設定で無効にできます。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
    <changefreq>daily</changefreq>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
  </sitemap>
</sitemapindex>"#
}
