//! `package-as-document`: an entry that refers to a package instead of a document.

use crate::{rules::Listed, rules::prelude::*};

rule! {
    "package-as-document" reports [ADV_12]
    checks [Check::Entry(Depends::Values, check)]
    message "`{uri}` looks like a package, but the entries of a {kind} are documents"
    help "list packages in a Resource Dump or Change Dump (`urlset`), and list that document here"
    en {
        what "The entries of an index, a Capability List or a Source Description are documents. Packages are listed in \
            Resource Dumps and Change Dumps, which are `urlset` documents with one entry for each package."
        why "A harvester reads what is listed here as XML. It downloads the whole package, finds no document and never \
            sees the bitstreams inside."
        fix "Publish a Resource Dump or Change Dump that lists the packages, and use its URI in the entry. If a dump \
            was published as `sitemapindex`, change its root element to `urlset` and its entries to `url`."
    }
    ja {
        message "`{uri}` はパッケージのように見えるが、{kind}のエントリは文書を指す"
        help "パッケージはリソースダンプまたは変更ダンプ（`urlset`）に列挙し、ここにはその文書を書いてください"
        what "インデックス、機能リスト、ソース記述のエントリは、文書を指します。パッケージを列挙するのは\
            リソースダンプと変更ダンプで、パッケージごとに 1 件のエントリを持つ `urlset` の文書です。"
        why "ハーベスタは、ここに列挙されたものを XML として読みます。パッケージ全体をダウンロードしても文書は\
            見つからず、中のビットストリームも認識されません。"
        fix "パッケージを列挙するリソースダンプまたは変更ダンプを公開し、エントリにその URI を書きます。ダンプを \
            `sitemapindex` として公開している場合は、ルート要素を `urlset` に、エントリを `url` に変更します。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-05-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/photos/part1.zip</loc>
  </sitemap>
</sitemapindex>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/part1.zip</loc>
    <rs:md type="application/zip" length="70241"/>
  </url>
</urlset>
"#
}

/// The extensions of packages.
const ENDINGS: &[&str] = &[".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2", ".7z"];

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    if cx.profile.lists != Listed::Documents || cx.profile.delivery != Delivery::Web {
        return;
    }
    let Some(loc) = entry.loc.first() else { return };
    let Some(uri) = loc.field.value() else { return };
    let typed = entry.first_md().and_then(|md| md.attributes.media_type()).and_then(|field| field.value());
    if typed.is_some_and(|media_type| media_type.is_zip()) || (typed.is_none() && ends_like_package(uri)) {
        let finding = Finding::new(Code::ADV_12).arg("uri", uri.as_str()).arg("kind", cx.kind());
        cx.report_child(finding, "loc", None, loc.field.span());
    }
}

fn ends_like_package(uri: &Uri) -> bool {
    let path = uri.path().as_bytes();
    ENDINGS.iter().any(|ending| {
        let start = path.len().checked_sub(ending.len());
        start.and_then(|start| path.get(start..)).is_some_and(|tail| tail.eq_ignore_ascii_case(ending.as_bytes()))
    })
}
