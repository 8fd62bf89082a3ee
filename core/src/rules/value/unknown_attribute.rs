//! `unknown-attribute`: an attribute without prefix that ResourceSync does not define.

use alloc::{format, string::String};

use crate::{
    diagnostic::{Code, Finding},
    model::{Attribute, RESOURCESYNC, Value},
    rules::{Check, Look, rule},
};

rule! {
    "unknown-attribute" reports [NS_02]
    checks [Check::Odd(check)]
    message "`{attribute}` is not an attribute of ResourceSync"
    help "correct the name, or give an attribute of your own a namespace and a prefix"
    en {
        what "Attributes without a prefix are those of the standard; a community puts its own into a namespace of its \
            own."
        why "Harvesters do not read it: a misspelt `hash` or `lenght` is simply missing. A later version of the \
            standard may give the name a meaning you did not intend."
        mend "Check the spelling; names are in lower case. For an attribute of your own declare a namespace, such as \
            `xmlns:x=\"https://example.com/terms/\"`, and write `x:name`."
    }
    ja {
        message "`{attribute}` は ResourceSync の属性ではない"
        help "名前を正すか、独自の属性なら名前空間と接頭辞を付ける"
        what "接頭辞のない属性は標準が定めるものだけです。コミュニティの属性は、独自の名前空間に置きます。"
        why "ハーベスタはこの属性を読みません。`lenght` のような誤記は、値がないのと同じです。将来の版で同じ名前に別の\
            意味が与えられることもあります。"
        mend "つづりを確認します。名前はすべて小文字です。独自の属性には \
            `xmlns:x=\"https://example.com/terms/\"` のように名前空間を宣言し、`x:name` と書きます。"
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

fn check(look: &mut Look<'_>, attribute: &Attribute) {
    let Value::Other(other) = &attribute.value else { return };
    if other.namespace.is_empty() || *other.namespace == *RESOURCESYNC {
        let prefix = attribute.prefix.as_ref().map_or_else(String::new, |prefix| format!("{prefix}:"));
        look.report_attribute(
            Finding::new(Code::NS_02).arg("attribute", format!("{prefix}{}", other.local)),
            attribute,
        );
    }
}
