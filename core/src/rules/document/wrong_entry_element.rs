//! `wrong-entry-element`: `sitemap` in a `urlset`, or `url` in a `sitemapindex`.

use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, EntryElement, Shape},
    rules::{Check, Look, rule},
};

rule! {
    "wrong-entry-element" reports [GEN_08]
    checks [Check::Entry(check)]
    message "a `{found}` entry in a `{root}`, which has `{expected}` entries"
    help "name the entries after the root: `url` in a `urlset`, `sitemap` in a `sitemapindex`"
    en {
        what "The entries of a `urlset` are `url`, those of a `sitemapindex` are `sitemap`; the two are not mixed."
        why "A harvester looks below `urlset` for `url` only, and below `sitemapindex` for `sitemap` only. It does not see entries \
             of the other name, and what they list is missing from its copy."
        mend "Rename the entries. If the entries lead to further lists, the root should be `sitemapindex`; if they are resources or \
              packages, it should be `urlset`."
    }
    ja {
        message "`{expected}` をエントリとする `{root}` に `{found}` がある"
        help "エントリの名前をルートに合わせる（`urlset` では `url`、`sitemapindex` では `sitemap`）"
        what "`urlset` のエントリは `url`、`sitemapindex` のエントリは `sitemap` で、両者を混ぜることはできません。"
        why "ハーベスタは `urlset` の下では `url` だけを、`sitemapindex` の下では `sitemap` だけを探します。別の名前のエントリは見えないため、\
             そこに挙げたものは収集されません。"
        mend "エントリの名前を直します。エントリがほかのリストを指しているならルートを `sitemapindex` に、リソースやパッケージを指しているなら `urlset` にします。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/resourcelist1.xml</loc>
  </url>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
  </sitemap>
</sitemapindex>"#
}

fn check(look: &mut Look<'_>, entry: &Entry) {
    let Some(shape) = look.root.shape else { return };
    if matches!(
        (shape, entry.element),
        (Shape::UrlSet, EntryElement::Sitemap) | (Shape::SitemapIndex, EntryElement::Url)
    ) {
        let finding = Finding::new(Code::GEN_08)
            .arg("found", entry.element.as_str())
            .arg("root", shape.root())
            .arg("expected", shape.entry());
        look.report(finding, entry.span);
    }
}
