//! `unknown-changefreq`: `changefreq` has one of the seven values that the Sitemap protocol defines.

use crate::rules::prelude::*;

rule! {
    "unknown-changefreq" reports [AT_34]
    checks [Check::Entry(Depends::State, check)]
    message "`changefreq` is `{value}`; expected one of {known}"
    help "use one of {known}, in lower case, or remove `changefreq`"
    en {
        what "`changefreq` is exactly `always`, `hourly`, `daily`, `weekly`, `monthly`, `yearly` or `never`."
        why "A harvester that schedules its visits by `changefreq` ignores unknown values, and a reader that validates \
            against the schema of the Sitemap protocol rejects the whole document."
        fix "Use the closest of the seven values, in lower case. If you do not know how often the resource changes, \
            omit the element; it is optional."
    }
    ja {
        message "`changefreq` の値 `{value}` が不正（使用できる値: {known}）"
        help "{known} のいずれかを小文字で書くか、`changefreq` を削除してください"
        what "`changefreq` の値は、`always`、`hourly`、`daily`、`weekly`、`monthly`、`yearly`、`never` のいずれかと\
            完全に一致しなければなりません。"
        why "`changefreq` をもとに巡回を計画するハーベスタは、未知の値を無視します。サイトマッププロトコルのスキーマで\
            検証する実装は、文書全体を拒否します。"
        fix "7 つの値のうち最も近いものを小文字で書きます。更新頻度が分からない場合は、任意の要素なので省略します。"
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

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    // A plain sitemap that was found in a folder is not validated as a ResourceSync document.
    if cx.plain_sitemap && cx.memory.md.is_none() {
        return;
    }
    for (number, child) in (1..).zip(&entry.changefreq) {
        if let Some(text) = child.field.loose() {
            let finding = Finding::new(Code::AT_34).arg("value", text).arg("known", KNOWN);
            cx.report_child(finding, "changefreq", (number > 1).then_some(number), child.field.span());
        }
    }
}
