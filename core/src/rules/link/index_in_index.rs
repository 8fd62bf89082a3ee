//! `index-in-index`: an index with an `index` link of its own.

use crate::rules::rule;

rule! {
    "index-in-index" reports [LK_09]
    checks in ["rules/profile.rs"]
    message "`index` link in a {kind}"
    help "remove the link; the documents that this index lists link to it with `index`"
    en {
        what "`index` links a document to the index that lists it. An index is not listed in another index."
        why "A harvester that follows `index` links to find the complete set runs into a loop, or looks for an index \
            of indexes, which does not exist."
        fix "Add the `index` link to each document that the index lists. The index itself has an `up` link to the \
            Capability List."
    }
    ja {
        message "{kind}に `index` リンクがある"
        help "リンクを削除してください（`index` リンクは、このインデックスが列挙する文書の側に書きます）"
        what "`index` は、文書から、それを列挙するインデックスへのリンクです。インデックスが別のインデックスに\
            列挙されることはありません。"
        why "`index` リンクをたどって全体を把握しようとするハーベスタは、循環に陥るか、存在しない上位のインデックスを\
            探すことになります。"
        fix "`index` リンクは、インデックスが列挙する各文書に追加します。インデックス自身には、機能リストへの `up` \
            リンクを書きます。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <rs:ln rel="index" href="https://example.com/set/resourcelist-index.xml"/>
  <sitemap>
    <loc>https://example.com/set/resourcelist1.xml</loc>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <sitemap>
    <loc>https://example.com/set/resourcelist1.xml</loc>
  </sitemap>
</sitemapindex>"#
}
