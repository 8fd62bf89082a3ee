//! `malformed-hash`: something in `hash` that is not a digest with its algorithm.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, Name, Value},
    rules::{Check, Look, rule},
    value::{HashKind, Hashes},
};

rule! {
    "malformed-hash" reports [AT_04]
    checks [Check::Named(&[Name::Hash], check)]
    message "`{value}` in `hash` is not a digest of the form `algorithm:digest`"
    help "write each digest as `md5:…` or `sha-256:…` with white space only between digests; join a digest that was \
        wrapped in its middle"
    en {
        what "`hash` is a list of one or more digests, each written `algorithm:digest`, separated by white space."
        why "A harvester cannot tell what the piece is, so it has nothing to verify the transfer with. Many readers \
            drop the whole attribute because of one bad piece."
        mend "Put the algorithm and a colon before each digest and no blank after the colon. If a formatter broke the \
            line inside `sha-256:…`, join the pieces again. Leave the attribute out where there is no digest."
    }
    ja {
        message "`hash` の `{value}` は `アルゴリズム:ダイジェスト` の形ではない"
        help "`md5:…` や `sha-256:…` の形で書き、空白はダイジェストの間だけに置き、途中で折り返された値は一つにつなぐ"
        what "`hash` には、`アルゴリズム:ダイジェスト` の形のダイジェストを一つ以上、空白で区切って並べます。"
        why "ハーベスタはその部分の意味を判断できず、転送結果を検証できません。一か所の誤りのために属性全体を無視する実\
            装も少なくありません。"
        mend "各ダイジェストの前にアルゴリズム名とコロンを置き、コロンの後に空白は入れません。整形ツールが \
            `sha-256:…` の途中で改行した場合は元どおりにつなぎます。ダイジェストがないときは属性ごと省きます。"
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

fn check(look: &mut Look<'_>, attribute: &Attribute) {
    let Value::Hash(field) = &attribute.value else { return };
    let Some(text) = field.malformed() else { return };
    let mut items = Hashes::items(text).take(look.limits.digests as usize).peekable();
    if items.peek().is_none() {
        look.report_value(Finding::new(Code::AT_04).arg("value", text), attribute);
    }
    for item in items.filter(|item| item.kind == HashKind::NoDigest) {
        let finding = Finding::new(Code::AT_04).arg("value", text.get(item.range.clone()).unwrap_or(text));
        look.report_part(finding, attribute, item.range);
    }
}
