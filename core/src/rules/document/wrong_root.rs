//! `wrong-root`: the root element is none that ResourceSync knows.

use crate::{
    diagnostic::{Code, Finding},
    rules::{Check, Look, rule},
};

rule! {
    "wrong-root" reports [GEN_02]
    checks [Check::Root(check)]
    message "the root element is `{found}`, neither `urlset` nor `sitemapindex`"
    help "make `urlset` the root element, or `sitemapindex` in an index"
    en {
        what "The root element is `urlset`, or `sitemapindex` in an index, of the Sitemap namespace."
        why "A harvester decides by the root element how to read the rest. With any other root the document is not a \
             ResourceSync document for it, and nothing in it is harvested."
        mend "Rename the root element; the names are all lower case. If another document is served here, such as a feed or an \
              error page, serve the ResourceSync document at this URI instead."
    }
    ja {
        message "ルート要素が `urlset` でも `sitemapindex` でもなく `{found}` である"
        help "ルート要素を `urlset`（インデックスでは `sitemapindex`）にする"
        what "ルート要素は、サイトマップ名前空間の `urlset`、インデックスでは `sitemapindex` です。"
        why "ハーベスタはルート要素を見て残りの読み方を決めます。ほかの要素がルートにあると ResourceSync の文書と見なされず、\
             中身は何も収集されません。"
        mend "ルート要素の名前を直します。名前はすべて小文字です。フィードやエラーページなど別の文書が返されている場合は、\
              この URI で ResourceSync の文書を返すようにします。"
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

fn check(look: &mut Look<'_>) {
    if look.root.shape.is_none() {
        look.report_root(Finding::new(Code::GEN_02).arg("found", &*look.root.local));
    }
}
