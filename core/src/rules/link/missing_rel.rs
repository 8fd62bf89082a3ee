//! `missing-rel`: a link without a relation.

use crate::rules::prelude::*;

rule! {
    "missing-rel" reports [LK_02]
    checks [Check::Link(Depends::Shape, check)]
    message "`rs:ln` has no `rel`"
    help "add `rel` with the relation of the link, such as `up` or `describedby`"
    en {
        what "Every `rs:ln` has a `rel` that specifies how the linked resource relates to the document or the resource."
        why "A URI without a relation has no meaning: a harvester cannot tell a mirror from metadata or a package \
            manifest, and ignores the link."
        fix "Write the relation into `rel`. Check the other attributes as well: something like `hash=\"describedby\"` \
            results from swapped columns."
    }
    ja {
        message "`rs:ln` に `rel` がない"
        help "`up` や `describedby` などの関係タイプを `rel` に書いてください"
        what "すべての `rs:ln` に、リンク先と文書またはリソースとの関係を示す `rel` が必要です。"
        why "関係が分からない URI には意味がありません。ハーベスタはミラー、メタデータ、マニフェストを区別できず、\
            リンクを無視します。"
        fix "関係タイプを `rel` に書きます。`hash=\"describedby\"` のように、列の取り違えで別の属性に入っていないかも\
            確認します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln href="https://example.com/article/17.xml" type="application/xml"/>
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
    if link.attributes.get(Name::Rel).is_none() {
        cx.report(Finding::new(Code::LK_02), link.span);
    }
}
