//! `malformed-length`: a `length` that is not a number of bytes.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, Name, Value},
    rules::{Check, Look, rule},
};

rule! {
    "malformed-length" reports [AT_10]
    checks [Check::Named(&[Name::Length], check)]
    message "`length` is `{value}`, which is not a whole number of bytes"
    help "write the size in bytes with digits only, or leave `length` out"
    en {
        what "`length` is the size of the bitstream in bytes, a non-negative integer in decimal digits."
        why "A harvester plans its downloads and detects cut transfers by this number. One it cannot read is ignored at \
            best; strict readers reject the entry."
        mend "Write bytes, not kilobytes, without sign, separators, fraction or unit. Where the size is not known, omit \
            the attribute instead of leaving it empty."
    }
    ja {
        message "`length` の `{value}` はバイト数を表す整数ではない"
        help "サイズを数字だけでバイト単位で書くか、`length` を省く"
        what "`length` はビットストリームのサイズで、0 以上の整数を 10 進数の数字でバイト単位で書きます。"
        why "ハーベスタはこの値をもとに取得を計画し、転送の中断を検出します。読めない値はよくて無視され、厳密な実装では\
            エントリごと拒否されます。"
        mend "符号、桁区切り、小数、単位を付けず、キロバイトではなくバイトで書きます。サイズが不明なときは、空にせ\
            ず属性を省きます。"
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

fn check(look: &mut Look<'_>, attribute: &Attribute) {
    let Value::Length(field) = &attribute.value else { return };
    if let Some(text) = field.loose() {
        look.report_value(Finding::new(Code::AT_10).arg("value", text), attribute);
    }
}
