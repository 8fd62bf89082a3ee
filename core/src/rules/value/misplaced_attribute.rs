//! `misplaced-attribute`: an attribute of the standard on an element for which it is not defined.

use crate::rules::prelude::*;

rule! {
    "misplaced-attribute" reports [NS_03]
    checks [Check::Md(Depends::Shape, md), Check::Link(Depends::Shape, link)]
    message "`{attribute}` is not defined for this `{element}`"
    help "remove it, or move it to the element that it describes; `modified` of old drafts is now `at` or `from`"
    en {
        what "The standard defines for each attribute whether it is allowed on the `rs:md` or the `rs:ln` of the \
            document or of an entry."
        why "A harvester does not look for the attribute here, so its information is lost. Often it was meant for a \
            neighbouring element, where it is now missing."
        fix "Put metadata of a resource on the `rs:md` of its entry, metadata of a linked resource on the `rs:ln`, \
            and metadata of the document on the root's `rs:md`. Links of the document have only `rel` and `href`."
    }
    ja {
        message "この `{element}` では `{attribute}` が定義されていない"
        help "削除するか、本来の要素に移してください（古い草案の `modified` は、現在の `at` または `from` に当たります）"
        what "各属性を、文書またはエントリの `rs:md` と `rs:ln` のどれに書けるかは、標準で定められています。"
        why "ハーベスタはここにある属性を読まないため、情報が失われます。隣の要素に書くべき属性で、本来の場所では\
            欠けていることもよくあります。"
        fix "リソースの情報はエントリの `rs:md` に、リンク先の情報は `rs:ln` に、文書の情報はルート要素の `rs:md` に\
            書きます。文書のリンクに書けるのは `rel` と `href` だけです。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:md length="8876" type="application/pdf" modified="2024-04-30T08:00:00Z"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <lastmod>2024-04-30T08:00:00Z</lastmod>
    <rs:md length="8876" type="application/pdf"/>
  </url>
</urlset>"#
}

/// Z39.99-2017 §7, Table 3.
const ROOT_MD: Names = names(&[Name::At, Name::Capability, Name::Completed, Name::From, Name::Until]);
const ROOT_LINK: Names = names(&[Name::Href, Name::Rel]);
const ENTRY_MD: Names = names(&[
    Name::At,
    Name::Capability,
    Name::Change,
    Name::Completed,
    Name::Datetime,
    Name::Encoding,
    Name::From,
    Name::Hash,
    Name::Length,
    Name::Path,
    Name::Type,
    Name::Until,
]);
const ENTRY_LINK: Names = names(&[
    Name::Encoding,
    Name::Hash,
    Name::Href,
    Name::Length,
    Name::Modified,
    Name::Path,
    Name::Pri,
    Name::Rel,
    Name::Type,
]);

/// For each name whether it is among them: searching the lists made this the slowest rule.
type Names = [bool; Name::ALL.len()];

/// Computed at compile time, which checks every index.
#[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects)]
const fn names(list: &[Name]) -> Names {
    let mut names = [false; Name::ALL.len()];
    let mut at = 0;
    while at < list.len() {
        names[list[at] as usize] = true;
        at += 1;
    }
    names
}

fn md(cx: &mut CheckContext<'_>, md: &Md) {
    check(cx, "rs:md", if cx.at_root() { &ROOT_MD } else { &ENTRY_MD }, &md.attributes);
}

fn link(cx: &mut CheckContext<'_>, link: &Link) {
    if cx.at_root() {
        check(cx, "rs:ln", &ROOT_LINK, &link.attributes);
    } else if !link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("timegate")) {
        // All attributes of a TimeGate are reported as LK-28.
        check(cx, "rs:ln", &ENTRY_LINK, &link.attributes);
    }
}

fn check(cx: &mut CheckContext<'_>, element: &'static str, defined: &Names, attributes: &Attributes) {
    for attribute in attributes {
        let Some(name) = attribute.value.name().filter(|name| !defined.get(*name as usize).copied().unwrap_or(false))
        else {
            continue;
        };
        let finding = Finding::new(Code::NS_03).arg("attribute", name.as_str()).arg("element", element);
        cx.report_attribute(finding, attribute);
    }
}
