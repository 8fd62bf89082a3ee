//! `misplaced-datetime`: only entries for changes have `datetime`.

use crate::rules::rule;

rule! {
    "misplaced-datetime" reports [AT_23]
    checks in ["rules/profile.rs"]
    message "unexpected `datetime` in an entry of a {kind}"
    help "remove `datetime`; use `lastmod` for the last modification of the resource"
    en {
        what "`datetime`, the time of a change, is used only in Change Lists, Change Dump Manifests and notifications."
        why "Harvesters do not look for it in other documents. If it was meant as the time of the last modification, \
            they do not see it and fetch the resource again."
        fix "If you mean the time of the last modification, write it as `lastmod`. Entries of an index or a dump have \
            `at` and `completed`, or `from` and `until`, instead."
    }
    ja {
        message "{kind}のエントリでは `datetime` を使えない"
        help "`datetime` を削除し、リソースの最終更新日時は `lastmod` に書いてください"
        what "変更の日時を表す `datetime` を使うのは、変更リスト、変更ダンプマニフェスト、変更通知、フレームワーク\
            通知だけです。"
        why "ほかの文書では、ハーベスタは `datetime` を読みません。最終更新日時のつもりで書いても伝わらず、リソースは\
            再取得されます。"
        fix "最終更新日時であれば `lastmod` に書きます。インデックスやダンプのエントリでは、`at` と `completed`、\
            または `from` と `until` を使います。"
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
