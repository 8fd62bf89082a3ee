//! `missing-at`: a snapshot says when it began.

use crate::rules::rule;

rule! {
    "missing-at" reports [RL_03, RLI_03, RD_03, RDI_03, RDM_03]
    checks []
    message "the {kind} does not say when its snapshot began: `at` is missing"
    help "add `at` to the root `rs:md`, with the time at which taking the snapshot began"
    en {
        what "Resource Lists, Resource Dumps, their indexes and Resource Dump Manifests state in `at` when taking the \
             snapshot began."
        why "A harvester that has copied the snapshot goes on with the changes made since `at`. Without it, it cannot \
             tell which changes the copy already holds: it misses some, or applies all of them again."
        mend "Read the clock before the first resource is read from the repository and write that moment in UTC, as \
             in `at=\"2013-01-03T09:00:00Z\"`. The time at which the file was finished is too late; it belongs in \
             `completed`."
    }
    ja {
        message "{kind}に `at` がなく、スナップショットの開始日時が分からない"
        help "ルートの `rs:md` に、スナップショットの作成を始めた日時を `at` として書く"
        what "リソースリスト、リソースダンプ、そのインデックス、リソースダンプマニフェストは、スナップショットの作成を\
             始めた日時を `at` に書きます。"
        why "ハーベスタはスナップショットを複製したあと、`at` 以降の変更を追って同期を続けます。`at` がないと、どの\
             変更が複製に含まれているか分からず、変更を取りこぼすか、すべてを適用し直すことになります。"
        mend "リポジトリから最初のリソースを読み出す前の時刻を控え、`at=\"2013-01-03T09:00:00Z\"` のように UTC で書き\
             ます。ファイルを書き終えた時刻では遅すぎます。それは `completed` に書く値です。"
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
