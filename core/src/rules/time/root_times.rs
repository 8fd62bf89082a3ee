//! `root-times`: descriptions and Capability Lists are not dated.

use crate::rules::rule;

rule! {
    "root-times" reports [SD_10, CAP_14]
    checks []
    message "`{attribute}` has no meaning in a {kind}, which is neither a snapshot nor an interval"
    help "remove `{attribute}` from the root `rs:md`"
    en {
        what "The root `rs:md` of Source Descriptions, their indexes and Capability Lists has none of `at`, \
             `completed`, `from` and `until`."
        why "These documents say what is offered, not what was there at some time. A harvester that takes the \
             attribute for the date of the data may believe that it is up to date and stop looking."
        mend "Remove the attribute. When a list or dump was made is stated in that document itself; when this file \
             changed, HTTP says in `Last-Modified`."
    }
    ja {
        message "{kind}はスナップショットでも期間でもなく、`{attribute}` に意味がない"
        help "ルートの `rs:md` から `{attribute}` を削除する"
        what "ソース記述、そのインデックス、機能リストのルートの `rs:md` には、`at`、`completed`、`from`、`until` のい\
             ずれも書きません。"
        why "これらの文書は何が提供されているかを示すもので、ある時点の内容ではありません。データの日付と取り違えた\
             ハーベスタが、最新だと判断して確認をやめるおそれがあります。"
        mend "属性を削除します。リストやダンプの日時はそれぞれの文書に書き、このファイルの更新日時は HTTP の \
             `Last-Modified` で伝えます。"
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
