//! `unknown-hash-algorithm`: a digest algorithm with a name that harvesters do not know.

use alloc::string::ToString;

use crate::{rules::prelude::*, value::Algorithm};

rule! {
    "unknown-hash-algorithm" reports [AT_05]
    checks [Check::Named(Depends::Usual, &[Name::Hash], check)]
    message "unknown digest algorithm `{algorithm}` (expected: {known})"
    help "add a digest with a known algorithm name, such as `sha-256`; rejoin a name that was wrapped across lines"
    en {
        what "The name before the colon identifies the digest algorithm. The standard gives `md5` and `sha-256` as \
            examples and allows others."
        why "A harvester that does not know the name cannot compute the digest and accepts the resource unverified. \
            Names are compared exactly, so not every harvester accepts `SHA256` for `sha-256`."
        fix "Write the name in lower case with its hyphen: `md5`, `sha-1`, `sha-256`, `sha-384`, `sha-512`. A digest \
            of another algorithm may be listed in addition to one of these."
    }
    ja {
        message "未知のダイジェストアルゴリズム `{algorithm}`（想定される値: {known}）"
        help "`sha-256` など既知のアルゴリズムのダイジェストを追加してください（途中で改行された名前は 1 つにつなぎます）"
        what "コロンの前の名前は、ダイジェストのアルゴリズムを示します。標準は `md5` と `sha-256` を例として挙げ、\
            ほかのアルゴリズムも認めています。"
        why "アルゴリズム名を知らないハーベスタはダイジェストを計算できず、リソースを検証せずに受け入れます。名前は\
            厳密に比較されるため、`SHA256` が `sha-256` として扱われるとは限りません。"
        fix "`md5`、`sha-1`、`sha-256`、`sha-384`、`sha-512` のように、小文字でハイフンを付けて書きます。ほかの\
            アルゴリズムのダイジェストは、これらに追加する形で残せます。"
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

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let AttributeValue::Hash(field) = &attribute.value else { return };
    if field.exact().is_some_and(|hashes| hashes.iter().all(|hash| hash.algorithm.digits().is_some())) {
        return;
    }
    let text = attribute.laid_out();
    for item in Hashes::items(&text).take(cx.limits.digests as usize) {
        let known = match &item.kind {
            HashKind::Alias(meant) => meant.as_str().to_string(),
            HashKind::Unknown => Algorithm::KNOWN.each_ref().map(Algorithm::as_str).join(", "),
            HashKind::Known(_) | HashKind::NoDigest => continue,
        };
        let finding = Finding::new(Code::AT_05).arg("algorithm", item.algorithm_text).arg("known", known);
        let end = item.range.start.saturating_add(item.algorithm_text.len());
        cx.report_part(finding, attribute, item.range.start..end);
    }
}
