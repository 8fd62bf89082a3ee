//! `harvester-elements`: elements of ResourceSync in the root of a sitemap.

use super::sitemap::is_sitemap;
use crate::rules::prelude::*;

rule! {
    "harvester-elements" reports [SEO_02]
    checks [Check::Head(check)]
    message "Google's Search Console reports `rs:md` and `rs:ln` of the root element as invalid tags"
    help "give search engines a sitemap without elements of ResourceSync, and name that in `robots.txt`"
    en {
        what "The Sitemap protocol permits elements of other namespaces, and ResourceSync requires `rs:md` and `rs:ln` in \
            the root element of a Resource List."
        why "From 2016 to 2025, operators of repositories have reported that Google's Search Console shows an error \
            `Invalid XML tag` for each of the two. Other search engines document that they report tags that they do \
            not know."
        fix "Where this disturbs, publish the pages in a plain sitemap, too, as every web framework and repository \
            platform can, and name that one to search engines. The Resource List stays as it is: harvesters find it from \
            the Capability List."
    }
    ja {
        message "Google の Search Console は、ルート要素の `rs:md` と `rs:ln` を無効なタグとして報告する"
        help "検索エンジンには ResourceSync の要素を含まないサイトマップを用意し、`robots.txt` にはそれを書いてください"
        what "サイトマッププロトコルでは、ほかの名前空間の要素が許されています。ResourceSync では、リソースリストのルート要素に \
            `rs:md` と `rs:ln` が必要です。"
        why "2016 年から 2025 年にかけて、リポジトリの運用者から、Google の Search Console がこの 2 つの要素について「無効な XML \
            タグ」のエラーを表示するという報告があります。未知のタグを報告すると説明している検索エンジンもあります。"
        fix "支障がある場合は、ページを通常のサイトマップとしても公開し、検索エンジンにはそちらを登録します。通常のサイトマップは、\
            多くの Web フレームワークやリポジトリソフトウェアで作成できます。リソースリストを変更する必要はありません。ハーベスタは\
            機能リストからリソースリストを見つけます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1</loc>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.com/theses/1</loc>
  </url>
</urlset>
"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.search_engines && is_sitemap(cx) {
        cx.report(Finding::new(Code::SEO_02), md.span);
    }
}
