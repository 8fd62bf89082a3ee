//! `unknown-element`: an element of the Sitemap or ResourceSync namespace in the wrong place.

use alloc::{borrow::Cow, format};

use crate::{model::Element, model::Inside, model::Space, rules::prelude::*};

rule! {
    "unknown-element" reports [GEN_24]
    checks [Check::Element(check)]
    message "`{element}` is not allowed inside `{inside}`"
    help "correct the element name, move the element to its proper place, or put it into a namespace of your own"
    en {
        what "ResourceSync uses `md` and `ln` of its own namespace, and `urlset`, `sitemapindex`, `url`, `sitemap`, \
            `loc`, `lastmod`, `changefreq` and `priority` of the Sitemap namespace, each at a defined position."
        why "A harvester silently ignores elements that it does not expect. A misspelt or misplaced element is lost \
            together with its content."
        fix "Check the spelling and the parent element. Elements of old drafts, such as `rs:size` or `rs:fixity`, are \
            now attributes of `rs:md`. Elements of your own belong in a namespace of your own."
    }
    ja {
        message "`{inside}` の中に置けない要素 `{element}`"
        help "要素名を修正するか、正しい位置に移すか、独自の名前空間の要素にしてください"
        what "ResourceSync で使う要素は、ResourceSync 名前空間の `md` と `ln`、サイトマップ名前空間の `urlset`、\
            `sitemapindex`、`url`、`sitemap`、`loc`、`lastmod`、`changefreq`、`priority` で、それぞれ位置が\
            決まっています。"
        why "ハーベスタは想定外の要素を黙って無視します。つづりや位置を誤った要素は、その内容ごと失われます。"
        fix "つづりと親要素を確認します。古い草案の `rs:size` や `rs:fixity` などの要素は、現在は `rs:md` の\
            属性です。独自の要素には独自の名前空間を使います。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <rs:size>5120</rs:size>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <rs:md length="5120"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, element: &Element) {
    // Below an unknown root no element is defined; GEN-02 reports the root.
    if &*element.local == "#text" || cx.root.shape.is_none() {
        return;
    }
    // Foreign elements are allowed next to a value; inside it they would split it.
    if element.space == Space::Foreign && !matches!(element.inside, Inside::Text(_)) {
        return;
    }
    let local = &*element.local;
    let written = if element.prefix.is_empty() { local.into() } else { format!("{}:{local}", element.prefix) };
    let name = match element.space {
        Space::ResourceSync => Cow::Owned(format!("rs:{local}")),
        Space::Sitemap => Cow::Borrowed(local),
        Space::Foreign => Cow::Owned(written.clone()),
    };
    let (inside, step) = match (&element.inside, cx.entry) {
        (Inside::Text(parent), _) => (*parent, Cow::Owned(format!("{parent}/{name}"))),
        (Inside::Entry, Some(entry)) => (entry.element.as_str(), name),
        _ => (&*cx.root.local, name),
    };
    let finding = Finding::new(Code::GEN_24).arg("element", written).arg("inside", inside);
    cx.report_child(finding, &step, None, element.span);
}
