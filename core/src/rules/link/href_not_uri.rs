//! `href-not-uri`: an `href` that is not an absolute URI.

use crate::{rules::prelude::*, value::UriProblem};

rule! {
    "href-not-uri" reports [LK_03]
    checks [Check::Link(Depends::Usual, check)]
    message "`href` is `{value}`, not an absolute URI ({problem})"
    help "write the full URI with its scheme, and percent-encode spaces and non-ASCII characters as UTF-8"
    en {
        what "`href` is an absolute URI of any scheme."
        why "Documents are also delivered in packages and notifications, where there is no base URI for relative \
            references. Many HTTP clients fail on spaces and non-ASCII characters."
        fix "Build the URI from the public address of your server, not from a path of the application. Percent-encode \
            file names as UTF-8 first."
    }
    ja {
        message "`href` の値 `{value}` が絶対 URI ではない（{problem}）"
        help "スキームを含む完全な URI を書き、空白と非 ASCII 文字は UTF-8 でパーセントエンコードしてください"
        what "`href` は絶対 URI です。スキームは問いません。"
        why "文書はパッケージや通知の形でも配信され、そこには相対参照を解決するための基底 URI がありません。空白や非 \
            ASCII 文字は、多くの HTTP クライアントでエラーになります。"
        fix "URI はアプリケーション内部のパスからではなく、サーバの公開 URL から組み立てます。ファイル名は先に UTF-8 \
            でパーセントエンコードします。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="describedby" href="/article/17.xml" type="application/xml"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="describedby" href="https://example.com/article/17.xml" type="application/xml"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let Some(attribute) = link.attributes.get(Name::Href) else { return };
    let Some(text) = attribute.value.field().and_then(|href| href.loose()) else { return };
    let problem = Uri::problem(text).map_or("form", UriProblem::as_str);
    cx.report_value(Finding::new(Code::LK_03).arg("value", text).arg("problem", problem), attribute);
}
