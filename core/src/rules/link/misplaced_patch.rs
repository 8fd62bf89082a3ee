//! `misplaced-patch`: a patch in a document that lists no changes.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Link},
    rules::{Check, Look, rule},
    value::{PATCH, Relation},
};

rule! {
    "misplaced-patch" reports [LK_18]
    checks [Check::Related(&[PATCH], check)]
    message "patch link in a {kind}"
    help "remove the link; patches belong to Change Lists and Change Dump Manifests"
    en {
        what "Patch links apply to the changes listed in Change Lists and Change Dumps only."
        why "A patch leads from the previous version to the current one. A harvester that reads a state, not a change, \
            has no previous version to apply it to."
        mend "Move the link to the entry of the change in the Change List, or to the manifest of the Change Dump."
    }
    ja {
        message "{kind}にパッチリンクがある"
        help "リンクを削除し、パッチは変更リストと変更ダンプマニフェストに書く"
        what "パッチリンクを使えるのは、変更リストと変更ダンプに載る変更だけです。"
        why "パッチは直前の版から現在の版への変更を表します。変更ではなく状態を読むハーベスタには、適用すべき直前の版が\
            ありません。"
        mend "変更リストの該当する変更のエントリか、変更ダンプマニフェストにリンクを移します。"
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

fn check(look: &mut Look<'_>, link: &Link) {
    // Of notifications the standard says nothing.
    let fine = [Kind::ChangeList, Kind::ChangeDumpManifest, Kind::ChangeNotification, Kind::Unknown];
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    if !fine.contains(&look.kind()) && relation.is_some_and(Relation::is_patch) {
        look.report(Finding::new(Code::LK_18).arg("kind", look.kind()), link.span);
    }
}
