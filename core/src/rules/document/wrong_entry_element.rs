//! `wrong-entry-element`: `sitemap` in a `urlset`, or `url` in a `sitemapindex`.

use crate::{model::EntryElement, rules::prelude::*};

rule! {
    "wrong-entry-element" reports [GEN_08]
    checks [Check::Entry(Depends::Shape, check)]
    message "`{found}` entry in a `{root}`, where entries are `{expected}`"
    help "use `url` entries in a `urlset` and `sitemap` entries in a `sitemapindex`"
    en {
        what "The entries of a `urlset` are `url` elements, those of a `sitemapindex` are `sitemap` elements. The two \
            must not be mixed."
        why "A harvester looks only for `url` in a `urlset` and only for `sitemap` in a `sitemapindex`. It does not \
            see the other entries, and the resources or documents they list are missing from its copy."
        fix "Rename the entries. If they refer to further lists, the root element should be `sitemapindex`; if they \
            refer to resources or packages, it should be `urlset`."
    }
    ja {
        message "`{expected}` をエントリとする `{root}` に `{found}` がある"
        help "エントリの要素名を、`urlset` では `url`、`sitemapindex` では `sitemap` にしてください"
        what "`urlset` のエントリは `url`、`sitemapindex` のエントリは `sitemap` です。両者を\
            混在させることはできません。"
        why "ハーベスタは `urlset` では `url` だけを、`sitemapindex` では `sitemap` だけを処理します。それ以外の\
            エントリは認識されず、そこに書かれたリソースや文書は収集されません。"
        fix "エントリの要素名を修正します。エントリがほかのリストを指す場合はルート要素を `sitemapindex` に、\
            リソースやパッケージを指す場合は `urlset` にします。"
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

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    let Some(shape) = cx.root.shape else { return };
    if matches!(
        (shape, entry.element),
        (Shape::UrlSet, EntryElement::Sitemap) | (Shape::SitemapIndex, EntryElement::Url)
    ) {
        let finding = Finding::new(Code::GEN_08)
            .arg("found", entry.element.as_str())
            .arg("root", shape.root())
            .arg("expected", shape.entry());
        cx.report(finding, entry.span);
    }
}
