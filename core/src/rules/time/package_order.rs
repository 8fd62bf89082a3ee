//! `package-order`: packages of changes stand in order of time.

use crate::rules::rule;

rule! {
    "package-order" reports [CD_14]
    // `change-order` has the check.
    checks []
    message "the package begins at `{value}`, but stands below one that begins at `{latest}`"
    help "sort the packages by `from`, oldest first"
    en {
        what "A Change Dump should list its packages in the order they were published, oldest first; `from` of the \
             packages shows it."
        why "A harvester downloads and unpacks packages from top to bottom. If an older package comes last, its \
             bitstreams replace newer ones of the same resources."
        mend "Append each new package at the end, or sort the entries by `from`. Packages that begin at the same \
             moment may stand in any order."
    }
    ja {
        message "`{value}` に始まるパッケージが、それより後の `{latest}` に始まるパッケージの下にある"
        help "パッケージを `from` が古い順に並べる"
        what "変更ダンプでは、パッケージを公開した順（古い順）に並べることが推奨されます。順序は各パッケージの `from` \
             で確かめます。"
        why "ハーベスタはパッケージを上から順に取得して展開します。古いパッケージが後にあると、同じリソースの新しい\
             ビットストリームが古いもので置き換えられます。"
        mend "新しいパッケージを末尾に追加するか、エントリを `from` の順に並べます。`from` が同じパッケージは、どの\
             順でもかまいません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changedump" from="2013-01-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/changedump2.zip</loc>
    <rs:md type="application/zip" length="3109" from="2013-01-02T00:00:00Z" until="2013-01-03T00:00:00Z"/>
  </url>
  <url>
    <loc>http://example.com/changedump1.zip</loc>
    <rs:md type="application/zip" length="3109" from="2013-01-01T00:00:00Z" until="2013-01-02T00:00:00Z"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changedump" from="2013-01-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/changedump1.zip</loc>
    <rs:md type="application/zip" length="3109" from="2013-01-01T00:00:00Z" until="2013-01-02T00:00:00Z"/>
  </url>
  <url>
    <loc>http://example.com/changedump2.zip</loc>
    <rs:md type="application/zip" length="3109" from="2013-01-02T00:00:00Z" until="2013-01-03T00:00:00Z"/>
  </url>
</urlset>"#
}
