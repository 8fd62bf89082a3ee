//! `digest-not-hex`: a digest that is not hexadecimal.

use crate::{rules::prelude::*, value::DigestForm};

rule! {
    "digest-not-hex" reports [AT_06]
    checks [Check::Named(Depends::Usual, &[Name::Hash], check)]
    message "`{algorithm}` digest `{digest}` is not hexadecimal"
    help "write the digest in hexadecimal digits (0-9, a-f), not in base64 or another encoding"
    en {
        what "The digest after the colon is written in hexadecimal."
        why "Harvesters compare hexadecimal text. Any other encoding never matches, so every intact download looks \
            corrupted and is fetched again or discarded."
        fix "Encode the digest bytes in hexadecimal: `hexdigest()` in Python, `digest('hex')` in Node.js. A base64 \
            digest contains the same bytes and can be converted."
    }
    ja {
        message "`{algorithm}` のダイジェスト `{digest}` が 16 進数ではない"
        help "ダイジェストは Base64 などではなく、16 進数（0-9、a-f）で書いてください"
        what "コロンの後のダイジェストは 16 進数で書きます。"
        why "ハーベスタは 16 進数の文字列どうしを比較します。ほかの表記では決して一致しないため、正しく取得できた\
            リソースまで破損とみなされ、再取得や破棄の対象になります。"
        fix "ダイジェストのバイト列を 16 進数に変換します（Python では `hexdigest()`、Node.js では \
            `digest('hex')`）。Base64 の値も、デコードすれば 16 進数に変換できます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md hash="md5:FYSr345r3JgCrAxqdALAtg==" length="8876" type="application/pdf"/>
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
    // Digests that are not hexadecimal are never exact.
    let Some(text) = field.loose() else { return };
    for item in Hashes::items(text).take(cx.limits.digests as usize) {
        if item.kind != HashKind::NoDigest && matches!(item.digest, DigestForm::NotHex { .. }) {
            let finding =
                Finding::new(Code::AT_06).arg("algorithm", item.algorithm_text).arg("digest", item.digest_text);
            let start = item.range.end.saturating_sub(item.digest_text.len());
            cx.report_part(finding, attribute, start..item.range.end);
        }
    }
}
