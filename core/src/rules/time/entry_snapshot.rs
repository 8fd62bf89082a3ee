//! `entry-snapshot`: members and packages of changes are not snapshots.

use crate::rules::rule;

rule! {
    "entry-snapshot" reports [CLI_12, CD_13, CDI_10]
    checks []
    message "`{attribute}` belongs to a snapshot, but the entries of a {kind} cover intervals"
    help "state the interval of the list or package in `from` and `until`, and remove `{attribute}`"
    en {
        what "Entries of Change List Indexes, Change Dumps and Change Dump Indexes are dated by `from` and `until`, \
             never by `at` and `completed`."
        why "A harvester chooses among lists and packages of changes by their intervals. `at` does not say where the \
             interval begins or ends, so it has to fetch everything to find the few changes it needs."
        mend "Repeat `from` of the list or package and, if it will not be added to any more, its `until`. When the \
             file was made is not stated here."
    }
    ja {
        message "`{attribute}` はスナップショットを示す属性だが、{kind}のエントリは期間を扱う"
        help "リストやパッケージの期間を `from` と `until` に書き、`{attribute}` を削除する"
        what "変更リストインデックス、変更ダンプ、変更ダンプインデックスのエントリの日時は `from` と `until` で示し、\
             `at` と `completed` は使いません。"
        why "ハーベスタは期間を見て、必要な変更のリストやパッケージを選びます。`at` では期間の始まりも終わりも分から\
             ず、わずかな変更のためにすべてを取得することになります。"
        mend "そのリストやパッケージの `from` を書き、もう追記しないものには `until` も書きます。ファイルを作成した\
             日時は書きません。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
    <rs:md from="2013-01-01T00:00:00Z" at="2013-01-02T00:05:00Z"/>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
    <rs:md from="2013-01-01T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
}
