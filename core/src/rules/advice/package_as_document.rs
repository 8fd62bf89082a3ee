//! `package-as-document`: an entry that leads to a package where a document belongs.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Entry, Kind},
    rules::{Check, Look, rule},
    value::Uri,
};

rule! {
    "package-as-document" reports [ADV_12]
    checks [Check::Entry(check)]
    message "`{uri}` looks like a package, but the entries of a {kind} lead to documents"
    help "list packages in a Resource Dump or Change Dump (`urlset`), and link that document here"
    en {
        what "The entries of an index, a Capability List or a Source Description lead to documents. Packages are listed by \
            Resource Dumps and Change Dumps, which are `urlset` documents with an entry for each package."
        why "A harvester reads what is listed here as XML. It downloads the whole package, finds no document in it, and \
            never learns of the bitstreams inside."
        mend "Publish a Resource Dump or Change Dump that lists the packages, and let the entry lead to it. A dump that was \
            written as `sitemapindex` becomes one with the root `urlset` and `url` entries."
    }
    ja {
        message "`{uri}` はパッケージのように見えるが、{kind}のエントリは文書を指す"
        help "パッケージはリソースダンプか変更ダンプ（`urlset`）に載せ、ここからはその文書を指す"
        what "インデックス、機能リスト、ソース記述のエントリは文書を指します。パッケージを載せるのはリソースダンプと変更ダンプで、\
            パッケージごとにエントリを持つ `urlset` 文書です。"
        why "ハーベスタはここに載ったものを XML として読みます。パッケージ全体をダウンロードしても文書は見つからず、\
            中のビットストリームの存在を知ることができません。"
        mend "パッケージを載せたリソースダンプまたは変更ダンプを公開し、エントリがそれを指すようにします。`sitemapindex` として\
            書かれたダンプは、ルートを `urlset`、エントリを `url` に改めます。"
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

/// How the paths of packages end.
const ENDINGS: &[&str] = &[".zip", ".tar", ".tgz", ".tar.gz", ".tar.xz", ".tar.bz2", ".7z"];

fn check(look: &mut Look<'_>, entry: &Entry) {
    let leads_to_documents = matches!(
        look.kind(),
        Kind::SourceDescription
            | Kind::SourceDescriptionIndex
            | Kind::CapabilityList
            | Kind::ResourceListIndex
            | Kind::ResourceDumpIndex
            | Kind::ChangeListIndex
            | Kind::ChangeDumpIndex
    );
    if !leads_to_documents {
        return;
    }
    let Some(loc) = entry.loc.first() else { return };
    let Some(uri) = loc.field.value() else { return };
    let typed = entry.first_md().and_then(|md| md.attributes.media_type()).and_then(|field| field.value());
    if typed.is_some_and(|media_type| media_type.is_zip()) || (typed.is_none() && ends_like_package(uri)) {
        let finding = Finding::new(Code::ADV_12).arg("uri", uri.as_str()).arg("kind", look.kind());
        look.report_child(finding, "loc", None, loc.field.span());
    }
}

fn ends_like_package(uri: &Uri) -> bool {
    let path = uri.path().as_bytes();
    ENDINGS.iter().any(|ending| {
        let start = path.len().checked_sub(ending.len());
        start.and_then(|start| path.get(start..)).is_some_and(|tail| tail.eq_ignore_ascii_case(ending.as_bytes()))
    })
}
