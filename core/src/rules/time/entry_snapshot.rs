//! `entry-snapshot`: index members and packages of changes are not snapshots.

use crate::rules::rule;

rule! {
    "entry-snapshot" reports [CLI_12, CD_13, CDI_10]
    checks in ["rules/profile.rs"]
    message "`{attribute}` is for snapshots, but the entries of a {kind} are intervals"
    help "use `from` and `until` for the interval of the list or package, and remove `{attribute}`"
    en {
        what "Entries of Change List Indexes, Change Dumps and Change Dump Indexes have `from` and `until`, never `at` \
            and `completed`."
        why "A harvester selects lists and packages of changes by their intervals. `at` specifies neither the \
            beginning nor the end of an interval, so the harvester has to fetch everything to find the few changes it \
            needs."
        fix "Copy the `from` of the list or package and, if it is closed, its `until`. The time at which the file was \
            generated is not recorded here."
    }
    ja {
        message "期間を表す{kind}のエントリに、スナップショットの属性 `{attribute}` がある"
        help "リストやパッケージの期間を `from` と `until` に書き、`{attribute}` を削除してください"
        what "変更リストインデックス、変更ダンプ、変更ダンプインデックスのエントリでは `from` と `until` を使い、`at` \
            と `completed` は使いません。"
        why "ハーベスタは期間によって変更のリストやパッケージを選択します。`at` からは期間の開始も終了も\
            分からないため、わずかな変更を得るためにすべてを取得することになります。"
        fix "リストやパッケージの `from` を書き、追記を終えている場合は `until` も書きます。ファイルを生成した日時は\
            書きません。"
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
