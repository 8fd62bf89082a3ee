//! `missing-from`: a document of changes says since when it lists them.

use crate::rules::rule;

rule! {
    "missing-from" reports [CL_03, CLI_03, CD_03, CDI_03, CDM_03, CN_03]
    checks []
    message "the {kind} does not say since when it lists changes: `from` is missing"
    help "add `from` to the root `rs:md`, with the time since which every change is listed"
    en {
        what "Change Lists, Change Dumps, their indexes, Change Dump Manifests and Change Notifications state in \
             `from` since when they list every change."
        why "A harvester compares `from` with the time of its last synchronisation to see whether the document \
             reaches back far enough. Without `from` it cannot know whether changes are missing in between, and has \
             to copy everything again."
        mend "Write the beginning of the interval you selected the changes by, in UTC, as in \
             `from=\"2013-01-02T00:00:00Z\"`. It is not the time of the first change: that may be later."
    }
    ja {
        message "{kind}に `from` がなく、いつ以降の変更を載せているか分からない"
        help "ルートの `rs:md` に、すべての変更を載せている期間の始まりを `from` として書く"
        what "変更リスト、変更ダンプ、そのインデックス、変更ダンプマニフェスト、変更通知は、いつ以降の変更をすべて載せ\
             ているかを `from` に書きます。"
        why "ハーベスタは `from` と前回同期した日時を比べ、この文書だけで追いつけるかを判断します。`from` がないと、そ\
             の間に抜けた変更があるかどうか分からず、すべてを取り直すことになります。"
        mend "変更を抽出した期間の始まりを、`from=\"2013-01-02T00:00:00Z\"` のように UTC で書きます。最初の変更の\
             日時とは限りません。期間の始まりは、それより前でもかまいません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist"/>
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
