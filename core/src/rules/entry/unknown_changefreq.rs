//! `unknown-changefreq`: seven words say how often a resource changes.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Entry},
    rules::{Check, Look, rule},
};

rule! {
    "unknown-changefreq" reports [AT_34]
    checks [Check::Entry(check)]
    message "`changefreq` is `{value}`, which is none of {known}"
    help "write one of {known}, in lower case, or leave `changefreq` out"
    en {
        what "`changefreq` is exactly `always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly` or `never`."
        why "A harvester that plans its visits by `changefreq` ignores a word it does not know, and a reader that checks \
             against the schema of the Sitemap protocol refuses the whole document."
        mend "Write the nearest of the seven words in lower case. If you do not know how often the resource changes, \
              leave the element out; it is optional."
    }
    ja {
        message "`changefreq` の値 `{value}` は {known} のいずれでもない"
        help "{known} のいずれかを小文字で書くか、`changefreq` を省く"
        what "`changefreq` の値は `always`、`hourly`、`daily`、`weekly`、`monthly`、`yearly`、`never` のいずれかで、つづりは\
              完全に一致しなければなりません。"
        why "`changefreq` をもとに巡回を計画するハーベスタは、知らない語を無視します。サイトマッププロトコルのスキーマで検証する\
             実装は、文書全体を受け付けません。"
        mend "最も近い語を小文字で書きます。更新の頻度が分からない場合は、必須ではないので要素ごと省きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <changefreq>sometimes</changefreq>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <changefreq>yearly</changefreq>
  </url>
</urlset>"#
}

const KNOWN: &str = "`always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly`, `never`";

fn check(look: &mut Look<'_>, entry: &Entry) {
    // A sitemap that does not speak of ResourceSync and was merely found beside other files is not ours to judge.
    if look.plain_sitemap && look.memory.md.is_none() {
        return;
    }
    for (number, child) in (1..).zip(&entry.changefreq) {
        if let Some(text) = child.field.loose() {
            let finding = Finding::new(Code::AT_34).arg("value", text).arg("known", KNOWN);
            look.report_child(finding, "changefreq", (number > 1).then_some(number), child.field.span());
        }
    }
}
