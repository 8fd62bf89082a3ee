//! `entry-times`: entries other than lists and packages have no snapshot or interval attributes.

use crate::rules::rule;

rule! {
    "entry-times" reports [SD_15, CAP_19, RL_12, RDM_11, CL_12, CDM_12, CN_12]
    checks in ["rules/profile.rs"]
    message "`{attribute}` has no meaning in the entries of a {kind}"
    help "remove `{attribute}`; use `datetime` for the time of a change and `lastmod` for the last modification"
    en {
        what "Only entries for lists and packages have `at`, `completed`, `from` and `until`. Entries for resources, \
            changes, bitstreams and capabilities have none of them."
        why "A single resource has no snapshot and no interval. A harvester either ignores the attribute, so the \
            intended date is lost, or mistakes the entry for an index member and tries to parse it as a list."
        fix "In a Change List, Change Dump Manifest or Change Notification, use `datetime` for the time of the \
            change. In any document, use the element `lastmod` for the last modification. A time that applies to all \
            entries goes into the root's `rs:md` once."
    }
    ja {
        message "{kind}のエントリでは `{attribute}` に意味がない"
        help "`{attribute}` を削除し、変更の日時は `datetime`、最終更新日時は `lastmod` で示してください"
        what "`at`、`completed`、`from`、`until` を使えるのは、リストやパッケージを指すエントリだけです。リソース、\
            変更、ビットストリーム、機能のエントリでは使いません。"
        why "個々のリソースにはスナップショットも期間もありません。属性が無視されて、示したかった日時が失われるか、\
            インデックスのエントリと誤認されてリストとして解析されます。"
        fix "変更リスト、変更ダンプマニフェスト、変更通知では、変更の日時を `datetime` に書きます。最終更新日時は、\
            どの文書でも `lastmod` 要素に書きます。すべてのエントリに共通する日時は、ルート要素の `rs:md` に 1 回だけ\
            書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md at="2013-01-02T13:00:00Z" type="text/html"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <lastmod>2013-01-02T13:00:00Z</lastmod>
    <rs:md type="text/html"/>
  </url>
</urlset>"#
}
