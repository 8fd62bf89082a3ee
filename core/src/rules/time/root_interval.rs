//! `root-interval`: a snapshot has no interval.

use crate::rules::rule;

rule! {
    "root-interval" reports [RL_05, RLI_05, RD_05, RDI_05, RDM_05]
    checks []
    message "`{attribute}` belongs to an interval, but a {kind} is a snapshot"
    help "state the time of the snapshot in `at` and, if you like, its end in `completed`, and remove `{attribute}`"
    en {
        what "The root `rs:md` of Resource Lists, Resource Dumps, their indexes and Resource Dump Manifests has \
             neither `from` nor `until`."
        why "`from` and `until` bound the changes that a document lists. On a snapshot a harvester cannot tell \
             whether the list is complete at one moment, or holds only what changed in an interval, and may delete \
             everything else."
        mend "If the document lists all resources, rename the beginning to `at` and the end to `completed`. If it \
             lists only what changed, it is a Change List: change `capability` and give each entry its `change`."
    }
    ja {
        message "`{attribute}` は期間を示す属性だが、{kind}はスナップショットである"
        help "スナップショットの日時を `at`（必要なら終わりを `completed`）に書き、`{attribute}` を削除する"
        what "リソースリスト、リソースダンプ、そのインデックス、リソースダンプマニフェストのルートの `rs:md` には、\
             `from` も `until` も書きません。"
        why "`from` と `until` は、載せている変更の期間を示す属性です。スナップショットに付いていると、ある時点の\
             全件なのか、期間内に変わったものだけなのか区別できず、ハーベスタが残りをすべて削除するおそれがあります。"
        mend "全件のリストなら、始まりを `at`、終わりを `completed` に書き換えます。変わったものだけのリストは変更リストなので、\
            `capability` を改め、各エントリに `change` を書きます。"
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
