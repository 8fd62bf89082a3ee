//! `root-snapshot`: a document of changes is not a snapshot.

use crate::rules::rule;

rule! {
    "root-snapshot" reports [CL_05, CLI_05, CD_05, CDI_05, CDM_05, CN_05, FN_04]
    checks []
    message "`{attribute}` belongs to a snapshot, but a {kind} covers an interval"
    help "state the interval in `from` and `until`, and remove `{attribute}`"
    en {
        what "The root `rs:md` of Change Lists, Change Dumps, their indexes, Change Dump Manifests and notifications \
             has neither `at` nor `completed`."
        why "`at` and `completed` time a snapshot of all resources. A harvester that finds them on changes cannot \
             tell which interval is covered, and so not from where to continue."
        mend "Write the beginning of the interval as `from`. Write its end as `until` only if no change will be added \
             to the document any more. The time at which the file was generated has no attribute of its own; leave \
             it out."
    }
    ja {
        message "`{attribute}` はスナップショットを示す属性だが、{kind}は期間を扱う"
        help "期間を `from` と `until` に書き、`{attribute}` を削除する"
        what "変更リスト、変更ダンプ、そのインデックス、変更ダンプマニフェスト、通知のルートの `rs:md` には、`at` も \
             `completed` も書きません。"
        why "`at` と `completed` は、全リソースのスナップショットの日時です。変更の文書に付いていると、どの期間の\
             変更なのか分からず、ハーベスタはどこから続ければよいか判断できません。"
        mend "期間の始まりを `from` に書きます。終わりは、もう変更を追記しない場合にだけ `until` に書きます。ファイル\
             を生成した日時を書く属性はないため、省きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-02T00:00:00Z" at="2013-01-03T00:05:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md change="updated" datetime="2013-01-02T13:00:00Z"/>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
    <rs:md change="created" datetime="2013-01-02T14:00:00Z"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-02T00:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md change="updated" datetime="2013-01-02T13:00:00Z"/>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
    <rs:md change="created" datetime="2013-01-02T14:00:00Z"/>
  </url>
</urlset>"#
}
