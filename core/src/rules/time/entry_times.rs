//! `entry-times`: most entries are not dated by snapshot or interval.

use crate::rules::rule;

rule! {
    "entry-times" reports [SD_15, CAP_19, RL_12, RDM_11, CL_12, CDM_12, CN_12]
    checks []
    message "`{attribute}` has no meaning in the entries of a {kind}"
    help "remove `{attribute}`; state a change in `datetime`, a modification in `lastmod`"
    en {
        what "Only entries that stand for a list or a package are dated by `at`, `completed`, `from` and `until`; \
             entries that stand for a resource, a change, a bitstream or a capability have none of them."
        why "A single resource has no snapshot and no interval. A harvester either ignores the attribute, and the \
             date you meant to give is lost, or takes the entry for a member of an index and tries to read it as a \
             list."
        mend "In a Change List, Change Dump Manifest or Change Notification, the time of the change is `datetime`. \
             Anywhere, the time of the last modification is the element `lastmod`. What holds for all entries is \
             stated once, in the root `rs:md`."
    }
    ja {
        message "{kind}のエントリでは `{attribute}` に意味がない"
        help "`{attribute}` を削除し、変更の日時は `datetime`、更新日時は `lastmod` に書く"
        what "エントリに `at`、`completed`、`from`、`until` を書けるのは、リストやパッケージを表す場合だけです。\
             リソース、変更、ビットストリーム、機能を表すエントリには書きません。"
        why "個々のリソースには、スナップショットも期間もありません。属性が無視されて伝えたい日時が失われるか、\
             インデックスのエントリと誤解されてリストとして読まれてしまいます。"
        mend "変更リスト、変更ダンプマニフェスト、変更通知では、変更の日時を `datetime` に書きます。最終更新日時は、ど\
             の文書でも `lastmod` 要素に書きます。全体に共通する日時は、ルートの `rs:md` に一度だけ書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md at="2013-01-02T13:00:00Z" type="text/html"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <lastmod>2013-01-02T13:00:00Z</lastmod>
    <rs:md type="text/html"/>
  </url>
</urlset>"#
}
