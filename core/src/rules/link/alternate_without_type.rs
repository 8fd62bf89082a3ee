//! `alternate-without-type`: an `alternate` link without the media type of the representation.

use crate::rules::prelude::*;

rule! {
    "alternate-without-type" reports [LK_13]
    checks [Check::Related(Depends::Shape, &["alternate"], check)]
    message "`alternate` link without `type`"
    help "add `type` with the media type of the representation"
    en {
        what "An `alternate` link refers to another representation of the resource and should have its media type in \
            `type`."
        why "The media type distinguishes the representations. Without it, a harvester has to fetch all of them to \
            find the one it needs."
        fix "Add the `Content-Type` of the linked representation, such as `type=\"application/pdf\"`."
    }
    ja {
        message "`type` のない `alternate` リンク"
        help "リンク先の表現のメディアタイプを `type` に書いてください"
        what "`alternate` リンクはリソースの別の表現を指し、そのメディアタイプを `type` に書くことが推奨されます。"
        why "表現はメディアタイプで区別されます。メディアタイプがないと、ハーベスタは必要な表現を\
            見つけるためにすべてを取得することになります。"
        fix "`type=\"application/pdf\"` のように、リンク先の `Content-Type` の値を書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="alternate" href="https://example.com/article/17.pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="alternate" href="https://example.com/article/17.pdf" type="application/pdf"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    if !cx.at_root()
        && relation.is_some_and(|relation| relation.is("alternate"))
        && link.attributes.get(Name::Type).is_none()
    {
        cx.report(Finding::new(Code::LK_13), link.span);
    }
}
