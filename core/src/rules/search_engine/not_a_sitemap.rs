//! `not-a-sitemap`: a document that `robots.txt` must not name as a sitemap.

use super::sitemap::is_sitemap;
use crate::rules::prelude::*;

rule! {
    "not-a-sitemap" reports [SEO_01]
    checks [Check::Head(check)]
    message "a {kind} is not a sitemap for search engines"
    help "name no other documents than sitemaps, Resource Lists and Resource List Indexes in `robots.txt` and in the consoles of search engines"
    en {
        what "Search engines read sitemaps: documents that list the pages of a site as they are now. Of the documents of \
            ResourceSync these are the Resource List and the Resource List Index."
        why "All documents of ResourceSync look like sitemaps. A Change List contains resources that were deleted, and \
            the other documents list documents and packages instead of pages. Search engines fetch these as pages, and \
            report missing ones as errors."
        fix "Keep the document as it is: harvesters find it from the Capability List. Make sure that no line `Sitemap:` of \
            `robots.txt` names it."
    }
    ja {
        message "{kind}は検索エンジン用のサイトマップではない"
        help "`robots.txt` と検索エンジンの管理画面には、サイトマップ、リソースリスト、リソースリストインデックスだけを登録してください"
        what "検索エンジンが読み取るのは、サイトの現在のページを列挙したサイトマップです。ResourceSync の文書でこれに当たるのは、\
            リソースリストとリソースリストインデックスです。"
        why "ResourceSync の文書は、どれもサイトマップの形式です。しかし、変更リストには削除されたリソースが含まれ、そのほかの\
            文書が列挙するのはページではなく文書やパッケージです。検索エンジンはこれらをページとして取得し、存在しないものを\
            エラーとして報告します。"
        fix "文書を変更する必要はありません。ハーベスタは機能リストからこの文書を見つけます。`robots.txt` の `Sitemap:` の行に\
            この文書を書いていないことを確認します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1</loc>
    <rs:md change="deleted" datetime="2024-05-01T14:20:05Z"/>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.com/theses/2</loc>
  </url>
</urlset>
"#
}

fn check(cx: &mut CheckContext<'_>, _: &Md) {
    let is_published = cx.profile.delivery == Delivery::Web && cx.kind() != Kind::Unknown;
    if cx.search_engines && is_published && !is_sitemap(cx) {
        cx.report_root(Finding::new(Code::SEO_01).arg("kind", cx.kind()));
    }
}
