//! `digest-length`: a digest with too few or too many digits for its algorithm.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, Name, Value},
    rules::{Check, Look, rule},
    value::{DigestForm, Hashes},
};

rule! {
    "digest-length" reports [AT_07]
    checks [Check::Named(&[Name::Hash], check)]
    message "a digest by `{algorithm}` has {expected} hexadecimal digits, this one has {digits}"
    help "compute the digest anew, or correct the name of the algorithm before the colon"
    en {
        what "A digest has as many hexadecimal digits as its algorithm yields: 32 for `md5`, 40 for `sha-1`, 64 for \
            `sha-256`, 96 for `sha-384`, 128 for `sha-512`."
        why "Such a digest can never match, so a verifying harvester rejects every copy of the resource, however often \
            it downloads it."
        mend "Look for a digest that was cut or lost leading zeros on its way through a number, and for a name that does \
            not belong to it, such as `sha-256` before an MD5 digest."
    }
    ja {
        message "`{algorithm}` のダイジェストは 16 進数 {expected} 桁だが、この値は {digits} 桁である"
        help "ダイジェストを計算し直すか、コロンの前のアルゴリズム名を正す"
        what "ダイジェストの桁数はアルゴリズムで決まります。16 進数で `md5` は 32 桁、`sha-1` は 40 桁、`sha-256` は \
            64 桁、`sha-384` は 96 桁、`sha-512` は 128 桁です。"
        why "桁数の合わないダイジェストが一致することはありません。検証を行うハーベスタは、何度取得してもリソースを拒否\
            します。"
        mend "値が途中で切れていないか、数値として扱われて先頭の 0 が失われていないかを確認します。MD5 の値に \
            `sha-256` と付けるような、名前の取り違えもよくあります。"
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

fn check(look: &mut Look<'_>, attribute: &Attribute) {
    let Value::Hash(field) = &attribute.value else { return };
    // Digests of the wrong length are never exact.
    let Some(text) = field.loose() else { return };
    for item in Hashes::items(text).take(look.limits.digests as usize) {
        if let (Some(algorithm), DigestForm::WrongLength { digits, expected }) = (item.algorithm(), item.digest) {
            let finding = Finding::new(Code::AT_07)
                .arg("algorithm", algorithm.as_str())
                .arg("digits", digits)
                .arg("expected", expected);
            look.report_part(finding, attribute, item.range);
        }
    }
}
