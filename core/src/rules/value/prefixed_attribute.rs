//! `prefixed-attribute`: an attribute in the ResourceSync namespace, which contains no attributes.

use alloc::format;

use crate::rules::prelude::*;

rule! {
    "prefixed-attribute" reports [NS_01]
    checks [Check::Odd(Depends::Shape, check)]
    message "attribute `{attribute}` is in the ResourceSync namespace"
    help "write ResourceSync attributes without a prefix"
    en {
        what "The attributes that ResourceSync defines are in no namespace. Only the elements `md` and `ln` have the \
            prefix."
        why "For an XML parser, `rs:hash` and `hash` are two different attributes. Harvesters look for the one without \
            prefix and treat the value as missing."
        fix "Write `hash`, not `rs:hash`. With an XML library, pass the plain name without a namespace. An attribute \
            of your own needs a namespace of your own."
    }
    ja {
        message "属性 `{attribute}` に ResourceSync の名前空間が付いている"
        help "ResourceSync の属性は、接頭辞を付けずに書いてください"
        what "ResourceSync が定める属性は、どの名前空間にも属しません。接頭辞を付けるのは `md` 要素と `ln` \
            要素だけです。"
        why "XML では、`rs:hash` と `hash` は別の属性です。ハーベスタは接頭辞のない属性を探すため、値がないものとして\
            扱われます。"
        fix "`rs:hash` ではなく `hash` と書きます。XML ライブラリでは、名前空間を指定せずに名前だけを渡します。独自の\
            属性には独自の名前空間を使います。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md rs:length="8876" type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md length="8876" type="application/pdf"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let Some(prefix) = &attribute.prefix else { return };
    // An undefined name in the ResourceSync namespace is reported as NS-02.
    if attribute.value.name().is_some() {
        let written = format!("{prefix}:{}", attribute.local());
        cx.report_attribute(Finding::new(Code::NS_01).arg("attribute", written), attribute);
    }
}
