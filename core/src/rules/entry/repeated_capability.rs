//! `repeated-capability`: a Capability List has one entry for each capability.

use crate::rules::prelude::*;

rule! {
    "repeated-capability" reports [CAP_06]
    checks [Check::Md(Depends::State, check)]
    message "duplicate entry for the capability `{value}`"
    help "list each capability once; group several documents of the same capability in an index and list the index"
    en {
        what "A Capability List has at most one entry for each capability."
        why "A harvester uses the first entry or the last and never sees the other. The resources listed there are \
            missing from its copy, without any error."
        fix "If the set has several Resource Lists, Change Lists or dumps, publish an index (`sitemapindex`) of them \
            and list only the index. If they belong to different sets of resources, publish a Capability List for each \
            set."
    }
    ja {
        message "機能 `{value}` のエントリが重複"
        help "各機能のエントリは 1 件だけとし、同じ機能の文書が複数ある場合はインデックスにまとめて、インデックスを列挙してください"
        what "機能リストのエントリは、1 つの機能につき 1 件までです。"
        why "ハーベスタは最初か最後のエントリだけを使い、もう一方を見ません。そこに列挙されたリソースは、\
            エラーにもならずに収集から漏れます。"
        fix "1 つのリソースセットにリソースリスト、変更リスト、ダンプが複数ある場合は、それらのインデックス\
            （`sitemapindex`）を公開し、機能リストにはインデックスだけを書きます。別々のリソースセットのものであれば、\
            セットごとに機能リストを分けます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/theses/resourcelist1.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
  <url>
    <loc>https://example.com/theses/resourcelist2.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  <rs:ln rel="up" href="https://example.com/.well-known/resourcesync"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>https://example.com/theses/resourcelist-index.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.kind() != Kind::CapabilityList || cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let Some(field) = md.attributes.capability() else { return };
    let Some(capability) = field.exact() else { return };
    // A `sitemapindex` of Capability Lists is discouraged (CAP-02), but it lists several of them.
    if cx.root.shape == Some(Shape::SitemapIndex) && *capability == Capability::CapabilityList {
        return;
    }
    if let Some(first) = cx.memory.capabilities.get(capability) {
        let finding = Finding::new(Code::CAP_06).arg("value", &*field.text()).related("first", first.span);
        cx.report_named(finding, md, Name::Capability);
    }
}
