//! `repeated-capability`: a Capability List has one door to each capability.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Kind, Md, Name, Shape},
    rules::{Check, Look, Step, rule},
    value::Capability,
};

rule! {
    "repeated-capability" reports [CAP_06]
    checks [Check::Md(check)]
    message "the capability `{value}` has an entry already"
    help "list each capability once; group several documents of one capability under an index and list the index"
    en {
        what "A Capability List has at most one entry for each capability."
        why "A harvester takes the first entry, or the last, and never sees the other: the resources listed there are \
             missing from its copy without any error."
        mend "If there are several Resource Lists, Change Lists or dumps of the set, publish an index (`sitemapindex`) \
              of them and list only the index. If they belong to different sets of resources, give each set a \
              Capability List of its own."
    }
    ja {
        message "機能 `{value}` のエントリがすでにある"
        help "機能ごとにエントリを一つにし、同じ機能の文書が複数あればインデックスにまとめて載せる"
        what "機能リストに載せるエントリは、一つの機能につき一つまでです。"
        why "ハーベスタは最初または最後のエントリだけを使い、もう一方を見ません。そこに列挙されたリソースは、エラーも\
             出ないまま収集から漏れます。"
        mend "一つの集合にリソースリスト、変更リスト、ダンプが複数あるときは、それらのインデックス（`sitemapindex`）を\
              公開し、インデックスだけを載せます。別々のリソース集合のものであれば、集合ごとに機能リストを分けます。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    if look.kind() != Kind::CapabilityList || look.at_root() || look.step != Step::Md(1) {
        return;
    }
    let Some(field) = md.attributes.capability() else { return };
    let Some(capability) = field.exact() else { return };
    // A `sitemapindex` of Capability Lists is discouraged (CAP-02), yet it lists many of them.
    if look.root.shape == Some(Shape::SitemapIndex) && *capability == Capability::CapabilityList {
        return;
    }
    if let Some((_, first)) = look.memory.capabilities.iter().find(|(listed, _)| listed == capability) {
        let finding = Finding::new(Code::CAP_06).arg("value", &*field.text()).related("first", first.span);
        look.report_named(finding, md, Name::Capability);
    }
}
