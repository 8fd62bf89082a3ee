//! `loc-count`: an entry without `loc`, or with several.

use crate::rules::prelude::*;

rule! {
    "loc-count" reports [GEN_10]
    checks [Check::Entry(Depends::Shape, check)]
    message "the entry has {count} `loc` elements instead of exactly one"
    help "give each entry exactly one `loc`; write a separate entry for each URI"
    en {
        what "Each entry has exactly one `loc`."
        why "`loc` identifies what the entry describes. Without it, a harvester has nothing to fetch; with two, it \
            uses the first or the last and never sees the other."
        fix "Write one entry for each URI. Other URIs of the same resource, such as a mirror, go into an `rs:ln` with \
            `rel=\"duplicate\"` or `rel=\"alternate\"`."
    }
    ja {
        message "エントリの `loc` が {count} 個（必要な数は 1 個）"
        help "`loc` は各エントリに 1 個だけ書き、URI が複数ある場合はエントリを分けてください"
        what "各エントリには `loc` がちょうど 1 個必要です。"
        why "`loc` はエントリの対象を識別します。`loc` がないとハーベスタは何を取得すべきか判断できません。2 個あると\
            最初か最後の一方だけが使われ、もう一方は見落とされます。"
        fix "URI ごとにエントリを 1 件書きます。ミラーなど、同じリソースの別の URI は、`rel=\"duplicate\"` または \
            `rel=\"alternate\"` の `rs:ln` で示します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <loc>http://example.com/items/2</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
  <url>
    <loc>http://example.com/items/2</loc>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    let finding = || Finding::new(Code::GEN_10).arg("count", entry.loc.len());
    match entry.loc.as_slice() {
        [_] => {}
        [_, second, ..] => cx.report_child(finding(), "loc", Some(2), second.span),
        [] => cx.report(finding(), entry.span),
    }
}
