//! `useless-changefreq`: `changefreq` where the kind of document has no use for it. The table of kinds reports it.

use crate::rules::rule;

rule! {
    "useless-changefreq" reports [GEN_17]
    checks []
    message "`changefreq` has no use in the entries of a {kind}"
    help "leave `changefreq` out"
    en {
        what "`changefreq` is provided for resources: in Resource Lists, Change Lists and the two manifests."
        why "Harvesters pay no attention to it elsewhere. When to look again follows from the documents themselves, and from \
             notifications."
        mend "Leave the element out. Sitemap software often adds it to every entry; there it can usually be switched off."
    }
    ja {
        message "{kind}のエントリの `changefreq` は使われない"
        help "`changefreq` を削除する"
        what "`changefreq` はリソースについての情報で、リソースリスト、変更リスト、二種類のマニフェストで使われます。"
        why "それ以外の場所にあってもハーベスタは考慮しません。次にいつ確認するかは、文書の内容や通知から判断されます。"
        mend "要素を削除します。サイトマップの生成ソフトウェアがすべてのエントリに付けることがありますが、多くの場合は設定で止められます。"
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
