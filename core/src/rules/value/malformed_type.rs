//! `malformed-type`: a `type` that is not a media type.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, Name, Value},
    rules::{Check, Look, rule},
};

rule! {
    "malformed-type" reports [AT_12]
    checks [Check::Named(&[Name::Type], check)]
    message "`type` is `{value}`, which is not a media type"
    help "write `type/subtype`, such as `application/pdf`, with parameters after `;` if needed"
    en {
        what "`type` is a media type as in the HTTP header `Content-Type`: type, slash, subtype and, where useful, \
            parameters."
        why "Harvesters choose what to fetch, and how to store and index it, by media type. A value that is none drops \
            the resource out of every such selection."
        mend "Take the `Content-Type` your server sends for the resource. A file name extension such as `pdf` is not a \
            media type. Leave the attribute out where the type is not known."
    }
    ja {
        message "`type` の `{value}` はメディアタイプではない"
        help "`application/pdf` のように `タイプ/サブタイプ` の形で書き、必要なら `;` の後にパラメータを付ける"
        what "`type` は HTTP ヘッダ `Content-Type` と同じメディアタイプで、タイプ、スラッシュ、サブタイプと、必要に応じ\
            てパラメータを書きます。"
        why "ハーベスタは、何を取得し、どう保存して索引に載せるかをメディアタイプで決めます。メディアタイプとして読めな\
            い値のリソースは、こうした選別の対象から漏れます。"
        mend "サーバがそのリソースに付ける `Content-Type` の値を使います。`pdf` のような拡張子はメディアタイプでは\
            ありません。不明なときは属性を省きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md length="8876" type="pdf"/>
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
    let Value::Type(field) = &attribute.value else { return };
    if let Some(text) = field.loose() {
        look.report_value(Finding::new(Code::AT_12).arg("value", text), attribute);
    }
}
