//! `unknown-attribute`: an attribute without prefix that ResourceSync does not define.

use alloc::{format, string::String};

use crate::{model::RESOURCESYNC, rules::prelude::*};

rule! {
    "unknown-attribute" reports [NS_02]
    checks [Check::Odd(Depends::Shape, check)]
    message "unknown attribute `{attribute}`"
    help "correct the name; an attribute of your own needs a prefix bound to a namespace of your own"
    en {
        what "Attributes without a prefix are those of the standard. A community puts its own attributes into its own \
            namespace."
        why "Harvesters ignore it: a misspelt `lenght` is the same as no `length` at all. A later version of the \
            standard may use the name with a different meaning."
        fix "Check the spelling; all names are lower case. For an attribute of your own, declare a namespace, such as \
            `xmlns:x=\"https://example.com/terms/\"`, and write `x:name`."
    }
    ja {
        message "未知の属性 `{attribute}`"
        help "属性名を修正してください（独自の属性には、独自の名前空間に結び付けた接頭辞が必要です）"
        what "接頭辞のない属性は、標準が定めるものだけです。コミュニティの属性には独自の名前空間を使います。"
        why "ハーベスタはこの属性を無視します。`length` を `lenght` と書き誤ると、値がないのと同じです。また、標準の\
            将来の版で同じ名前に別の意味が与えられる可能性もあります。"
        fix "つづりを確認します。名前はすべて小文字です。独自の属性には、`xmlns:x=\"https://example.com/terms/\"` \
            のように名前空間を宣言し、`x:name` と書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md lenght="8876" type="application/pdf"/>
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
    let AttributeValue::Other(other) = &attribute.value else { return };
    if other.namespace.is_empty() || *other.namespace == *RESOURCESYNC {
        let prefix = attribute.prefix.as_ref().map_or_else(String::new, |prefix| format!("{prefix}:"));
        cx.report_attribute(Finding::new(Code::NS_02).arg("attribute", format!("{prefix}{}", other.local)), attribute);
    }
}
