//! `entry-interval`: members and packages of a snapshot have no interval.

use crate::rules::rule;

rule! {
    "entry-interval" reports [RLI_11, RD_13, RDI_10]
    checks []
    message "`{attribute}` belongs to an interval, but the entries of a {kind} are snapshots"
    help "state the time of the list or package in `at` and, if you like, its end in `completed`, and remove \
        `{attribute}`"
    en {
        what "Entries of Resource List Indexes, Resource Dumps and Resource Dump Indexes are dated, if at all, by `at` \
             and `completed`, never by `from` and `until`."
        why "A harvester picks packages of changes by `from` and `until`. Finding them on parts of a snapshot, it may \
             fetch only the parts that seem to fall into its own interval, and leave the copy incomplete."
        mend "Write when making this list or package began as `at`, and when it ended as `completed`; or leave both \
             out, as they are optional here."
    }
    ja {
        message "`{attribute}` は期間を示す属性だが、{kind}のエントリはスナップショットである"
        help "リストやパッケージの日時を `at`（必要なら終わりを `completed`）に書き、`{attribute}` を削除する"
        what "リソースリストインデックス、リソースダンプ、リソースダンプインデックスのエントリに日時を書く場合は、`at` \
             と `completed` を使い、`from` と `until` は使いません。"
        why "ハーベスタは `from` と `until` を見て、必要な変更のパッケージを選びます。スナップショットの一部にこれらが\
             付いていると、自分の期間に入るものだけを取得し、複製が不完全になるおそれがあります。"
        mend "そのリストやパッケージの作成を始めた日時を `at`、終えた日時を `completed` に書きます。どちらも任意なので、省いてもかまいません。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
    <rs:md from="2013-01-03T09:00:00Z"/>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
    <rs:md at="2013-01-03T09:00:00Z"/>
  </sitemap>
</sitemapindex>"#
}
