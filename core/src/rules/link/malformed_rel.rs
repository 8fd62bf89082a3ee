//! `malformed-rel`: a `rel` that is not one relation.

use crate::{
    diagnostic::{Code, Finding},
    model::{Link, Name},
    rules::{Check, Look, rule},
};

rule! {
    "malformed-rel" reports [LK_04]
    checks [Check::Link(check)]
    message "`rel` is `{value}`, which is neither the name of a relation nor an absolute URI"
    help "give one relation, in lower case if it is a name; write one `rs:ln` for each relation"
    en {
        what "`rel` is one value: the registered name of a relation, or an absolute URI. HTML allows several values; \
            ResourceSync does not."
        why "Harvesters compare the whole value letter by letter. `Up` or `up index` is not `up` to them, and the \
            document loses its place in the Source."
        mend "Write names in lower case without blanks. Repeat the `rs:ln` with the same `href` where one link has \
            several meanings."
    }
    ja {
        message "`rel` の `{value}` は関係タイプの名前でも絶対 URI でもない"
        help "関係タイプを一つだけ、名前なら小文字で書き、複数の関係は `rs:ln` を分ける"
        what "`rel` の値は一つだけで、登録された関係タイプの名前か絶対 URI を書きます。HTML と違い、複数の値は並べられま\
            せん。"
        why "ハーベスタは値全体を一字ずつ比較します。`Up` や `up index` は `up` と見なされず、文書はソースの中での位置\
            を失います。"
        mend "名前は小文字で、空白を入れずに書きます。一つのリンクに複数の意味があるときは、同じ `href` の \
            `rs:ln` を繰り返します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="describedby alternate" href="https://example.com/article/17.xml" type="application/xml"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="describedby" href="https://example.com/article/17.xml" type="application/xml"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, link: &Link) {
    let Some(attribute) = link.attributes.get(Name::Rel) else { return };
    if let Some(text) = attribute.value.field().and_then(|rel| rel.loose()) {
        look.report_value(Finding::new(Code::LK_04).arg("value", text), attribute);
    }
}
