//! `memento-not-lastmod`: the memento is not the listed version.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Link, Name},
    rules::{Check, CheckContext, Depends, rule},
};

rule! {
    "memento-not-lastmod" reports [LK_27]
    checks [Check::Related(Depends::Values, &["memento"], check)]
    message "`modified` of the memento is `{modified}`, but `lastmod` of the entry is `{lastmod}`"
    help "link to the memento of the listed version, or correct `modified`"
    en {
        what "The memento is the version that the entry lists, so its `modified` is the same time as the `lastmod` of \
            the entry."
        why "A harvester that fetches the memento gets a version other than the one described by the digest and length \
            of the entry."
        fix "Create the memento together with the new version, and take both times from the same source. Example 29 \
            of the standard contains this inconsistency, too, but its text requires equal times."
    }
    ja {
        message "メメントの `modified` は `{modified}` だが、エントリの `lastmod` は `{lastmod}`"
        help "エントリの版のメメントにリンクするか、`modified` を修正してください"
        what "メメントはエントリが示す版そのものなので、その `modified` はエントリの `lastmod` と同じ日時です。"
        why "メメントを取得したハーベスタは、エントリのダイジェストやサイズとは異なる版を受け取ります。"
        fix "メメントは新しい版と同時に作成し、2 つの日時を同じ情報源から取得します。標準の例 29 でも両者が\
            一致していませんが、本文では同じ日時が求められています。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <lastmod>2024-04-30T08:00:00Z</lastmod>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="memento" href="https://example.com/20240430080000/article/17" modified="2024-04-29T08:00:00Z"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <lastmod>2024-04-30T08:00:00Z</lastmod>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="memento" href="https://example.com/20240430080000/article/17" modified="2024-04-30T08:00:00Z"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let is_memento =
        |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("memento"));
    let Some(entry) = cx.entry.filter(|_| is_memento(link)) else { return };
    let ([child], Some(attribute)) = (entry.lastmod.as_slice(), link.attributes.get(Name::Modified)) else { return };
    let modified = link.attributes.modified().and_then(|field| field.exact());
    let (Some(lastmod), Some(modified)) = (child.field.exact(), modified) else { return };
    // Of several mementos only the first can be the listed version (LK-25).
    let first = entry.links.iter().find(|link| is_memento(link));
    if lastmod.start() != modified.start() && first.is_some_and(|first| core::ptr::eq(first, link)) {
        let finding = Finding::new(Code::LK_27)
            .arg("modified", attribute.text().into_owned())
            .arg("lastmod", child.field.text().into_owned())
            .related("lastmod", child.field.span());
        cx.report_value(finding, attribute);
    }
}
