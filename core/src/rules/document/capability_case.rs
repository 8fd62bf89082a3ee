//! `capability-case`: a capability value in the wrong letter case or with surrounding white space.

use crate::rules::prelude::*;

rule! {
    "capability-case" reports [AT_30]
    checks [Check::Md(Depends::Shape, check)]
    message "`capability` is `{value}`; the defined value is `{meant}`"
    help "write `{meant}`, in lower case and without surrounding white space"
    en {
        what "Capability values are case-sensitive: they are all lower case, without surrounding white space."
        why "A harvester that compares the value exactly treats `ResourceList` and `resourcelist` as different \
            capabilities and ignores the document or entry as unknown."
        fix "Use the value exactly as the standard defines it. Take it from a constant rather than from a class or \
            table name."
    }
    ja {
        message "`capability` の値が `{meant}` ではなく `{value}` と書かれている"
        help "小文字で、前後に空白を入れずに `{meant}` と書いてください"
        what "`capability` の値は大文字と小文字を区別します。値はすべて小文字で、前後に空白は入りません。"
        why "値を厳密に比較するハーベスタでは `ResourceList` と `resourcelist` は別の値になり、文書やエントリは\
            種類不明として無視されます。"
        fix "標準が定める表記のとおりに書きます。クラス名やテーブル名から生成せず、定数を使います。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="ResourceList" at="2024-04-01T00:00:00Z"/>
  <url>
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

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    let Some(text) = md.attributes.capability().and_then(|capability| capability.loose()) else { return };
    // If the attribute must not be there at all, its spelling is irrelevant.
    if !cx.at_root() && matches!(cx.profile.entry_need(Name::Capability), Need::Unused(_)) {
        return;
    }
    if let (Some(Slip::Case(meant)), Some(attribute)) = (Capability::slip(text), md.attributes.get(Name::Capability)) {
        cx.report_value(Finding::new(Code::AT_30).arg("value", text).arg("meant", meant.as_str()), attribute);
    }
}
