//! `not-empty`: content inside `rs:md` or `rs:ln`.

use crate::rules::prelude::*;

rule! {
    "not-empty" reports [GEN_34]
    checks [Check::Md(Depends::Shape, md), Check::Link(Depends::Shape, link)]
    message "`{element}` is not empty"
    help "express the content as attributes and leave the element empty"
    en {
        what "`rs:md` and `rs:ln` are empty elements. Their information is in their attributes."
        why "Harvesters do not read text or child elements of these elements, so the content is lost."
        fix "Turn the content into the matching attribute, such as `href`, `hash` or `length`. Put additional \
            elements next to `rs:md`, not inside it."
    }
    ja {
        message "`{element}` が空要素ではない"
        help "内容を属性で表し、空要素にしてください"
        what "`rs:md` と `rs:ln` は空要素です。情報は属性で表します。"
        why "ハーベスタはこれらの要素の中のテキストや子要素を読まないため、書いた内容は利用されません。"
        fix "内容を、`href`、`hash`、`length` など対応する属性に書き換えます。追加の要素は `rs:md` の中ではなく、\
            `rs:md` と同じ階層に置きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <rs:md type="text/html">5120</rs:md>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <rs:md type="text/html" length="5120"/>
  </url>
</urlset>"#
}

fn md(cx: &mut CheckContext<'_>, md: &Md) {
    check(cx, "rs:md", md.content);
}

fn link(cx: &mut CheckContext<'_>, link: &Link) {
    check(cx, "rs:ln", link.content);
}

fn check(cx: &mut CheckContext<'_>, element: &str, content: Option<Span>) {
    if let Some(content) = content {
        cx.report(Finding::new(Code::GEN_34).arg("element", element), content);
    }
}
