//! `missing-entry-from`: index members and packages of changes have the beginning of their interval.

use crate::rules::rule;

rule! {
    "missing-entry-from" reports [CLI_10, CDI_09, CD_12]
    checks in ["rules/profile.rs"]
    message "the entry of this {kind} has no `from`"
    help "add an `rs:md` with the `from` of the list or package to the entry"
    en {
        what "Entries of Change List Indexes, Change Dumps and Change Dump Indexes should repeat the `from` of the \
            list or package they refer to."
        why "With `from` on each entry, a harvester fetches only what is newer than its last synchronization. Without \
            it, every list or package has to be fetched and opened each time to find out."
        fix "Copy `from` from the list, or from the manifest in the package, into the entry. Copy `until` as well if \
            there is one."
    }
    ja {
        message "{kind}のエントリに `from` がない"
        help "エントリの `rs:md` に、参照先のリストやパッケージの `from` を書いてください"
        what "変更リストインデックス、変更ダンプ、変更ダンプインデックスのエントリには、参照先のリストやパッケージの \
            `from` を書くことが推奨されます。"
        why "各エントリに `from` があれば、ハーベスタは前回の同期より新しいものだけを取得できます。`from` がないと、\
            毎回すべてのリストやパッケージを取得し、開いて確認することになります。"
        fix "リスト、またはパッケージ内のマニフェストの `from` をエントリにコピーします。`until` がある場合は、それも\
            コピーします。"
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
