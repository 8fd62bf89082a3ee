//! `malformed-hash`: `hash` contains something other than digests with their algorithms.

use crate::rules::prelude::*;

rule! {
    "malformed-hash" reports [AT_04]
    checks [Check::Named(Depends::Usual, &[Name::Hash], check)]
    message "`{value}` in `hash` does not have the form `algorithm:digest`"
    help "write each digest as `md5:…` or `sha-256:…`, with white space only between digests; rejoin digests that were wrapped across lines"
    en {
        what "`hash` is a list of one or more digests of the form `algorithm:digest`, separated by white space."
        why "A harvester cannot interpret the value and has nothing to verify the download with. Many implementations \
            ignore the whole attribute because of a single malformed item."
        fix "Put the algorithm and a colon before each digest, without white space after the colon. If a formatter \
            wrapped the line within `sha-256:…`, rejoin the parts. Omit the attribute if there is no digest."
    }
    ja {
        message "`hash` の `{value}` が `アルゴリズム:ダイジェスト` の形式ではない"
        help "各ダイジェストを `md5:…` や `sha-256:…` の形式で書き、空白はダイジェストの間だけに入れてください（途中で改行された値は 1 つにつなぎます）"
        what "`hash` は、`アルゴリズム:ダイジェスト` の形式のダイジェストを 1 つ以上、空白で区切って並べたものです。"
        why "ハーベスタは値を解釈できず、取得したリソースを検証できません。1 か所の誤りだけで属性全体を無視する実装も\
            多くあります。"
        fix "各ダイジェストの前にアルゴリズム名とコロンを書き、コロンの後に空白は入れません。整形ツールが \
            `sha-256:…` の途中で改行している場合は、つなぎ直します。ダイジェストがない場合は、属性を省略します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md hash="1584abdf8ebdc9802ac0c6a7402c03b6" length="8876" type="application/pdf"/>
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
    let Some(text) = field.malformed() else { return };
    let mut items = Hashes::items(text).take(cx.limits.digests as usize).peekable();
    if items.peek().is_none() {
        cx.report_value(Finding::new(Code::AT_04).arg("value", text), attribute);
    }
    for item in items.filter(|item| item.kind == HashKind::NoDigest) {
        let finding = Finding::new(Code::AT_04).arg("value", text.get(item.range.clone()).unwrap_or(text));
        cx.report_part(finding, attribute, item.range);
    }
}
