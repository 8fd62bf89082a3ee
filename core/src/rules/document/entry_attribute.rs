//! `entry-attribute`: attributes on `url` or `sitemap` itself.

use alloc::{borrow::Cow, format};

use crate::{
    diagnostic::{Code, Finding},
    model::{Attribute, Entry, Value},
    rules::{Check, Look, rule},
};

rule! {
    "entry-attribute" reports [GEN_12]
    checks [Check::Entry(check)]
    message "the attribute `{attribute}` on a `{element}` element"
    help "move what it says into the entry's `rs:md`, or leave it out"
    en {
        what "`url` and `sitemap` have no attributes; all there is to say stands in their child elements."
        why "No harvester looks for attributes there, so what they say is lost, and a reader that validates strictly refuses the \
             document."
        mend "Attributes that ResourceSync defines, such as `change` or `hash`, belong on an `rs:md` inside the entry. Data of \
              your own can go there too, as an attribute with a prefix and a namespace of your own."
    }
    ja {
        message "`{element}` 要素に属性 `{attribute}` がある"
        help "内容をエントリの `rs:md` に移すか、属性を削除する"
        what "`url` と `sitemap` に属性はなく、情報はすべて子要素に書きます。"
        why "ハーベスタはここの属性を見ないため、書いた内容は失われます。厳密に検証するプログラムは文書を拒否します。"
        mend "`change` や `hash` など ResourceSync の属性は、エントリの中の `rs:md` に書きます。独自の情報も、独自の名前空間と接頭辞を\
              付けた属性として `rs:md` に書けます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url id="item-1">
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
}

/// Attributes in these namespaces belong to XML and XML Schema and may stand on any element.
const ANYWHERE: [&str; 2] = ["http://www.w3.org/XML/1998/namespace", "http://www.w3.org/2001/XMLSchema-instance"];

fn check(look: &mut Look<'_>, entry: &Entry) {
    for attribute in &entry.attributes {
        if !matches!(&attribute.value, Value::Other(other) if ANYWHERE.contains(&&*other.namespace)) {
            let name = as_written(attribute);
            let finding = Finding::new(Code::GEN_12).arg("attribute", &*name).arg("element", entry.element.as_str());
            look.report_attribute(finding, attribute);
        }
    }
}

fn as_written(attribute: &Attribute) -> Cow<'_, str> {
    match &attribute.prefix {
        Some(prefix) => Cow::Owned(format!("{prefix}:{}", attribute.local())),
        None => Cow::Borrowed(attribute.local()),
    }
}
