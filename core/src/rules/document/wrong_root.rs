//! `wrong-root`: the root element is not one that ResourceSync defines.

use crate::rules::prelude::*;

rule! {
    "wrong-root" reports [GEN_02]
    checks [Check::Root(check)]
    message "the root element is `{found}`, not `urlset` or `sitemapindex`"
    help "use `urlset` as the root element, or `sitemapindex` for an index"
    en {
        what "The root element is `urlset`, or `sitemapindex` for an index, in the Sitemap namespace."
        why "The root element determines how a harvester reads the rest. With any other root element it does not \
            recognize a ResourceSync document, and nothing in it is harvested."
        fix "Rename the root element; both names are all lower case. If something else is served at this URI, such as \
            a feed or an error page, serve the ResourceSync document instead."
    }
    ja {
        message "ルート要素が `urlset` でも `sitemapindex` でもなく `{found}`"
        help "ルート要素を `urlset` に、インデックスの場合は `sitemapindex` にしてください"
        what "ルート要素は、サイトマップ名前空間の `urlset`、インデックスの場合は `sitemapindex` です。"
        why "ハーベスタは、ルート要素によって残りの読み方を決めます。ほかのルート要素では ResourceSync の文書として\
            認識されず、内容は一切収集されません。"
        fix "ルート要素の名前を修正します。名前はすべて小文字です。フィードやエラーページなど別の文書が返されている\
            場合は、この URI で ResourceSync の文書を返すようにします。"
    }
    wrong r#"<urllist xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urllist>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>) {
    if cx.root.shape.is_none() {
        cx.report_root(Finding::new(Code::GEN_02).arg("found", &*cx.root.local));
    }
}
