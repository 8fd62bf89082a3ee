//! `missing-until`: a Change Notification says until when it lists changes.

use crate::rules::rule;

rule! {
    "missing-until" reports [CN_04]
    checks []
    message "the {kind} does not say until when it lists changes: `until` is missing"
    help "add `until` to the root `rs:md`, with the time up to which every change is listed"
    en {
        what "A Change Notification states in `until` up to when it lists every change; unlike a Change List it \
             cannot be left open."
        why "A notification is sent once and never updated, so the next one has to begin where this one ends. Without \
             `until` a harvester cannot see that a notification got lost on the way."
        mend "Write the end of the interval you selected the changes by, as in `until=\"2013-01-02T14:00:00Z\"`, and \
             let `from` of the next notification be the same moment."
    }
    ja {
        message "{kind}に `until` がなく、いつまでの変更を載せているか分からない"
        help "ルートの `rs:md` に、すべての変更を載せている期間の終わりを `until` として書く"
        what "変更通知は、いつまでの変更をすべて載せているかを `until` に書きます。変更リストと違い、終わりを空けてお\
             くことはできません。"
        why "通知は一度送られると更新されず、次の通知は前の通知の終わりから始まります。`until` がないと、ハーベスタは\
             途中の通知が届かなかったことに気付けません。"
        mend "変更を抽出した期間の終わりを `until=\"2013-01-02T14:00:00Z\"` のように書き、次の通知の `from` を同じ\
             日時にします。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:md capability="change-notification" from="2013-01-02T12:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md change="updated" datetime="2013-01-02T13:00:00Z"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:md capability="change-notification" from="2013-01-02T12:00:00Z" until="2013-01-02T14:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md change="updated" datetime="2013-01-02T13:00:00Z"/>
  </url>
</urlset>"#
}
