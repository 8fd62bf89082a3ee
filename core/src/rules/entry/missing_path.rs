//! `missing-path`: a manifest has the location of each bitstream in the package.

use crate::rules::rule;

rule! {
    "missing-path" reports [RDM_10, CDM_11]
    checks in ["rules/profile.rs"]
    message "the entry of this {kind} has no `path`"
    help "add `path` to the `rs:md` of the entry: a slash followed by the name of the file in the package"
    en {
        what "The `rs:md` of a manifest entry has a `path`, the location of the bitstream in the package. Only a \
            deletion in a Change Dump Manifest has none."
        why "After unpacking the dump, a harvester has files and URIs but no mapping between them. The bitstream is in \
            the package but cannot be used."
        fix "Write `path=\"/…\"`, a slash followed by the name of the file exactly as stored in the ZIP file. If the \
            package contains no file for this entry, remove the entry."
    }
    ja {
        message "{kind}のエントリに `path` がない"
        help "エントリの `rs:md` に、スラッシュで始まるパッケージ内のファイル名を `path` として追加してください"
        what "マニフェストの各エントリの `rs:md` には、パッケージ内のビットストリームの場所を示す `path` が必要です。\
            変更ダンプマニフェストの削除のエントリだけは例外です。"
        why "ダンプを展開しても、ファイルと URI の対応が分かりません。ビットストリームはパッケージにあるのに\
            利用できないことになります。"
        fix "`path=\"/…\"` のように、スラッシュに続けて ZIP ファイル内のファイル名をそのまま書きます。対応する\
            ファイルがパッケージにない場合は、エントリを削除します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md path="/theses/1.pdf" type="application/pdf"/>
  </url>
</urlset>"#
}
