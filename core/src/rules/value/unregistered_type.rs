//! `unregistered-type`: a media type that is not registered with IANA.

use crate::rules::prelude::*;

rule! {
    "unregistered-type" reports [AT_13]
    checks [Check::Named(Depends::Usual, &[Name::Type], check)]
    message "media type `{value}` is not registered with IANA"
    help "use the registered media type of the format, if there is one"
    en {
        what "`type` should be a media type registered with IANA. The standard itself uses experimental types for \
            patches."
        why "A harvester that does not know the type cannot choose a handler for it and treats the resource as opaque \
            bytes, or skips it."
        fix "Look up the format in the IANA registry: `application/gzip` for `application/x-gzip`, \
            `application/json-patch+json` for `application/json-patch`. A type without a registered counterpart may be \
            kept by agreement with your harvesters."
    }
    ja {
        message "IANA に登録されていないメディアタイプ `{value}`"
        help "その形式に登録済みのメディアタイプがあれば、それを使ってください"
        what "`type` には IANA に登録されたメディアタイプを使うことが推奨されます。ただし、標準自身もパッチには\
            実験的なタイプを使っています。"
        why "タイプを知らないハーベスタは処理方法を選択できず、リソースを内容不明のバイト列として扱うか、取得を\
            省略します。"
        fix "IANA のレジストリで形式を調べます。たとえば `application/x-gzip` は `application/gzip`、\
            `application/json-patch` は `application/json-patch+json` です。登録されたタイプがない形式は、\
            ハーベスタとの合意のうえでそのまま使用できます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/data/2024.csv.gz</loc>
    <rs:md length="8876" type="application/x-gzip"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/data/2024.csv.gz</loc>
    <rs:md length="8876" type="application/gzip"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let AttributeValue::Type(field) = &attribute.value else { return };
    let Some(unregistered) = field.exact().filter(|media_type| !media_type.is_registered()) else { return };
    cx.report_value(Finding::new(Code::AT_13).arg("value", unregistered.essence()), attribute);
}
