//! `missing-href`: a link that leads nowhere.

use crate::{
    diagnostic::{Code, Finding},
    model::{Link, Name},
    rules::{Check, Look, rule},
};

rule! {
    "missing-href" reports [LK_01]
    checks [Check::Link(check)]
    message "`rs:ln` has no `href`"
    help "add `href` with the URI the link leads to, or remove the `rs:ln`"
    en {
        what "Every `rs:ln` has an `href` with the URI of the linked resource."
        why "There is nothing to follow. If the link is the `up` or `index` of a document, a harvester loses its way \
            through the Source."
        mend "Write the absolute URI into `href`. The content of the element and attributes such as `url` or `src` are \
            not read. Where the URI is not known, leave the whole link out."
    }
    ja {
        message "`rs:ln` に `href` がない"
        help "リンク先の URI を `href` に書くか、`rs:ln` を削除する"
        what "`rs:ln` には必ず `href` を付け、リンク先の URI を書きます。"
        why "たどる先がありません。文書の `up` や `index` のリンクであれば、ハーベスタはソースの中を移動できなくなりま\
            す。"
        mend "絶対 URI を `href` に書きます。要素の中身や、`url`、`src` などの属性は読まれません。URI が分からない\
            ときはリンクごと省きます。"
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

fn check(look: &mut Look<'_>, link: &Link) {
    if link.attributes.get(Name::Href).is_none() {
        look.report(Finding::new(Code::LK_01), link.span);
    }
}
