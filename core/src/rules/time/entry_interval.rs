//! `entry-interval`: index members and packages of a snapshot have no interval.

use crate::rules::rule;

rule! {
    "entry-interval" reports [RLI_11, RD_13, RDI_10]
    checks in ["rules/profile.rs"]
    message "`{attribute}` is for intervals, but the entries of a {kind} are snapshots"
    help "use `at` for the time of the list or package, optionally `completed` for its end, and remove `{attribute}`"
    en {
        what "Entries of Resource List Indexes, Resource Dumps and Resource Dump Indexes may have `at` and \
            `completed`, but never `from` and `until`."
        why "A harvester selects packages of changes by `from` and `until`. If parts of a snapshot have these \
            attributes, it may fetch only those that overlap its own interval and end up with an incomplete copy."
        fix "Write the time at which the generation of the list or package began as `at`, and the time at which it \
            ended as `completed`. Both are optional here and may be omitted."
    }
    ja {
        message "スナップショットを表す{kind}のエントリに、期間の属性 `{attribute}` がある"
        help "リストやパッケージの日時を `at` に（必要に応じて終了日時を `completed` に）書き、`{attribute}` を削除してください"
        what "リソースリストインデックス、リソースダンプ、リソースダンプインデックスのエントリでは、`at` と \
            `completed` を使用できますが、`from` と `until` は使用できません。"
        why "ハーベスタは `from` と `until` によって変更のパッケージを選択します。スナップショットの各部分にこれらの\
            属性があると、必要な期間と重なる部分だけを取得し、コピーが不完全になるおそれがあります。"
        fix "リストやパッケージの作成を開始した日時を `at` に、終了した日時を `completed` に書きます。\
            ここではどちらも任意のため、省略してもかまいません。"
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
