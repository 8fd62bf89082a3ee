//! `repeated-element`: more than one `lastmod` or `changefreq` in an entry.

use crate::rules::prelude::*;

rule! {
    "repeated-element" reports [GEN_15]
    checks [Check::Entry(Depends::Shape, check)]
    message "the entry has {count} `{element}` elements"
    help "keep only one of them"
    en {
        what "`lastmod` and `changefreq` occur at most once in an entry."
        why "It is undefined which of the values a harvester uses. If it uses the older `lastmod`, it considers its \
            copy up to date and does not fetch the resource again."
        fix "Keep the `lastmod` that matches the `Last-Modified` header of the resource. Use the `datetime` attribute \
            of `rs:md` for the time of a change."
    }
    ja {
        message "エントリに `{element}` が {count} 個ある"
        help "1 個だけ残してください"
        what "`lastmod` と `changefreq` は、それぞれ 1 件のエントリに 1 個までです。"
        why "どの値が使われるかは定められていません。古いほうの `lastmod` が使われると、ハーベスタは手元のコピーを\
            最新と判断し、リソースを再取得しません。"
        fix "リソースの `Last-Modified` ヘッダと一致する `lastmod` を残します。変更の日時は `rs:md` の `datetime` \
            属性で示します。"
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

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    if let [_, second, ..] = entry.lastmod.as_slice() {
        report(cx, "lastmod", entry.lastmod.len(), second.span);
    }
    if let [_, second, ..] = entry.changefreq.as_slice() {
        report(cx, "changefreq", entry.changefreq.len(), second.span);
    }
}

fn report(cx: &mut CheckContext<'_>, element: &str, count: usize, second: Span) {
    let finding = Finding::new(Code::GEN_15).arg("element", element).arg("count", count);
    cx.report_child(finding, element, Some(2), second);
}
