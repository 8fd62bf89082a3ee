//! `member-order`: members of an index of changes stand in order of time.

use crate::rules::rule;

rule! {
    "member-order" reports [CLI_13, CDI_11]
    // `change-order` has the check.
    checks []
    message "the member begins at `{value}`, but stands below one that begins at `{latest}`"
    help "sort the entries by `from`, oldest first"
    en {
        what "A Change List Index or Change Dump Index names its members in order of time, oldest first."
        why "A harvester reads the members from top to bottom and applies what they say, or goes upward from the last \
             one until it has met its own time. With a member out of place it applies old changes over new ones, or \
             stops too early."
        mend "Sort the entries by `from` and append new members at the end. Members that begin at the same moment may \
             stand in any order."
    }
    ja {
        message "`{value}` に始まるリストやダンプが、それより後の `{latest}` に始まるものの下にある"
        help "エントリを `from` が古い順に並べる"
        what "変更リストインデックスと変更ダンプインデックスでは、変更リストや変更ダンプを時間の順（古い順）に並べま\
             す。"
        why "ハーベスタは上から順に読んで変更を適用するか、末尾から、前回の同期の日時に達するまでさかのぼります。\
             順序が乱れていると、新しい内容を古い変更で上書きしたり、途中で読むのをやめたりします。"
        mend "エントリを `from` の順に並べ、新しいものは末尾に追加します。`from` が同じものは、どの順でもかまいませ\
             ん。"
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
