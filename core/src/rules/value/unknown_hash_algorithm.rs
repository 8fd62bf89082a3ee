//! `unknown-hash-algorithm`: a digest whose algorithm has no name that harvesters know.

use alloc::string::ToString;

use crate::{
    diagnostic::{Code, Finding},
    model::{Attribute, Name, Value},
    rules::{Check, Look, rule},
    value::{Algorithm, HashKind, Hashes},
};

rule! {
    "unknown-hash-algorithm" reports [AT_05]
    checks [Check::Named(&[Name::Hash], check)]
    message "`{algorithm}` is not a known digest algorithm (known: {known})"
    help "give a digest under a known name, such as `sha-256`; if that name was wrapped in its middle, join it"
    en {
        what "The word before the colon says how the digest was computed; the standard names `md5` and `sha-256` as \
            examples and leaves the set open."
        why "A harvester that does not know the word cannot compute the digest and takes the resource unverified. Names \
            are compared letter by letter, so `SHA256` is not `sha-256` everywhere."
        mend "Write the name in lower case with its hyphen: `md5`, `sha-1`, `sha-256`, `sha-384`, `sha-512`. A digest of \
            another algorithm may stay beside one of these."
    }
    ja {
        message "`{algorithm}` は既知のダイジェストアルゴリズムではない（既知: {known}）"
        help "`sha-256` など既知の名前のダイジェストを示し、途中で折り返された名前は一つにつなぐ"
        what "コロンの前の語は、ダイジェストの計算方法を示します。標準は `md5` と `sha-256` を例に挙げ、ほかの名前も認め\
            ています。"
        why "名前を知らないハーベスタはダイジェストを計算できず、リソースを検証しないまま取り込みます。名前は一字ずつ比\
            較されるため、`SHA256` が `sha-256` と認められるとは限りません。"
        mend "`md5`、`sha-1`、`sha-256`、`sha-384`、`sha-512` のように、小文字でハイフンを付けて書きます。ほかのア\
            ルゴリズムのダイジェストは、これらと並べて残せます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md hash="SHA256:854f61290e2e197a11bc91063afce22e43f8ccc655237050ace766adc68dc784" length="8876" type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md hash="sha-256:854f61290e2e197a11bc91063afce22e43f8ccc655237050ace766adc68dc784" length="8876" type="application/pdf"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, attribute: &Attribute) {
    let Value::Hash(field) = &attribute.value else { return };
    if field.exact().is_some_and(|hashes| hashes.iter().all(|hash| hash.algorithm.digits().is_some())) {
        return;
    }
    let text = attribute.laid_out();
    for item in Hashes::items(&text).take(look.limits.digests as usize) {
        let known = match &item.kind {
            HashKind::Alias(meant) => meant.as_str().to_string(),
            HashKind::Unknown => Algorithm::KNOWN.each_ref().map(Algorithm::as_str).join(", "),
            HashKind::Known(_) | HashKind::NoDigest => continue,
        };
        let finding = Finding::new(Code::AT_05).arg("algorithm", item.algorithm_text).arg("known", known);
        let end = item.range.start.saturating_add(item.algorithm_text.len());
        look.report_part(finding, attribute, item.range.start..end);
    }
}
