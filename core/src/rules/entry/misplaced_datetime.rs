//! `misplaced-datetime`: only entries that stand for changes say when it happened.

use crate::rules::rule;

rule! {
    "misplaced-datetime" reports [AT_23]
    checks []
    message "an entry of a {kind} has `datetime`, which belongs to changes"
    help "remove `datetime`; say when the resource was last modified with `lastmod`"
    en {
        what "`datetime`, the time of a change, is used in Change Lists, Change Dump Manifests and notifications only."
        why "Harvesters do not look for it in other kinds of documents. If it was meant as the time of the last \
             modification, they do not learn that time and fetch the resource again."
        mend "Where the time of the last modification is meant, write it as `lastmod`. In an index or a dump the \
              entries have `at` and `completed`, or `from` and `until`, instead."
    }
    ja {
        message "{kind}のエントリに、変更の日時を表すための `datetime` がある"
        help "`datetime` を削除し、最終更新日時は `lastmod` に書く"
        what "変更の日時を表す `datetime` を使うのは、変更リスト、変更ダンプマニフェスト、変更通知、フレームワーク通知だけです。"
        why "ほかの種類の文書では、ハーベスタは `datetime` を見ません。最終更新日時のつもりで書いても伝わらず、リソースは\
             再び取得されます。"
        mend "最終更新日時であれば `lastmod` に書きます。インデックスやダンプのエントリでは、`at` と `completed`、または \
              `from` と `until` を使います。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md datetime="2024-03-28T09:30:00Z" type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <lastmod>2024-03-28T09:30:00Z</lastmod>
    <rs:md type="application/pdf"/>
  </url>
</urlset>"#
}
