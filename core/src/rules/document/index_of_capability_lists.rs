//! `index-of-capability-lists`: a Capability List published as a `sitemapindex`.

use crate::rules::prelude::*;

rule! {
    "index-of-capability-lists" reports [CAP_02]
    checks [Check::Head(check)]
    message r#"a document with `capability="capabilitylist"` has the root element `sitemapindex`"#
    help "publish each Capability List as a `urlset`, and list several of them in the Source Description"
    en {
        what "Capability Lists are `urlset` documents. A Source does not publish an index of Capability Lists."
        why "Several Capability Lists are found through the Source Description. A harvester that follows the standard \
            does not expect another level between the two and may stop here."
        fix "If the entries are capabilities, such as a Resource List, change the root element to `urlset` and the \
            entries to `url`. If they are Capability Lists, list them in the Source Description and remove this \
            document."
    }
    ja {
        message r#"`capability="capabilitylist"` の文書のルート要素が `sitemapindex`"#
        help "機能リストは `urlset` として公開し、複数ある場合はソース記述に列挙してください"
        what "機能リストは `urlset` の文書です。機能リストのインデックスは作成しません。"
        why "複数の機能リストは、ソース記述からたどれるようにします。標準に従うハーベスタはその間に別の\
            階層があることを想定していないため、ここで処理を打ち切ることがあります。"
        fix "エントリがリソースリストなどの機能を指している場合は、ルート要素を `urlset` に、エントリを `url` に\
            変更します。エントリが機能リストを指している場合は、それらをソース記述に列挙し、この文書を廃止します。"
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

fn check(cx: &mut CheckContext<'_>, _: &Md) {
    let index = cx.root.shape == Some(Shape::SitemapIndex) && cx.kind() == Kind::CapabilityList;
    // If a Capability List was expected, `unexpected-root` reports it.
    if index && cx.expect != Some(Kind::CapabilityList) {
        cx.report_root(Finding::new(Code::CAP_02));
    }
}
