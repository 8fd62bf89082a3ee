//! `missing-from`: a document of changes has the beginning of its interval.

use crate::rules::rule;

rule! {
    "missing-from" reports [CL_03, CLI_03, CD_03, CDI_03, CDM_03, CN_03]
    checks in ["rules/profile.rs"]
    message "the root's `rs:md` of this {kind} has no `from`"
    help "add `from` to the root's `rs:md`, with the time since which all changes are listed"
    en {
        what "Change Lists, Change Dumps, their indexes, Change Dump Manifests and Change Notifications have `from`, \
            the time since which they list every change."
        why "A harvester compares `from` with the time of its last synchronization to see whether the document goes \
            back far enough. Without it, the harvester cannot tell whether it has missed changes in between and has to \
            copy everything again."
        fix "Write the beginning of the interval from which you selected the changes, in UTC, as in \
            `from=\"2013-01-02T00:00:00Z\"`. This is not necessarily the time of the first change, which may be later."
    }
    ja {
        message "{kind}のルート要素の `rs:md` に `from` がない"
        help "ルート要素の `rs:md` に、すべての変更を記載している期間の開始日時を `from` として追加してください"
        what "変更リスト、変更ダンプ、それらのインデックス、変更ダンプマニフェスト、変更通知では、すべての変更を\
            記載している期間の開始日時を `from` に書きます。"
        why "ハーベスタは `from` を前回の同期日時と比較し、この文書で追いつけるかどうかを判断します。`from` がないと、\
            その間の変更が抜けているかどうか分からず、すべてをコピーし直すことになります。"
        fix "変更を抽出した期間の開始日時を、`from=\"2013-01-02T00:00:00Z\"` のように UTC で書きます。最初の変更の\
            日時と一致するとは限らず、それより前でもかまいません。"
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
