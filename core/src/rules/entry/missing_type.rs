//! `missing-type`: a manifest says what each bitstream is.

use crate::rules::rule;

rule! {
    "missing-type" reports [RDM_12, CDM_13]
    checks []
    message "an entry of this {kind} does not say the media `type` of its bitstream"
    help "add `type` to the entry's `rs:md`, such as `application/pdf`"
    en {
        what "The `rs:md` of an entry in a manifest should have a `type`, the media type of the bitstream; a deletion \
              in a Change Dump Manifest needs none."
        why "A file out of a package comes without the `Content-Type` a web server would send. A harvester has to \
             guess from the name, and serves a record as plain text or refuses it."
        mend "Write `type=\"…\"` with the media type your server sends when the resource is fetched by its URI."
    }
    ja {
        message "{kind}のエントリにビットストリームのメディアタイプを示す `type` がない"
        help "エントリの `rs:md` に `application/pdf` のような `type` を加える"
        what "マニフェストの各エントリの `rs:md` には、ビットストリームのメディアタイプを示す `type` を書くことが推奨されて\
              います。変更ダンプマニフェストの削除のエントリには要りません。"
        why "パッケージから取り出したファイルには、Web サーバが送る `Content-Type` が付いていません。ハーベスタはファイル名\
             から推測するしかなく、誤った種類で扱ったり、受け入れなかったりします。"
        mend "リソースを URI で取得したときにサーバが返すメディアタイプを `type=\"…\"` に書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md path="/theses/1.pdf" length="184320"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md path="/theses/1.pdf" length="184320" type="application/pdf"/>
  </url>
</urlset>"#
}
