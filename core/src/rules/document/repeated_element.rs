//! `repeated-element`: more than one `lastmod` or `changefreq` in an entry.

use crate::{
    diagnostic::{Code, Finding},
    model::Entry,
    rules::{Check, Look, rule},
    span::Span,
};

rule! {
    "repeated-element" reports [GEN_15]
    checks [Check::Entry(check)]
    message "the entry has {count} `{element}` elements"
    help "keep one of them"
    en {
        what "`lastmod` and `changefreq` occur at most once in an entry."
        why "Which of two values a harvester takes is left to chance. With the older `lastmod` it believes that its copy is up to \
             date and does not fetch the resource again."
        mend "Keep the `lastmod` that equals the `Last-Modified` header of the resource. To say when a change happened, use \
              `datetime` of `rs:md` instead."
    }
    ja {
        message "エントリに `{element}` が {count} 個ある"
        help "一つだけ残す"
        what "`lastmod` と `changefreq` は、一つのエントリに一度しか書けません。"
        why "二つの値のどちらが使われるかは決まっていません。古いほうの `lastmod` が使われると、ハーベスタは手元の複製が最新だと判断し、\
             リソースを取得し直しません。"
        mend "リソースの `Last-Modified` ヘッダと同じ `lastmod` を残します。変更の日時を示すには、`rs:md` の `datetime` を使います。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <lastmod>2024-03-01T09:00:00Z</lastmod>
    <lastmod>2024-03-05T09:00:00Z</lastmod>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <lastmod>2024-03-05T09:00:00Z</lastmod>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, entry: &Entry) {
    if let [_, second, ..] = entry.lastmod.as_slice() {
        report(look, "lastmod", entry.lastmod.len(), second.span);
    }
    if let [_, second, ..] = entry.changefreq.as_slice() {
        report(look, "changefreq", entry.changefreq.len(), second.span);
    }
}

fn report(look: &mut Look<'_>, element: &str, count: usize, second: Span) {
    let finding = Finding::new(Code::GEN_15).arg("element", element).arg("count", count);
    look.report_child(finding, element, Some(2), second);
}
