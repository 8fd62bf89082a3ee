//! `malformed-pri`: a `pri` outside 1 to 999999.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, Name, Value},
    rules::{Check, Look, Step, rule},
};

rule! {
    "malformed-pri" reports [AT_19]
    checks [Check::Named(&[Name::Pri], check)]
    message "`pri` is `{value}`, which is not an integer from 1 to 999999"
    help "write an integer from 1 (tried first) to 999999 (tried last), or leave `pri` out"
    en {
        what "`pri` ranks links of the same relation within an entry by an integer from 1 to 999999, where a lower \
            number is preferred."
        why "A harvester cannot rank the mirror and treats it as the last choice, or ignores the link. The Sitemap \
            values 0.0 to 1.0 mean something else."
        mend "Number the links 1, 2, 3 in the order they should be tried. Leave `pri` out where there is nothing to \
            prefer."
    }
    ja {
        message "`pri` の `{value}` は 1 から 999999 までの整数ではない"
        help "1（最優先）から 999999（最後）までの整数を書くか、`pri` を省く"
        what "`pri` は、エントリ内の同じ関係タイプのリンクに付ける優先順位で、1 から 999999 までの整数です。小さいほど優\
            先されます。"
        why "ハーベスタは順位を判断できず、そのミラーを最後に回すか、リンクを無視します。サイトマップの `priority`\
            （0.0 から 1.0）とは別のものです。"
        mend "試してほしい順に 1、2、3 と番号を付けます。優先順位がなければ `pri` を省きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:ln rel="duplicate" href="https://mirror.example.com/article/17.pdf" pri="0.5"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:ln rel="duplicate" href="https://mirror.example.com/article/17.pdf" pri="1"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, attribute: &Attribute) {
    // On `rs:md` it means nothing whatever it says (NS-03).
    let (Value::Pri(field), Step::Link(_)) = (&attribute.value, look.step) else { return };
    if let Some(text) = field.loose() {
        look.report_value(Finding::new(Code::AT_19).arg("value", text), attribute);
    }
}
