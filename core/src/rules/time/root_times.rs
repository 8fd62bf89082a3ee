//! `root-times`: Source Descriptions and Capability Lists have no snapshot or interval.

use crate::rules::rule;

rule! {
    "root-times" reports [SD_10, CAP_14]
    checks in ["rules/profile.rs"]
    message "`{attribute}` has no meaning in a {kind}, which is neither a snapshot nor an interval"
    help "remove `{attribute}` from the root's `rs:md`"
    en {
        what "The root's `rs:md` of Source Descriptions, their indexes and Capability Lists has none of `at`, \
            `completed`, `from` and `until`."
        why "These documents describe what is offered, not the state at some point in time. A harvester that takes the \
            attribute for the date of the data may consider itself up to date and stop checking."
        fix "Remove the attribute. The time of a list or dump is in that document itself; the modification time of \
            this file is in the HTTP header `Last-Modified`."
    }
    ja {
        message "スナップショットでも期間でもない{kind}では `{attribute}` に意味がない"
        help "ルート要素の `rs:md` から `{attribute}` を削除してください"
        what "ソース記述、そのインデックス、機能リストのルート要素の `rs:md` では、`at`、`completed`、`from`、`until` \
            のいずれも使いません。"
        why "これらの文書は提供している内容を示すもので、特定の時点の状態を表すものではありません。属性をデータの\
            日付と解釈したハーベスタは、最新の状態にあると判断して確認をやめるおそれがあります。"
        fix "属性を削除します。リストやダンプの日時はそれぞれの文書に書き、このファイルの更新日時は HTTP の \
            `Last-Modified` ヘッダで示します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/.well-known/resourcesync"/>
  <rs:ln rel="describedby" href="http://example.com/dataset1/about.html"/>
  <rs:md capability="capabilitylist" from="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/dataset1/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/.well-known/resourcesync"/>
  <rs:ln rel="describedby" href="http://example.com/dataset1/about.html"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>http://example.com/dataset1/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>"#
}
