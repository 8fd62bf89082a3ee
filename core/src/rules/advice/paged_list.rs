//! `paged-list`: a document that links to further pages of itself.

use crate::rules::prelude::*;

rule! {
    "paged-list" reports [ADV_01]
    checks [Check::Related(Depends::Shape, PAGING, check)]
    message "link `{rel}` makes this document one page of a list, but harvesters treat it as the whole list"
    help "list all parts in an index and link to it with `index`"
    en {
        what "A list that does not fit into one document is split into several documents, which are listed in an \
            index. ResourceSync has no pagination."
        why "Harvesters do not follow `next` or `prev`. They treat this page as the whole list and may delete their \
            copies of all resources on the other pages."
        fix "Publish the pages as parts, each a complete document, and list them in a `sitemapindex` with the same \
            `capability`. Link to the index from the Capability List, and with `index` from each part."
    }
    ja {
        message "リンク `{rel}` はリストの 1 ページを示すが、ハーベスタはこの文書をリスト全体とみなす"
        help "すべての部分をインデックスに列挙し、`index` でリンクしてください"
        what "1 件の文書に収まらないリストは、複数の文書に分割し、インデックスに列挙します。ResourceSync にページ\
            分割の仕組みはありません。"
        why "ハーベスタは `next` や `prev` をたどりません。このページをリスト全体とみなし、ほかのページにある\
            リソースのコピーを削除することがあります。"
        fix "各ページをそれぞれ完結した文書として公開し、同じ `capability` の `sitemapindex` に列挙します。機能\
            リストからはインデックスを指し、各文書からは `index` でインデックスにリンクします。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:ln rel="next" href="http://example.com/photos/resourcelist.xml?page=2"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:ln rel="index" href="http://example.com/photos/resourcelist-index.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
  </url>
</urlset>
"#
}

/// The relations used for paging in RFC 8288 and for sitemaps.
const PAGING: &[&str] = &["next", "prev", "previous", "first", "last"];

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    // Reported once per document.
    if !cx.at_root() || !is_paging(link) || cx.memory.links.iter().any(is_paging) {
        return;
    }
    if let Some(rel) = link.attributes.get(Name::Rel) {
        cx.report_value(Finding::new(Code::ADV_01).arg("rel", &*rel.text()), rel);
    }
}

fn is_paging(link: &Link) -> bool {
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    relation.is_some_and(|relation| PAGING.contains(&relation.as_str()))
}
