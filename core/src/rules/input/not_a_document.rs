//! `not-a-document`: bytes that are not XML at all but plainly something else.

use crate::rules::rule;

rule! {
    "not-a-document" reports [INP_02]
    checks []
    message "the input is not XML; it looks like {looks}"
    help "publish the XML document itself at this address, or name the file that holds it"
    en {
        what "Every ResourceSync document is an XML document with the root element `urlset` or `sitemapindex`."
        why "A harvester that expects a list and receives something else cannot go on. Often a server answers with a \
            login page, an error page or its start page and still says 200, and the Source looks alive while nothing of \
            it can be read."
        mend "Open the address without being logged in and see what comes back. Let the server deliver the XML file with \
            the type `application/xml`, and answer 404 where there is no document."
    }
    ja {
        message "入力が XML ではない（推定される種類: {looks}）"
        help "このアドレスで XML 文書そのものを公開するか、XML 文書であるファイルを指定する"
        what "ResourceSync の文書はすべて、ルート要素が `urlset` または `sitemapindex` の XML 文書です。"
        why "リストを期待したハーベスタが別のものを受け取ると、その先へ進めません。ログイン画面やエラー画面、\
            トップページを 200 で返すサーバが多く、ソースは動いているように見えるのに何も読み取れない状態になります。"
        mend "ログインしていない状態でアドレスを開き、何が返るかを確認します。\
            XML ファイルを `application/xml` として返し、文書がない場合は 404 を返すように設定します。"
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
