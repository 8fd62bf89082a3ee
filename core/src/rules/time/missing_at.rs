//! `missing-at`: a snapshot has the time at which it began.

use crate::rules::rule;

rule! {
    "missing-at" reports [RL_03, RLI_03, RD_03, RDI_03, RDM_03]
    checks in ["rules/profile.rs"]
    message "the root's `rs:md` of this {kind} has no `at`"
    help "add `at` to the root's `rs:md`, with the time at which the snapshot began"
    en {
        what "Resource Lists, Resource Dumps, their indexes and Resource Dump Manifests have `at`, the time at which \
            taking the snapshot began."
        why "After copying the snapshot, a harvester continues with the changes since `at`. Without it, the harvester \
            cannot tell which changes its copy already includes, so it misses some or applies all of them again."
        fix "Record the time before the first resource is read from the repository, and write it in UTC, as in \
            `at=\"2013-01-03T09:00:00Z\"`. The time at which the file was finished is too late for `at`; it belongs in \
            `completed`."
    }
    ja {
        message "{kind}のルート要素の `rs:md` に `at` がない"
        help "ルート要素の `rs:md` に、スナップショットの取得を開始した日時を `at` として追加してください"
        what "リソースリスト、リソースダンプ、それらのインデックス、リソースダンプマニフェストでは、スナップショットの\
            取得を開始した日時を `at` に書きます。"
        why "ハーベスタはスナップショットをコピーした後、`at` 以降の変更を適用して同期を続けます。`at` がないと、どの\
            変更がコピーに反映済みか判断できず、変更を見落とすか、すべてを適用し直すことになります。"
        fix "リポジトリから最初のリソースを読み出す前の時刻を記録し、`at=\"2013-01-03T09:00:00Z\"` のように UTC で\
            書きます。ファイルを書き終えた時刻は `at` としては遅すぎます。その時刻は `completed` に書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
}
