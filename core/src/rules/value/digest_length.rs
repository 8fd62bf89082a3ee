//! `digest-length`: a digest with too few or too many digits for its algorithm.

use crate::{rules::prelude::*, value::DigestForm};

rule! {
    "digest-length" reports [AT_07]
    checks [Check::Named(Depends::Usual, &[Name::Hash], check)]
    message "`{algorithm}` digest with {digits} hexadecimal digits instead of {expected}"
    help "recompute the digest, or correct the algorithm name before the colon"
    en {
        what "The algorithm determines the number of hexadecimal digits: 32 for `md5`, 40 for `sha-1`, 64 for \
            `sha-256`, 96 for `sha-384`, 128 for `sha-512`."
        why "Such a digest can never match, so a harvester that verifies digests rejects every download of the \
            resource."
        fix "Check whether the digest was truncated, lost leading zeros because it was handled as a number, or has \
            the wrong algorithm name, such as `sha-256` before an MD5 digest."
    }
    ja {
        message "`{algorithm}` のダイジェストが {digits} 桁（16 進数で {expected} 桁が必要）"
        help "ダイジェストを計算し直すか、コロンの前のアルゴリズム名を修正してください"
        what "ダイジェストの桁数はアルゴリズムによって決まります。16 進数で `md5` は 32 桁、`sha-1` は 40 桁、\
            `sha-256` は 64 桁、`sha-384` は 96 桁、`sha-512` は 128 桁です。"
        why "桁数の異なるダイジェストが一致することはありません。ダイジェストを検証するハーベスタは、リソースを\
            何度取得しても拒否します。"
        fix "ダイジェストが途中で切れていないか、数値として扱われて先頭の 0 が失われていないか、MD5 の値に `sha-256` \
            と付けるなどアルゴリズム名を取り違えていないかを確認します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md hash="sha-256:1584abdf8ebdc9802ac0c6a7402c03b6" length="8876" type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6" length="8876" type="application/pdf"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let AttributeValue::Hash(field) = &attribute.value else { return };
    // Digests of the wrong length are never exact.
    let Some(text) = field.loose() else { return };
    for item in Hashes::items(text).take(cx.limits.digests as usize) {
        if let (Some(algorithm), DigestForm::WrongLength { digits, expected }) = (item.algorithm(), item.digest) {
            let finding = Finding::new(Code::AT_07)
                .arg("algorithm", algorithm.as_str())
                .arg("digits", digits)
                .arg("expected", expected);
            cx.report_part(finding, attribute, item.range);
        }
    }
}
