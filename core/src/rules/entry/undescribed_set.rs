//! `undescribed-set`: a Source Description links to a description of each set of resources.

use crate::rules::prelude::*;

rule! {
    "undescribed-set" reports [SD_08]
    checks [Check::Entry(Depends::Shape, check)]
    message "this set of resources has no `describedby` link"
    help r#"add `<rs:ln rel="describedby" href="…"/>` to the entry, linking to a description of the set"#
    en {
        what "Each entry of a Source Description should link, with the relation `describedby`, to a document that \
            describes the set of resources of the Capability List."
        why "A harvester that finds several sets can only go by their URIs. It cannot tell images from metadata \
            records, and harvests everything or nothing."
        fix "Add an `rs:ln` with `rel=\"describedby\"` to every `url`. Its `href` may be a machine-readable \
            description, such as DCAT or VoID; a web page for people is sufficient."
    }
    ja {
        message "リソースセットに `describedby` リンクがない"
        help r#"リソースセットの説明を指す `<rs:ln rel="describedby" href="…"/>` をエントリに追加してください"#
        what "ソース記述の各エントリから、機能リストのリソースセットを説明する文書に、`describedby` でリンクすることが\
            推奨されます。"
        why "リソースセットが複数ある場合、ハーベスタにとって選択の手がかりは URI だけになります。画像なのか\
            メタデータなのかを判断できず、すべてを収集するか、まったく収集しないかのどちらかになります。"
        fix "各 `url` に `rel=\"describedby\"` の `rs:ln` を追加します。`href` には、DCAT や VoID などの機械可読な\
            記述のほか、人が読むための Web ページの URI も書けます。"
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

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    if cx.kind() == Kind::SourceDescription && !entry.links.iter().any(|link| link.names("describedby")) {
        cx.report(Finding::new(Code::SD_08), entry.span);
    }
}
