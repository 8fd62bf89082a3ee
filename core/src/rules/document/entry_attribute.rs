//! `entry-attribute`: attributes on `url` or `sitemap` itself.

use alloc::{borrow::Cow, format};

use crate::rules::prelude::*;

rule! {
    "entry-attribute" reports [GEN_12]
    checks [Check::Entry(Depends::Shape, check)]
    message "unexpected attribute `{attribute}` on `{element}`"
    help "move the attribute to the `rs:md` of the entry, or remove it"
    en {
        what "`url` and `sitemap` have no attributes, not even `xml:lang` or `xml:id`. All information about an entry is \
            in its child elements."
        why "Harvesters do not look for attributes on these elements, so the information is lost, and a strictly \
            validating reader rejects the document."
        fix "Attributes defined by ResourceSync, such as `change` or `hash`, belong on the `rs:md` of the entry. Your \
            own metadata can go there too, as an attribute with a prefix bound to a namespace of your own."
    }
    ja {
        message "`{element}` 要素では属性 `{attribute}` を使えない"
        help "属性をエントリの `rs:md` に移すか、削除してください"
        what "`url` 要素と `sitemap` 要素に属性はなく、`xml:lang` や `xml:id` も使えません。エントリの情報はすべて子要素に\
            書きます。"
        why "ハーベスタはこれらの要素の属性を読まないため、書いた情報は利用されません。厳密に検証する実装では、\
            文書そのものが拒否されます。"
        fix "`change` や `hash` など ResourceSync が定める属性は、エントリの `rs:md` に書きます。独自のメタデータも、\
            独自の名前空間に結び付けた接頭辞付きの属性として `rs:md` に書けます。"
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

/// The namespace of attributes that XML Schema defines for every element, whatever its type.
const SCHEMA: &str = "http://www.w3.org/2001/XMLSchema-instance";

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    for attribute in &entry.attributes {
        if !matches!(&attribute.value, AttributeValue::Other(other) if *other.namespace == *SCHEMA) {
            let name = as_written(attribute);
            let finding = Finding::new(Code::GEN_12).arg("attribute", &*name).arg("element", entry.element.as_str());
            cx.report_attribute(finding, attribute);
        }
    }
}

fn as_written(attribute: &Attribute) -> Cow<'_, str> {
    match &attribute.prefix {
        Some(prefix) => Cow::Owned(format!("{prefix}:{}", attribute.local())),
        None => Cow::Borrowed(attribute.local()),
    }
}
