//! `member-order`: index members of changes are in chronological order.

use crate::rules::rule;

rule! {
    "member-order" reports [CLI_13, CDI_11]
    // The check is in `change-order`.
    checks in ["rules/profile.rs"]
    message "member beginning at `{value}` is listed after a member beginning at `{latest}`"
    help "sort the entries by `from`, oldest first"
    en {
        what "A Change List Index or Change Dump Index lists its members in chronological order, oldest first."
        why "A harvester processes the members from top to bottom, or from the last one upwards until it reaches the \
            time of its last synchronization. If members are out of order, it applies old changes over new ones or \
            stops too early."
        fix "Sort the entries by `from` and append new members at the end. Members with the same `from` may be in any \
            order."
    }
    ja {
        message "`{value}` に始まるエントリが、より新しい `{latest}` に始まるエントリより後にある"
        help "エントリを `from` の古い順に並べてください"
        what "変更リストインデックスと変更ダンプインデックスでは、エントリを時系列順（古い順）に並べます。"
        why "ハーベスタはエントリを上から順に処理するか、末尾から前回の同期日時までさかのぼって処理します。順序が\
            乱れていると、新しい内容が古い変更で上書きされたり、途中で処理が打ち切られたりします。"
        fix "エントリを `from` の順に並べ、新しいものは末尾に追加します。`from` が同じエントリの順序は問いません。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist2.xml</loc>
    <rs:md from="2013-01-02T00:00:00Z" until="2013-01-03T00:00:00Z"/>
  </sitemap>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
    <rs:md from="2013-01-01T00:00:00Z" until="2013-01-02T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
    <rs:md from="2013-01-01T00:00:00Z" until="2013-01-02T00:00:00Z"/>
  </sitemap>
  <sitemap>
    <loc>http://example.com/changelist2.xml</loc>
    <rs:md from="2013-01-02T00:00:00Z" until="2013-01-03T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
}
