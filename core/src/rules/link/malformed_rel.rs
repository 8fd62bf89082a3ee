//! `malformed-rel`: a `rel` that is not exactly one relation.

use crate::rules::prelude::*;

rule! {
    "malformed-rel" reports [LK_04]
    checks [Check::Link(Depends::Shape, check)]
    message "`rel` is `{value}`, neither a relation name nor an absolute URI"
    help "write exactly one relation, in lower case if it is a name; use one `rs:ln` for each relation"
    en {
        what "`rel` has one value: the registered name of a relation, or an absolute URI. HTML allows several values; \
            ResourceSync does not."
        why "Harvesters compare the whole value exactly. `Up` and `up index` are not `up`, and the document is \
            disconnected from the rest of the Source."
        fix "Write names in lower case without white space. If a link has several relations, repeat the `rs:ln` with \
            the same `href`."
    }
    ja {
        message "`rel` の値 `{value}` が関係タイプの名前でも絶対 URI でもない"
        help "関係タイプを 1 つだけ書いてください（名前は小文字で書き、関係が複数ある場合は `rs:ln` を分けます）"
        what "`rel` の値は 1 つで、登録された関係タイプの名前または絶対 URI です。HTML とは異なり、複数の値は\
            書けません。"
        why "ハーベスタは値全体を厳密に比較します。`Up` や `up index` は `up` とみなされず、文書がソースのほかの\
            部分とつながらなくなります。"
        fix "名前は小文字で、空白を入れずに書きます。1 つのリンクに複数の関係がある場合は、同じ `href` の `rs:ln` を\
            繰り返します。"
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

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let Some(attribute) = link.attributes.get(Name::Rel) else { return };
    if let Some(text) = attribute.value.field().and_then(|rel| rel.loose()) {
        cx.report_value(Finding::new(Code::LK_04).arg("value", text), attribute);
    }
}
