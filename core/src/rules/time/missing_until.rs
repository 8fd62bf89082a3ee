//! `missing-until`: a Change Notification has the end of its interval.

use crate::rules::rule;

rule! {
    "missing-until" reports [CN_04]
    checks in ["rules/profile.rs"]
    message "the root's `rs:md` of this {kind} has no `until`"
    help "add `until` to the root's `rs:md`, with the time up to which all changes are listed"
    en {
        what "A Change Notification has `until`, the time up to which it lists every change. Unlike a Change List, it \
            cannot be left open."
        why "A notification is sent once and never updated, so the next one begins where it ends. Without `until`, a \
            harvester cannot detect that a notification was lost."
        fix "Write the end of the interval from which you selected the changes, as in \
            `until=\"2013-01-02T14:00:00Z\"`, and use the same time as the `from` of the next notification."
    }
    ja {
        message "{kind}のルート要素の `rs:md` に `until` がない"
        help "ルート要素の `rs:md` に、すべての変更を記載している期間の終了日時を `until` として追加してください"
        what "変更通知では、すべての変更を記載している期間の終了日時を `until` に書きます。変更リストとは異なり、\
            終了日時を省略することはできません。"
        why "通知は送信後に更新されることがなく、次の通知は前の通知の終了日時から始まります。`until` がないと、\
            ハーベスタは通知の欠落を検出できません。"
        fix "変更を抽出した期間の終了日時を `until=\"2013-01-02T14:00:00Z\"` のように書き、次の通知の `from` も同じ\
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
