//! `missing-href`: a link without a target.

use crate::rules::prelude::*;

rule! {
    "missing-href" reports [LK_01]
    checks [Check::Link(Depends::Shape, check)]
    message "`rs:ln` has no `href`"
    help "add `href` with the URI of the link target, or remove the `rs:ln`"
    en {
        what "Every `rs:ln` has an `href` with the URI of the linked resource."
        why "There is nothing to follow. If the link is the `up` or `index` link of a document, a harvester cannot \
            navigate the Source."
        fix "Write the absolute URI into `href`. The content of the element and attributes such as `url` or `src` are \
            ignored. If the URI is unknown, remove the link."
    }
    ja {
        message "`rs:ln` に `href` がない"
        help "リンク先の URI を `href` に書くか、`rs:ln` を削除してください"
        what "すべての `rs:ln` に、リンク先の URI を示す `href` が必要です。"
        why "リンクをたどることができません。文書の `up` や `index` のリンクであれば、ハーベスタはソースの中を\
            移動できなくなります。"
        fix "絶対 URI を `href` に書きます。要素の内容や、`url`、`src` などの属性は無視されます。URI が不明な場合は、\
            リンクを削除します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="describedby" type="application/xml"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="describedby" href="https://example.com/article/17.xml" type="application/xml"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    if link.attributes.get(Name::Href).is_none() {
        cx.report(Finding::new(Code::LK_01), link.span);
    }
}
