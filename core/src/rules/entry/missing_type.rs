//! `missing-type`: a manifest has the media type of each bitstream.

use crate::rules::rule;

rule! {
    "missing-type" reports [RDM_12, CDM_13]
    checks in ["rules/profile.rs"]
    message "the entry of this {kind} has no `type`"
    help r#"add the media type to the `rs:md` of the entry, such as `type="application/pdf"`"#
    en {
        what "The `rs:md` of a manifest entry should have a `type`, the media type of the bitstream. A deletion in a \
            Change Dump Manifest does not need one."
        why "A file in a package has no `Content-Type` header. A harvester has to guess the media type from the file \
            name and may serve the resource with the wrong type or reject it."
        fix "Write `type=\"…\"` with the media type that your server sends when the resource is requested by its URI."
    }
    ja {
        message "{kind}のエントリに `type` がない"
        help r#"エントリの `rs:md` に、`type="application/pdf"` のようにメディアタイプを追加してください"#
        what "マニフェストの各エントリの `rs:md` には、ビットストリームのメディアタイプを示す `type` を書くことが\
            推奨されます。変更ダンプマニフェストの削除のエントリには不要です。"
        why "パッケージ内のファイルには `Content-Type` ヘッダがありません。ハーベスタはファイル名からメディアタイプを\
            推測することになり、誤った種類で扱ったり、受け入れを拒否したりします。"
        fix "リソースを URI で要求したときにサーバが返すメディアタイプを `type=\"…\"` に書きます。"
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
