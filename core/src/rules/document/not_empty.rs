//! `not-empty`: something inside `rs:md` or `rs:ln`.

use crate::{
    diagnostic::{Code, Finding},
    model::{Link, Md},
    rules::{Check, Look, rule},
    span::Span,
};

rule! {
    "not-empty" reports [GEN_34]
    checks [Check::Md(md), Check::Link(link)]
    message "`{element}` is not empty"
    help "say it with attributes and leave the element empty"
    en {
        what "`rs:md` and `rs:ln` are empty elements; what they say stands in their attributes."
        why "No harvester reads text or elements inside them, so what stands there is lost."
        mend "Turn the content into the attribute it stands for, such as `href`, `hash` or `length`. Further elements go beside \
              `rs:md`, not into it."
    }
    ja {
        message "`{element}` が空要素になっていない"
        help "内容は属性で表し、空要素にする"
        what "`rs:md` と `rs:ln` は空要素で、情報は属性に書きます。"
        why "これらの中のテキストや要素を読むハーベスタはなく、そこに書いた内容は失われます。"
        mend "内容を、`href`、`hash`、`length` など、それを表す属性に改めます。ほかの要素は `rs:md` の中ではなく隣に置きます。"
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

fn md(look: &mut Look<'_>, md: &Md) {
    check(look, "rs:md", md.content);
}

fn link(look: &mut Look<'_>, link: &Link) {
    check(look, "rs:ln", link.content);
}

fn check(look: &mut Look<'_>, element: &str, content: Option<Span>) {
    if let Some(content) = content {
        look.report(Finding::new(Code::GEN_34).arg("element", element), content);
    }
}
