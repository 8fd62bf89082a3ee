//! `index-in-index`: an index that claims to be listed in an index.

use crate::rules::rule;

rule! {
    "index-in-index" reports [LK_09]
    checks []
    message "`index` link in a {kind}"
    help "remove the link; the documents that this index lists link to it with `index`"
    en {
        what "`index` leads from a document to the index that lists it. An index is not listed in another index."
        why "A harvester that follows `index` links to find the whole set runs in circles or looks for an index of \
            indexes, which does not exist."
        mend "Put the `index` link into each document the index lists. The index itself has an `up` link to the \
            Capability List."
    }
    ja {
        message "{kind}に `index` リンクがある"
        help "リンクを削除する（`index` は、このインデックスがまとめる文書の側に書く）"
        what "`index` は、文書からそれをまとめるインデックスへのリンクです。インデックスが別のインデックスに載ることはあ\
            りません。"
        why "`index` をたどって全体を得ようとするハーベスタは、堂々巡りをするか、存在しない上位のインデックスを探すこと\
            になります。"
        mend "`index` リンクは、インデックスがまとめる各文書に書きます。インデックス自身には、機能リストへの \
            `up` リンクを書きます。"
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
