//! `invalid-priority`: a `priority` outside of the range of the Sitemap protocol.

use super::sitemap::is_sitemap;
use crate::rules::prelude::*;

rule! {
    "invalid-priority" reports [SEO_05]
    checks [Check::Entry(Depends::State, check)]
    message "`priority` is `{value}`, not a number from 0.0 to 1.0"
    help "write a number from 0.0 to 1.0, or remove the element"
    en {
        what "`priority` of the Sitemap protocol is a number from 0.0 to 1.0, 0.5 by default. ResourceSync does not use it."
        why "Search engines report another value as an invalid tag value."
        fix "Remove the element unless you set it for each page: search engines compare only the pages of one site. The \
            priority of a link is `pri` of `rs:ln`, an integer from 1 to 999999."
    }
    ja {
        message "`priority` が `{value}` で、0.0 から 1.0 までの数ではない"
        help "0.0 から 1.0 までの数を書くか、要素を削除してください"
        what "サイトマッププロトコルの `priority` は 0.0 から 1.0 までの数で、既定値は 0.5 です。ResourceSync では使いません。"
        why "検索エンジンは、それ以外の値を無効なタグ値として報告します。"
        fix "ページごとに設定しているのでなければ、要素を削除します。検索エンジンが比較するのは、同じサイトのページどうしだけです。\
            リンクの優先順位は `rs:ln` の `pri` で、1 から 999999 までの整数です。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.com/theses/1</loc>
    <priority>high</priority>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.com/theses/1</loc>
    <priority>0.8</priority>
  </url>
</urlset>
"#
}

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    if !cx.search_engines || !is_sitemap(cx) {
        return;
    }
    for (number, child) in (1..).zip(&entry.priority) {
        if let Some(text) = child.field.malformed() {
            let finding = Finding::new(Code::SEO_05).arg("value", text);
            cx.report_child(finding, "priority", (number > 1).then_some(number), child.field.span());
        }
    }
}
