//! `undescribed-set`: a Source Description says what each set of resources is about.

use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Kind},
    rules::{Check, Look, rule},
};

rule! {
    "undescribed-set" reports [SD_08]
    checks [Check::Entry(check)]
    message "this set of resources has no `describedby` link"
    help r#"add `<rs:ln rel="describedby" href="…"/>` to the entry, leading to a description of the set"#
    en {
        what "Each entry of a Source Description should link, with the relation `describedby`, to a document that \
              describes the set of resources behind that Capability List."
        why "A harvester that finds several sets has nothing but their URIs to choose by. It cannot tell the images \
             from the metadata records, and so takes everything or nothing."
        mend "Put an `rs:ln` with `rel=\"describedby\"` into every `url`. Its `href` may lead to a machine-readable \
              description such as DCAT or VoID; a page made for people is enough."
    }
    ja {
        message "このリソース集合を説明する `describedby` リンクがない"
        help r#"集合の説明文書を指す `<rs:ln rel="describedby" href="…"/>` をエントリに加える"#
        what "ソース記述の各エントリには、その機能リストが扱うリソース集合を説明する文書への `describedby` リンクを\
              置くことが推奨されています。"
        why "集合が複数あるとき、ハーベスタが選ぶ手がかりは URI だけになります。画像の集合なのかメタデータの集合なのかを\
             判断できず、すべて収集するか、まったく収集しないかのどちらかになります。"
        mend "それぞれの `url` に `rel=\"describedby\"` の `rs:ln` を置き、`href` に集合の説明文書の URI を書きます。\
              DCAT や VoID のような機械可読の記述のほか、人が読むためのページでもかまいません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>https://example.com/theses/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>https://example.com/theses/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, entry: &Entry) {
    if look.kind() == Kind::SourceDescription && !entry.links.iter().any(|link| link.names("describedby")) {
        look.report(Finding::new(Code::SD_08), entry.span);
    }
}
