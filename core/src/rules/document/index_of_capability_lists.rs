//! `index-of-capability-lists`: a Capability List written as an index.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Md, Shape},
    rules::{Check, Look, rule},
};

rule! {
    "index-of-capability-lists" reports [CAP_02]
    checks [Check::Head(check)]
    message "a `sitemapindex` with `capability=\"capabilitylist\"`"
    help "publish the Capability List as a `urlset`; list several of them in the Source Description"
    en {
        what "Capability Lists are `urlset` documents, and Sources make no index of them."
        why "Finding several Capability Lists is what the Source Description is for. A harvester that follows the standard \
             does not expect another level between the two and may stop here."
        mend "If the entries are capabilities such as a Resource List, change the root to `urlset` and the entries to `url`. If \
              they are Capability Lists, list them in the Source Description and drop this document."
    }
    ja {
        message "`capability=\"capabilitylist\"` の文書が `sitemapindex` になっている"
        help "機能リストは `urlset` で公開し、複数ある場合はソース記述に列挙する"
        what "機能リストは `urlset` の文書で、ソースは機能リストのインデックスを作りません。"
        why "複数の機能リストはソース記述からたどります。標準に従うハーベスタは、その間にもう一段あるとは想定しておらず、\
             ここで止まることがあります。"
        mend "エントリがリソースリストなどの機能であれば、ルートを `urlset` に、エントリを `url` に変えます。エントリが機能リストであれば、\
              それらをソース記述に列挙し、この文書をなくします。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/description.xml"/>
  <rs:ln rel="describedby" href="http://example.com/about.xml"/>
  <rs:md capability="capabilitylist"/>
  <sitemap>
    <loc>http://example.com/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
  </sitemap>
</sitemapindex>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/description.xml"/>
  <rs:ln rel="describedby" href="http://example.com/about.xml"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>http://example.com/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, _: &Md) {
    let index = look.root.shape == Some(Shape::SitemapIndex) && look.kind() == Kind::CapabilityList;
    // Where a Capability List was expected, `unexpected-root` says it.
    if index && look.expect != Some(Kind::CapabilityList) {
        look.report_root(Finding::new(Code::CAP_02));
    }
}
