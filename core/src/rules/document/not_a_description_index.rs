//! `not-a-description-index`: the document is not the expected Source Description Index.

use super::{missing_capability::stated, unexpected_capability::unexpected};
use crate::rules::prelude::*;

rule! {
    "not-a-description-index" reports [SDI_02]
    checks [Check::Head(check)]
    message "expected a {expectedKind}, found `{found}`"
    help r#"use the root element `sitemapindex` with `capability="description"`, or change the expected kind"#
    en {
        what "A Source Description Index is a `sitemapindex` whose root `rs:md` has `capability=\"description\"`."
        why "A harvester finds all Source Descriptions of a Source through this document. If something else is in its \
            place, the Source Descriptions that are listed nowhere else cannot be found."
        fix "A Source with a single Source Description needs no index; expect a `source-description` in that case. \
            Otherwise correct the root element or the `capability` value, whichever is reported."
    }
    ja {
        message "想定は{expectedKind}だが、実際は `{found}`"
        help "ルート要素を `sitemapindex`、`capability` を `description` にするか、想定する文書の種類を変更してください"
        what "ソース記述インデックスは、ルート要素の `rs:md` に `capability=\"description\"` を持つ `sitemapindex` の\
            文書です。"
        why "ハーベスタは、この文書を通じてソースのすべてのソース記述を発見します。別の文書になっていると、ほかで\
            列挙されていないソース記述は発見されません。"
        fix "ソース記述が 1 件だけであればインデックスは不要です。その場合は、想定する種類を `source-description` \
            にします。それ以外の場合は、指摘されたルート要素または `capability` の値を修正します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="http://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>http://example.com/theses/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describedby" href="http://example.com/theses/about.html"/>
  </url>
</urlset>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:md capability="description"/>
  <sitemap>
    <loc>http://example.com/description1.xml</loc>
  </sitemap>
</sitemapindex>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.expect != Some(Kind::SourceDescriptionIndex) || stated(md).is_none() {
        return;
    }
    let finding =
        |found: &str| Finding::new(Code::SDI_02).arg("found", found).arg("expectedKind", Kind::SourceDescriptionIndex);
    // The capability is more specific than the root, so it is reported if both differ.
    match (unexpected(cx, md), md.attributes.get(Name::Capability)) {
        (Some(_), Some(attribute)) => cx.report_value(finding(&attribute.text()), attribute),
        _ if cx.root.shape == Some(Shape::UrlSet) => cx.report_root(finding(Shape::UrlSet.root())),
        _ => {}
    }
}
