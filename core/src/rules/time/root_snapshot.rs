//! `root-snapshot`: a document of changes is not a snapshot.

use crate::rules::rule;

rule! {
    "root-snapshot" reports [CL_05, CLI_05, CD_05, CDI_05, CDM_05, CN_05, FN_04]
    checks in ["rules/profile.rs"]
    message "`{attribute}` is for snapshots, but a {kind} covers an interval"
    help "use `from` and `until` for the interval, and remove `{attribute}`"
    en {
        what "The root's `rs:md` of Change Lists, Change Dumps, their indexes, Change Dump Manifests and notifications \
            has neither `at` nor `completed`."
        why "`at` and `completed` are the times of a snapshot of all resources. If a document of changes has them, a \
            harvester cannot tell which interval it covers and where to continue."
        fix "Write the beginning of the interval as `from`. Write its end as `until` only if no further changes will \
            be added to the document. There is no attribute for the time at which the file was generated; omit it."
    }
    ja {
        message "期間を表す{kind}に、スナップショットの属性 `{attribute}` がある"
        help "期間を `from` と `until` で示し、`{attribute}` を削除してください"
        what "変更リスト、変更ダンプ、それらのインデックス、変更ダンプマニフェスト、通知のルート要素の `rs:md` では、\
            `at` も `completed` も使いません。"
        why "`at` と `completed` は、全リソースのスナップショットの日時です。変更の文書にこれらの属性があると、対象の\
            期間が分からず、ハーベスタはどこから同期を続ければよいか判断できません。"
        fix "期間の開始日時を `from` に書きます。終了日時は、これ以上変更を追記しない場合にだけ `until` に書きます。\
            ファイルを生成した日時のための属性はないため、書きません。"
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
