//! `repeated-up`: a second `up` link.

use crate::rules::prelude::*;

rule! {
    "repeated-up" reports [LK_07]
    checks [Check::Related(Depends::Shape, &["up"], check)]
    message "the document has more than one `up` link"
    help "keep the `up` link to the document directly above"
    en {
        what "There is one document directly above a document, so it has one `up` link."
        why "A harvester that navigates to the Capability List or the Source Description has to guess, and different \
            harvesters may end up in different sets of resources."
        fix "Keep the link to the Capability List (in a Capability List, to the Source Description). A link to the \
            index that lists the document is `index`, not `up`."
    }
    ja {
        message "文書に `up` リンクが複数ある"
        help "直接の上位文書への `up` リンクだけを残してください"
        what "直接の上位文書は 1 件なので、`up` リンクも 1 つです。"
        why "機能リストやソース記述にさかのぼるハーベスタは、どのリンクが正しいか推測するしかなく、ハーベスタによって\
            別のリソースセットにたどり着くことがあります。"
        fix "機能リストへのリンク（機能リストではソース記述へのリンク）だけを残します。文書を列挙している\
            インデックスへのリンクは `up` ではなく `index` です。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <rs:ln rel="up" href="https://example.com/set/resourcelist-index.xml"/>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <rs:ln rel="index" href="https://example.com/set/resourcelist-index.xml"/>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let is_up =
        |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("up"));
    // If no `up` link is allowed, each is reported (SD-11).
    if !cx.at_root() || !is_up(link) || matches!(cx.profile.link_need("up"), Need::Unused(_)) {
        return;
    }
    if let Some(first) = cx.memory.links.iter().find(|earlier| is_up(earlier)) {
        cx.report(Finding::new(Code::LK_07).related("first", first.span), link.span);
    }
}
