//! `misplaced-patch`: a patch link in a document that does not list changes.

use crate::rules::prelude::*;

rule! {
    "misplaced-patch" reports [LK_18]
    checks [Check::Related(Depends::Shape, &[PATCH], check)]
    message "patch link in a {kind}"
    help "remove the link; patches belong in Change Lists and Change Dump Manifests"
    en {
        what "Patch links are allowed only for changes in Change Lists and Change Dumps."
        why "A patch transforms the previous version into the current one. A harvester that reads a state, not a \
            change, has no previous version to which it could be applied."
        fix "Move the link to the entry of the change in the Change List, or to the manifest of the Change Dump."
    }
    ja {
        message "{kind}にパッチリンクがある"
        help "リンクを削除してください（パッチは変更リストと変更ダンプマニフェストに書きます）"
        what "パッチリンクを使えるのは、変更リストと変更ダンプの変更だけです。"
        why "パッチは、直前の版を現在の版に変換するものです。変更ではなく状態を読むハーベスタには、パッチを適用する\
            直前の版がありません。"
        fix "リンクを、変更リストの該当する変更のエントリ、または変更ダンプのマニフェストに移します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="application/json"/>
    <rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="https://example.com/article/17.patch" type="application/json-patch+json"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="application/json"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    // The standard does not specify this for notifications.
    let is_allowed = cx.profile.lists_changes || cx.kind() == Kind::Unknown;
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    if !is_allowed && relation.is_some_and(Relation::is_patch) {
        cx.report(Finding::new(Code::LK_18).arg("kind", cx.kind()), link.span);
    }
}
