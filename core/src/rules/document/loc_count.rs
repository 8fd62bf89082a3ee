//! `loc-count`: an entry without `loc`, or with several.

use crate::{
    diagnostic::{Code, Finding},
    model::Entry,
    rules::{Check, Look, rule},
};

rule! {
    "loc-count" reports [GEN_10]
    checks [Check::Entry(check)]
    message "the entry has {count} `loc` elements, not exactly one"
    help "give each entry one `loc`; write one entry for each URI"
    en {
        what "Each entry has exactly one `loc`."
        why "The `loc` is what the entry is about. Without one a harvester has nothing to fetch; with two it takes the first or the \
             last and never learns of the other."
        mend "Write one entry for each URI. Other URIs of the same resource, such as a mirror, go into an `rs:ln` with \
              `rel=\"duplicate\"` or `rel=\"alternate\"`."
    }
    ja {
        message "エントリの `loc` の数が {count} 個（1 個でなければならない）"
        help "エントリごとに `loc` を一つだけ書き、URI が複数あればエントリを分ける"
        what "エントリには `loc` がちょうど一つ必要です。"
        why "`loc` はそのエントリが何についてのものかを示します。なければハーベスタは取得するものが分からず、二つあれば最初か最後の\
             一つだけが使われ、もう一方は知られないままになります。"
        mend "URI ごとにエントリを一つ書きます。ミラーなど同じリソースの別の URI は、`rel=\"duplicate\"` や `rel=\"alternate\"` の `rs:ln` に書きます。"
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

fn check(look: &mut Look<'_>, entry: &Entry) {
    let finding = || Finding::new(Code::GEN_10).arg("count", entry.loc.len());
    match entry.loc.as_slice() {
        [_] => {}
        [_, second, ..] => look.report_child(finding(), "loc", Some(2), second.span),
        [] => look.report(finding(), entry.span),
    }
}
