//! `malformed-type`: a `type` that is not a media type.

use crate::rules::prelude::*;

rule! {
    "malformed-type" reports [AT_12]
    checks [Check::Named(Depends::Usual, &[Name::Type], check)]
    message "`type` is `{value}`, not a media type"
    help "write `type/subtype`, such as `application/pdf`, with parameters after `;` if needed"
    en {
        what "`type` is a media type as in the HTTP header `Content-Type`: type, slash, subtype and optional \
            parameters."
        why "Harvesters decide by media type what to fetch and how to store and index it. A resource whose type cannot \
            be parsed is excluded from all such selections."
        fix "Use the `Content-Type` that your server sends for the resource. A file name extension, such as `pdf`, is \
            not a media type. Omit the attribute if the type is unknown."
    }
    ja {
        message "`type` の値 `{value}` がメディアタイプではない"
        help "`application/pdf` のように `タイプ/サブタイプ` の形式で書き、必要に応じて `;` の後にパラメータを付けてください"
        what "`type` は HTTP の `Content-Type` ヘッダと同じメディアタイプで、タイプ、スラッシュ、サブタイプと、任意の\
            パラメータからなります。"
        why "ハーベスタは、何を取得し、どのように保存して索引を作成するかをメディアタイプで判断します。解析できない\
            値のリソースは、こうした選択から漏れます。"
        fix "サーバがそのリソースに付ける `Content-Type` の値を使います。`pdf` のような拡張子は\
            メディアタイプではありません。不明な場合は属性を省略します。"
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

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let AttributeValue::Type(field) = &attribute.value else { return };
    if let Some(text) = field.loose() {
        cx.report_value(Finding::new(Code::AT_12).arg("value", text), attribute);
    }
}
