//! `malformed-length`: a `length` that is not a number of bytes.

use crate::rules::prelude::*;

rule! {
    "malformed-length" reports [AT_10]
    checks [Check::Named(Depends::Usual, &[Name::Length], check)]
    message "`length` is `{value}`, not a whole number of bytes"
    help "write the size in bytes using digits only, or remove `length`"
    en {
        what "`length` is the size of the bitstream in bytes, a non-negative decimal integer."
        why "A harvester uses this number to plan downloads and to detect truncated ones. A value that it cannot parse \
            is ignored at best; strict implementations reject the entry."
        fix "Write bytes, not kilobytes, without sign, separators, fraction or unit. If the size is unknown, omit the \
            attribute instead of leaving it empty."
    }
    ja {
        message "`length` の値 `{value}` がバイト数を表す整数ではない"
        help "サイズをバイト単位で、数字だけで書くか、`length` を削除してください"
        what "`length` はビットストリームのサイズで、バイト数を 0 以上の 10 進整数で書きます。"
        why "ハーベスタはこの値をもとにダウンロードを計画し、途中で切れたダウンロードを検出します。解析できない\
            値はよくても無視され、厳密な実装ではエントリごと拒否されます。"
        fix "キロバイトではなくバイトで、符号、桁区切り、小数、単位を付けずに書きます。サイズが不明な場合は、空にせず\
            属性を省略します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md length="8,876" type="application/pdf"/>
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
    let AttributeValue::Length(field) = &attribute.value else { return };
    if let Some(text) = field.loose() {
        cx.report_value(Finding::new(Code::AT_10).arg("value", text), attribute);
    }
}
