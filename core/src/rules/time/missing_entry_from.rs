//! `missing-entry-from`: members and packages of changes say since when.

use crate::rules::rule;

rule! {
    "missing-entry-from" reports [CLI_10, CDI_09, CD_12]
    checks []
    message "the entry of the {kind} does not say where its interval begins: `from` is missing"
    help "give the entry an `rs:md` with the `from` of the list or package it stands for"
    en {
        what "Entries of Change List Indexes, Change Dumps and Change Dump Indexes should repeat in `from` since when \
             the list or package holds changes."
        why "With `from` on each entry a harvester fetches only what is newer than its last synchronisation. Without \
             it, every list or package has to be fetched and opened to find out, each time."
        mend "Copy `from` of the list or of the manifest in the package into the entry, and `until` as well if it has \
             one."
    }
    ja {
        message "{kind}のエントリに `from` がなく、期間の始まりが分からない"
        help "エントリの `rs:md` に、対応するリストやパッケージの `from` を書く"
        what "変更リストインデックス、変更ダンプ、変更ダンプインデックスのエントリには、そのリストやパッケージがいつ\
             以降の変更を含むかを `from` に書くことが推奨されます。"
        why "`from` があれば、ハーベスタは前回の同期より新しいものだけを取得できます。ないと、毎回すべてのリストや\
             パッケージを取得し、開いて確かめることになります。"
        mend "リストやパッケージ内のマニフェストの `from` をエントリに書き写し、`until` があればそれも書き写します。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
    <rs:md from="2013-01-01T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
}
