//! `capability-case`: a capability in other letter case, or with blanks around it.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Md, Name},
    rules::{Check, Look, Need, rule},
    value::{Capability, Slip},
};

rule! {
    "capability-case" reports [AT_30]
    checks [Check::Md(check)]
    message "the capability `{value}` is not written `{meant}`"
    help "write `{meant}`, in lower case and without blanks around it"
    en {
        what "Capability values are compared exactly: they are lower case and have no blanks around them."
        why "To a harvester that compares exactly, `ResourceList` and `resourcelist` are different words, and it passes over the \
             document or entry as unknown."
        mend "Write the value as the standard spells it; take it from a constant instead of a class or table name."
    }
    ja {
        message "機能の値 `{meant}` が `{value}` と書かれている"
        help "小文字で、前後に空白を入れずに `{meant}` と書く"
        what "`capability` の値は文字どおりに比較されます。すべて小文字で、前後に空白はありません。"
        why "文字どおりに比較するハーベスタにとって `ResourceList` と `resourcelist` は別の語で、文書やエントリは不明なものとして\
             読み飛ばされます。"
        mend "標準のつづりのとおりに書きます。クラス名や表の名前からではなく、定数から出力するようにします。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    let Some(text) = md.attributes.capability().and_then(|capability| capability.loose()) else { return };
    // Where the attribute should not be at all, how it is written does not matter.
    if !look.at_root() && matches!(look.profile.entry_need(Name::Capability), Need::Unused(_)) {
        return;
    }
    if let (Some(Slip::Case(meant)), Some(attribute)) = (Capability::slip(text), md.attributes.get(Name::Capability)) {
        look.report_value(Finding::new(Code::AT_30).arg("value", text).arg("meant", meant.as_str()), attribute);
    }
}
