//! `repeated-algorithm`: two digests of the same algorithm.

use crate::rules::prelude::*;

rule! {
    "repeated-algorithm" reports [AT_08]
    checks [Check::Named(Depends::Usual, &[Name::Hash], check)]
    message "`hash` has more than one `{algorithm}` digest"
    help "keep one digest for each algorithm"
    en {
        what "A `hash` describes one bitstream, so there is one digest for each algorithm."
        why "If the digests differ, one of them is wrong and the harvester cannot tell which. Some harvesters check \
            the first, some the last, so their results differ."
        fix "Remove the outdated digest. The digest of another representation belongs on the `rs:ln` or the entry of \
            that representation."
    }
    ja {
        message "`hash` に `{algorithm}` のダイジェストが複数ある"
        help "アルゴリズムごとにダイジェストを 1 つだけ残してください"
        what "`hash` は 1 つのビットストリームについての情報なので、ダイジェストはアルゴリズムごとに 1 つです。"
        why "値が異なる場合は一方が誤りですが、ハーベスタにはどちらが誤りか判断できません。最初の値を使う実装と最後の\
            値を使う実装があるため、検証結果がハーベスタによって異なります。"
        fix "古いほうのダイジェストを削除します。別の表現のダイジェストは、その表現の `rs:ln` またはエントリに\
            書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md hash="md5:1584abdf8ebdc9802ac0c6a7402c03b6 md5:1e0d5cb8ef6ba40c99b14c0237be735e" length="8876" type="application/pdf"/>
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
    let limit = cx.limits.digests as usize;
    let repeats = |hashes: &Hashes| {
        let algorithms = || hashes.iter().take(limit).map(|hash| &hash.algorithm);
        algorithms().enumerate().any(|(at, algorithm)| algorithms().take(at).any(|earlier| earlier == algorithm))
    };
    if field.value().is_some_and(|hashes| !repeats(hashes)) {
        return;
    }
    let text = attribute.laid_out();
    for (at, item) in Hashes::items(&text).take(limit).enumerate() {
        let Some(algorithm) = item.algorithm() else { continue };
        if Hashes::items(&text).take(at).any(|earlier| earlier.algorithm().as_ref() == Some(&algorithm)) {
            let finding = Finding::new(Code::AT_08).arg("algorithm", algorithm.as_str());
            cx.report_part(finding, attribute, item.range);
        }
    }
}
