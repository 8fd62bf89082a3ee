//! `root-interval`: a snapshot has no interval.

use crate::rules::rule;

rule! {
    "root-interval" reports [RL_05, RLI_05, RD_05, RDI_05, RDM_05]
    checks in ["rules/profile.rs"]
    message "`{attribute}` is for intervals, but a {kind} is a snapshot"
    help "use `at` for the time of the snapshot, optionally `completed` for its end, and remove `{attribute}`"
    en {
        what "The root's `rs:md` of Resource Lists, Resource Dumps, their indexes and Resource Dump Manifests has \
            neither `from` nor `until`."
        why "`from` and `until` bound the changes that a document lists. If a snapshot has them, a harvester cannot \
            tell whether the list is complete at one point in time or contains only what changed in an interval, and \
            may delete everything else."
        fix "If the document lists all resources, rename the beginning to `at` and the end to `completed`. If it \
            lists only what changed, it is a Change List: change `capability` and add `change` to each entry."
    }
    ja {
        message "スナップショットを表す{kind}に、期間の属性 `{attribute}` がある"
        help "スナップショットの日時を `at` に（必要に応じて終了日時を `completed` に）書き、`{attribute}` を削除してください"
        what "リソースリスト、リソースダンプ、それらのインデックス、リソースダンプマニフェストのルート要素の `rs:md` \
            では、`from` も `until` も使いません。"
        why "`from` と `until` は、記載した変更の期間を示します。スナップショットにこれらの属性があると、ある時点の\
            全件なのか、期間内に変更されたものだけなのかを区別できず、ハーベスタが残りをすべて\
            削除するおそれがあります。"
        fix "全件のリストであれば、開始日時を `at`、終了日時を `completed` に書き換えます。変更されたものだけの\
            リストは変更リストなので、`capability` を変更し、各エントリに `change` を追加します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z" until="2013-01-03T09:10:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z" completed="2013-01-03T09:10:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
}
