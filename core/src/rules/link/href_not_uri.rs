//! `href-not-uri`: an `href` that is not an absolute URI.

use crate::{
    diagnostic::{Code, Finding},
    model::{Link, Name},
    rules::{Check, Look, rule},
    value::{Uri, UriProblem},
};

rule! {
    "href-not-uri" reports [LK_03]
    checks [Check::Link(check)]
    message "`href` is `{value}`, which is not an absolute URI ({problem})"
    help "write the whole URI with its scheme; write blanks as `%20` and other letters percent-encoded as UTF-8"
    en {
        what "`href` is an absolute URI, of any scheme."
        why "Documents are passed on in packages and notifications, where there is nothing to resolve a relative \
            reference against. Blanks and letters beyond ASCII fail in many HTTP clients."
        mend "Build the URI from the public address of your server, not from a path of the application. Percent-encode \
            file names as UTF-8 before you put them in."
    }
    ja {
        message "`href` の `{value}` は絶対 URI ではない（{problem}）"
        help "スキームを含む URI 全体を書き、空白は `%20`、日本語などは UTF-8 でパーセントエンコードする"
        what "`href` には絶対 URI を書きます。スキームは問いません。"
        why "文書はパッケージや通知としても届くため、相対参照を解決する基準がありません。空白や ASCII 以外の文字を含む \
            URI は、多くの HTTP クライアントで失敗します。"
        mend "アプリケーション内のパスではなく、サーバの公開アドレスから URI を組み立てます。ファイル名は UTF-8 で\
            パーセントエンコードしてから使います。"
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

fn check(look: &mut Look<'_>, link: &Link) {
    let Some(attribute) = link.attributes.get(Name::Href) else { return };
    let Some(text) = attribute.value.field().and_then(|href| href.loose()) else { return };
    let problem = Uri::problem(text).map_or("form", UriProblem::as_str);
    look.report_value(Finding::new(Code::LK_03).arg("value", text).arg("problem", problem), attribute);
}
