//! `misplaced-change`: only entries for changes have `change`.

use crate::rules::rule;

rule! {
    "misplaced-change" reports [AT_22]
    checks in ["rules/profile.rs"]
    message "unexpected `change` in an entry of a {kind}"
    help "remove `change`, or publish the changes in a Change List"
    en {
        what "`change` is used only in Change Lists, Change Dump Manifests and notifications."
        why "Entries of other documents describe what exists, not what happened. Harvesters ignore the attribute: a \
            resource marked as deleted in a Resource List is fetched like all the others."
        fix "Remove `change`. To announce what was created, updated or deleted, publish a Change List in addition to \
            the Resource List, and remove deleted resources from the Resource List."
    }
    ja {
        message "{kind}のエントリでは `change` を使えない"
        help "`change` を削除するか、変更リストを公開してください"
        what "`change` を使うのは、変更リスト、変更ダンプマニフェスト、変更通知、フレームワーク通知だけです。"
        why "ほかの文書のエントリは、変更ではなく、現在あるものを表します。ハーベスタはこの属性を無視するため、\
            リソースリストで削除済みとしたリソースも、ほかのリソースと同様に取得されます。"
        fix "`change` を削除します。作成、更新、削除を知らせるには、リソースリストに加えて変更リストを公開し、\
            削除したリソースはリソースリストから除きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md change="created" type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md type="application/pdf"/>
  </url>
</urlset>"#
}
