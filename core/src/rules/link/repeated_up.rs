//! `repeated-up`: a second way up.

use crate::{
    diagnostic::{Code, Finding},
    model::Link,
    rules::{Check, Look, Need, rule},
};

rule! {
    "repeated-up" reports [LK_07]
    checks [Check::Related(&["up"], check)]
    message "the document has more than one `up` link"
    help "keep the `up` link to the document directly above"
    en {
        what "A document has one document directly above it, so it has one `up` link."
        why "A harvester that climbs to the Capability List or the Source Description has to guess, and two harvesters \
            may end up in different sets of resources."
        mend "Keep the link to the Capability List (from a Capability List: to the Source Description). A link to an \
            index of the document is `index`, not `up`."
    }
    ja {
        message "文書に `up` リンクが複数ある"
        help "すぐ上の文書への `up` リンクだけを残す"
        what "文書のすぐ上の文書は一つなので、`up` リンクも一つです。"
        why "機能リストやソース記述へさかのぼるハーベスタは、どちらをたどるか推測するしかなく、ハーベスタによって別のリ\
            ソース集合に行き着くことがあります。"
        mend "機能リストへのリンク（機能リストではソース記述へのリンク）だけを残します。文書をまとめるインデックス\
            へのリンクは `up` ではなく `index` です。"
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

fn check(look: &mut Look<'_>, link: &Link) {
    let is_up =
        |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("up"));
    // Where no `up` link belongs, each has its own finding (SD-11).
    if !look.at_root() || !is_up(link) || matches!(look.profile.link_need("up"), Need::Unused(_)) {
        return;
    }
    if let Some(first) = look.memory.links.iter().find(|earlier| is_up(earlier)) {
        look.report(Finding::new(Code::LK_07).related("first", first.span), link.span);
    }
}
