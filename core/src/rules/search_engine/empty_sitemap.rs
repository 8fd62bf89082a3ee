//! `empty-sitemap`: a sitemap without entries.

use super::sitemap::is_sitemap;
use crate::rules::prelude::*;

rule! {
    "empty-sitemap" reports [SEO_03]
    checks [Check::End(check)]
    message "the document has no entry, and search engines reject an empty sitemap"
    help "name the document in `robots.txt` once it has an entry"
    en {
        what "The Sitemap protocol requires at least one entry. ResourceSync permits an empty Resource List: the set has \
            no resources."
        why "Search engines report an empty sitemap as an error."
        fix "Remove the line `Sitemap:` from `robots.txt` as long as there is nothing to list. If there should be \
            entries, look for the reason in the program that writes the document."
    }
    ja {
        message "エントリが 1 件もなく、検索エンジンは空のサイトマップを受け付けない"
        help "エントリができてから、文書を `robots.txt` に書いてください"
        what "サイトマッププロトコルでは、1 件以上のエントリが必要です。ResourceSync では、リソースのないセットを表す空の\
            リソースリストが許されています。"
        why "検索エンジンは空のサイトマップをエラーとして報告します。"
        fix "列挙するものがない間は、`robots.txt` から `Sitemap:` の行を削除します。エントリがあるはずの場合は、文書を\
            作成するプログラムに原因がないか確認します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.com/theses/1</loc>
  </url>
</urlset>
"#
}

fn check(cx: &mut CheckContext<'_>) {
    if cx.search_engines && cx.memory.entries == 0 && is_sitemap(cx) {
        cx.report_root(Finding::new(Code::SEO_03));
    }
}
