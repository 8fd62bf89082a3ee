//! `misplaced-change`: only entries that stand for changes say what happened.

use crate::rules::rule;

rule! {
    "misplaced-change" reports [AT_22]
    checks []
    message "an entry of a {kind} has `change`, which belongs to changes"
    help "remove `change`, or publish the changes in a Change List"
    en {
        what "`change` is used in Change Lists, Change Dump Manifests and notifications only."
        why "Entries of the other kinds stand for what exists, not for what happened. Harvesters ignore the attribute: \
             a resource marked as deleted in a Resource List is fetched like all others."
        mend "Remove `change`. To tell what was created, updated or deleted, publish a Change List beside the Resource \
              List, and leave deleted resources out of the Resource List."
    }
    ja {
        message "{kind}のエントリに、変更を表すための `change` がある"
        help "`change` を削除するか、変更リストを公開して変更を知らせる"
        what "`change` を使うのは、変更リスト、変更ダンプマニフェスト、変更通知、フレームワーク通知だけです。"
        why "ほかの種類の文書のエントリは、起きたことではなく、現にあるものを表します。ハーベスタはこの属性を無視するため、\
             リソースリストで削除済みと書いたリソースも、ほかと同じように取得されます。"
        mend "`change` を削除します。作成・更新・削除を伝えたい場合は、リソースリストとは別に変更リストを公開し、削除した\
              リソースはリソースリストから除きます。"
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
