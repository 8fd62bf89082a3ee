//! `memento-without-modified`: a `memento` link without the time of its version.

use crate::rules::prelude::*;

rule! {
    "memento-without-modified" reports [LK_26]
    checks [Check::Related(Depends::Shape, &["memento"], check)]
    message "`memento` link without `modified`"
    help "add `modified` with the last modification time of this version"
    en {
        what "A `memento` link refers to the listed version of the resource and has the last modification time of that \
            version in `modified`."
        why "A harvester cannot tell from when the version is, or whether the memento still corresponds to the state \
            that it has copied."
        fix "Add `modified` with the last modification time of the version, the same as the `lastmod` of the entry, \
            as a full datetime in UTC."
    }
    ja {
        message "`modified` のない `memento` リンク"
        help "その版の最終更新日時を `modified` に書いてください"
        what "`memento` リンクはエントリが示す版を指し、その版の最終更新日時を `modified` で示します。"
        why "ハーベスタは、その版がいつのものか、メメントがコピーした状態に対応するかどうかを判断できません。"
        fix "その版の最終更新日時を `modified` に書きます。値はエントリの `lastmod` と同じ日時で、秒まで含む UTC の\
            日時とします。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <lastmod>2024-04-30T08:00:00Z</lastmod>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="memento" href="https://example.com/20240430080000/article/17"/>
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
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    if !cx.at_root()
        && relation.is_some_and(|relation| relation.is("memento"))
        && link.attributes.get(Name::Modified).is_none()
    {
        cx.report(Finding::new(Code::LK_26), link.span);
    }
}
