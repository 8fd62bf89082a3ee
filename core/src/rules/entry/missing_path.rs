//! `missing-path`: a manifest says where in the package each bitstream lies.

use crate::rules::rule;

rule! {
    "missing-path" reports [RDM_10, CDM_11]
    checks []
    message "an entry of this {kind} does not say the `path` of its bitstream"
    help "add `path` to the entry's `rs:md`: a slash and the name of the file in the package"
    en {
        what "The `rs:md` of an entry in a manifest has a `path`, the place of the bitstream in the package; only a \
              deletion in a Change Dump Manifest has none."
        why "A harvester unpacks the dump and has files and URIs, but nothing that joins them. The bitstream is in the \
             package and still lost."
        mend "Write `path=\"/…\"`, a slash followed by the name of the file as it is stored in the ZIP file. If the \
              package holds no file for this entry, remove the entry."
    }
    ja {
        message "{kind}のエントリにビットストリームの位置を示す `path` がない"
        help "エントリの `rs:md` に、スラッシュで始まるパッケージ内のファイル名を `path` として加える"
        what "マニフェストの各エントリの `rs:md` には、パッケージ内でのビットストリームの位置を示す `path` が必要です。\
              変更ダンプマニフェストの削除のエントリだけは例外です。"
        why "ハーベスタがダンプを展開しても、ファイルと URI を結び付けるものがありません。ビットストリームはパッケージに\
             あるのに利用できないことになります。"
        mend "`path=\"/…\"` のように、スラッシュに続けて ZIP ファイル内のファイル名をそのまま書きます。対応するファイルが\
              パッケージになければ、エントリを削除します。"
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
