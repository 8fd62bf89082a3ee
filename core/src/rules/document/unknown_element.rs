//! `unknown-element`: an element of one of the two vocabularies that has no place where it stands.

use alloc::{borrow::Cow, format};

use crate::{
    diagnostic::{Code, Finding},
    model::{Element, Inside, Space},
    rules::{Check, Look, rule},
};

rule! {
    "unknown-element" reports [GEN_24]
    checks [Check::Element(check)]
    message "`{element}` has no place in `{inside}`"
    help "correct its name, move it to where it belongs, or give it a namespace of its own"
    en {
        what "ResourceSync uses `md` and `ln` of its own namespace and `urlset`, `sitemapindex`, `url`, `sitemap`, `loc`, `lastmod`, \
              `changefreq` and `priority` of the Sitemap namespace, each in its place."
        why "A harvester passes over elements that it does not expect. A misspelt or misplaced element is lost without a word, \
             together with everything in it."
        mend "Check the spelling, and that the element is the child of the right parent. What old drafts said with elements such as \
              `rs:size` or `rs:fixity` is said with attributes of `rs:md`. Elements of your own belong in a namespace of your own."
    }
    ja {
        message "`{inside}` の中に `{element}` を置くことはできない"
        help "名前を直すか、正しい位置に移すか、独自の名前空間に入れる"
        what "ResourceSync が使うのは、自身の名前空間の `md` と `ln`、サイトマップ名前空間の `urlset`、`sitemapindex`、`url`、`sitemap`、`loc`、\
              `lastmod`、`changefreq`、`priority` だけで、それぞれ書く場所が決まっています。"
        why "ハーベスタは想定していない要素を読み飛ばします。つづりや位置を誤った要素は、その中身ごと、何の警告もなく失われます。"
        mend "つづりと、親要素が正しいかを確かめます。古い草案の `rs:size` や `rs:fixity` などの内容は、`rs:md` の属性で表します。独自の要素は\
              独自の名前空間に入れます。"
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

fn check(look: &mut Look<'_>, element: &Element) {
    // Below a root that is not understood nothing has a place; GEN-02 says enough.
    if &*element.local == "#text" || look.root.shape.is_none() {
        return;
    }
    // Foreign elements may stand beside a value; inside it they cut it in two.
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
    let (inside, step) = match (&element.inside, look.entry) {
        (Inside::Text(parent), _) => (*parent, Cow::Owned(format!("{parent}/{name}"))),
        (Inside::Entry, Some(entry)) => (entry.element.as_str(), name),
        _ => (&*look.root.local, name),
    };
    let finding = Finding::new(Code::GEN_24).arg("element", written).arg("inside", inside);
    look.report_child(finding, &step, None, element.span);
}
