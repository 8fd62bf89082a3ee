//! `patch-without-update`: a patch link on a creation or deletion.

use crate::rules::prelude::*;

rule! {
    "patch-without-update" reports [LK_21]
    checks [Check::Related(Depends::Shape, &[PATCH], check)]
    message "patch link on a change of type `{change}`"
    help "remove the link, or correct `change` to `updated`"
    en {
        what "A patch transforms the previous version into the current one, so it belongs on an update."
        why "A created resource has no previous version to patch, and a deleted one has no current version. A \
            harvester can only ignore the link."
        fix "Remove the link from creations and deletions. If the resource existed before and still exists, the \
            change is `updated`."
    }
    ja {
        message "`{change}` の変更にパッチリンクがある"
        help "リンクを削除するか、`change` を `updated` に修正してください"
        what "パッチは直前の版を現在の版に変換するものなので、`updated` の変更に付けます。"
        why "作成されたリソースには直前の版がなく、削除されたリソースには現在の版がありません。ハーベスタはリンクを\
            無視するしかありません。"
        fix "`created` と `deleted` の変更からリンクを削除します。リソースが以前から存在し、現在も存在する場合、\
            変更の種類は `updated` です。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md change="created" datetime="2024-05-02T09:30:00Z" length="8876" type="application/json"/>
    <rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="https://example.com/article/17.patch" type="application/json-patch+json"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md change="updated" datetime="2024-05-02T09:30:00Z" length="8876" type="application/json"/>
    <rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="https://example.com/article/17.patch" type="application/json-patch+json"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let patched = cx.profile.has_patches();
    let (Some(entry), true) = (cx.entry, patched) else { return };
    if !link.attributes.rel().and_then(|rel| rel.value()).is_some_and(Relation::is_patch) {
        return;
    }
    let change = entry.first_md().and_then(|md| md.attributes.change()).and_then(|change| change.exact());
    if let Some(change @ (Change::Created | Change::Deleted)) = change {
        cx.report(Finding::new(Code::LK_21).arg("change", change.as_str()), link.span);
    }
}
