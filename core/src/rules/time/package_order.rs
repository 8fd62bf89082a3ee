//! `package-order`: packages of changes are in chronological order.

use crate::rules::rule;

rule! {
    "package-order" reports [CD_14]
    // The check is in `change-order`.
    checks in ["rules/profile.rs"]
    message "package beginning at `{value}` is listed after a package beginning at `{latest}`"
    help "sort the packages by `from`, oldest first"
    en {
        what "A Change Dump should list its packages in the order of publication, oldest first, which is checked by \
            the `from` of the packages."
        why "A harvester downloads and unpacks packages from top to bottom. If an older package comes last, its \
            bitstreams replace newer ones of the same resources."
        fix "Append each new package at the end, or sort the entries by `from`. Packages with the same `from` may be \
            in any order."
    }
    ja {
        message "`{value}` に始まるパッケージが、より新しい `{latest}` に始まるパッケージより後にある"
        help "パッケージを `from` の古い順に並べてください"
        what "変更ダンプでは、パッケージを公開順（古い順）に並べることが推奨されます。順序は各パッケージの `from` で\
            確認します。"
        why "ハーベスタはパッケージを上から順に取得して展開します。古いパッケージが後にあると、新しい\
            ビットストリームが同じリソースの古いもので置き換えられます。"
        fix "新しいパッケージを末尾に追加するか、エントリを `from` の順に並べ替えます。`from` が同じパッケージの\
            順序は問いません。"
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
