//! `not-a-description-index`: something else where a Source Description Index was expected.

use super::{missing_capability::stated, unexpected_capability::unexpected};
use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Md, Name, Shape},
    rules::{Check, Look, rule},
};

rule! {
    "not-a-description-index" reports [SDI_02]
    checks [Check::Head(check)]
    message "`{found}` where a {expectedKind} was expected"
    help "make the root element `sitemapindex` and its `capability` `description`, or expect another kind"
    en {
        what "A Source Description Index is a `sitemapindex` whose root `rs:md` has `capability=\"description\"`."
        why "A harvester finds all Source Descriptions of a Source through this document. Anything else in its place hides those \
             that are listed nowhere else."
        mend "A Source with one Source Description needs no index: expect a `source-description` then. Otherwise correct the root \
              element or the value, whichever is reported."
    }
    ja {
        message "{expectedKind}が期待される場所に `{found}` がある"
        help "ルート要素を `sitemapindex`、`capability` を `description` にするか、期待する種類を改める"
        what "ソース記述インデックスは、ルート直下の `rs:md` に `capability=\"description\"` を持つ `sitemapindex` です。"
        why "ハーベスタは、この文書を通じてソースのすべてのソース記述を見つけます。代わりに別の文書があると、ほかに記載のないソース記述は\
             見つけられません。"
        mend "ソース記述が一つだけであればインデックスは不要で、`source-description` を期待するようにします。そうでなければ、指摘された\
              ルート要素または値を直します。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    if look.expect != Some(Kind::SourceDescriptionIndex) || stated(md).is_none() {
        return;
    }
    let finding =
        |found: &str| Finding::new(Code::SDI_02).arg("found", found).arg("expectedKind", Kind::SourceDescriptionIndex);
    // The capability says more about what this is, so it is named when both differ.
    match (unexpected(look, md), md.attributes.get(Name::Capability)) {
        (Some(_), Some(attribute)) => look.report_value(finding(&attribute.text()), attribute),
        _ if look.root.shape == Some(Shape::UrlSet) => look.report_root(finding(Shape::UrlSet.root())),
        _ => {}
    }
}
