//! `not-a-document`: an input that is not XML but a recognizable other format.

use crate::rules::rule;

rule! {
    "not-a-document" reports [INP_02]
    checks in ["read/item_reader.rs", "validate/document.rs"]
    message "the input is not XML; it looks like {looks}"
    help "publish the XML document itself at this address, or specify the file that contains it"
    en {
        what "Every ResourceSync document is an XML document with the root element `urlset` or `sitemapindex`."
        why "A harvester that expects a list and receives something else cannot continue. Servers often send a login \
            page, an error page or the home page with status 200, so the Source seems to work although nothing in it \
            can be read."
        fix "Open the address without being logged in and check the response. Configure the server to send the XML \
            file as `application/xml`, and status 404 where there is no document."
    }
    ja {
        message "検証対象が XML ではない（推定される形式: {looks}）"
        help "このアドレスで XML 文書そのものを公開するか、XML 文書のファイルを指定してください"
        what "ResourceSync の文書はすべて、ルート要素が `urlset` または `sitemapindex` の XML 文書です。"
        why "リストを想定していたハーベスタは、別のものを受け取ると処理を続けられません。ログインページ、\
            エラーページ、トップページをステータス 200 で返すサーバが多く、ソースは正常に見えても何も読み取れない\
            状態になります。"
        fix "ログインしていない状態でアドレスを開き、応答を確認します。XML ファイルを `application/xml` として返し、\
            文書がない場合は 404 を返すようにサーバを設定します。"
    }
    wrong r#"<!DOCTYPE html>
<html lang="en">
  <head>
    <title>Please log in</title>
  </head>
  <body>
    <p>The page you asked for is for members.</p>
  </body>
</html>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="http://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>http://example.com/theses/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describedby" href="http://example.com/theses/about.html"/>
  </url>
</urlset>
"#
}
