//! `paged-list`: a document that links to further pages of itself.

use crate::{
    diagnostic::{Code, Finding},
    model::{Link, Name},
    rules::{Check, Look, rule},
};

rule! {
    "paged-list" reports [ADV_01]
    checks [Check::Related(PAGING, check)]
    message "the link `{rel}` makes this document one page of a list, which harvesters take for the whole"
    help "list all parts in an index document and link to it with `index`"
    en {
        what "A list that does not fit in one document is split into several, which an index document lists; ResourceSync \
            has no paging."
        why "Harvesters do not follow `next` or `prev`. They read this page, take it for the whole list, and may delete \
            their copies of everything that is on the other pages."
        mend "Publish the pages as parts, each a complete document, and list them in a `sitemapindex` document with the \
            same `capability`. Let the Capability List point to that index, and each part link to it with `index`."
    }
    ja {
        message "リンク `{rel}` がリストの 1 ページであることを示すが、ハーベスタは全体と見なす"
        help "すべての部分をインデックス文書に列挙し、`index` でリンクする"
        what "一つの文書に収まらないリストは複数の文書に分割し、インデックス文書に列挙します。\
            ResourceSync にページ送りはありません。"
        why "ハーベスタは `next` や `prev` をたどりません。このページをリスト全体と見なすため、\
            ほかのページにあるリソースの複製を削除してしまうことがあります。"
        mend "ページをそれぞれ完結した文書として公開し、同じ `capability` を持つ `sitemapindex` 文書に列挙します。\
            機能リストからはそのインデックスを指し、各文書からは `index` でリンクします。"
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

/// What RFC 8288 and the sitemap world page with.
const PAGING: &[&str] = &["next", "prev", "previous", "first", "last"];

fn check(look: &mut Look<'_>, link: &Link) {
    // One link of this kind says it all.
    if !look.at_root() || !is_paging(link) || look.memory.links.iter().any(is_paging) {
        return;
    }
    if let Some(rel) = link.attributes.get(Name::Rel) {
        look.report_value(Finding::new(Code::ADV_01).arg("rel", &*rel.text()), rel);
    }
}

fn is_paging(link: &Link) -> bool {
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    relation.is_some_and(|relation| PAGING.contains(&relation.as_str()))
}
