//! `userinfo-in-uri`: a URI with a user name or password before its host.

use core::ops::Range;

use crate::rules::prelude::*;

rule! {
    "userinfo-in-uri" reports [ADV_07]
    checks [Check::Entry(Depends::Usual, loc), Check::Link(Depends::Usual, href)]
    message "`{name}` contains user information before the host"
    help "remove everything between `//` and the host, and change the password if there is one"
    en {
        what "A URI in `loc` or `href` identifies a resource for everyone. A user name or password is not part of this \
            identity, and RFC 3986 deprecates passwords in URIs."
        why "Everyone who can read the document can read the password. Careful harvesters reject such URIs, which can \
            also disguise the host; others pass the password on to servers and log files."
        fix "Remove the text between `//` and `@`, including the `@`. Change every password that was published. If \
            the resource needs a login, give harvesters access outside the document."
    }
    ja {
        message "`{name}` の URI のホストの前にユーザ情報がある"
        help "`//` の後から `@` までを削除し、パスワードが含まれている場合は変更してください"
        what "`loc` や `href` の URI は、誰にとっても同じリソースを識別するものです。ユーザ名やパスワードは識別子の\
            一部ではなく、RFC 3986 は URI にパスワードを含めることを非推奨としています。"
        why "文書を読める人は誰でもパスワードを読めます。この形式はホストの偽装にも使えるため、安全性を重視する\
            ハーベスタは拒否します。そうでないハーベスタでは、パスワードがサーバやログに送られます。"
        fix "`//` の後から `@` までを、`@` も含めて削除します。公開してしまったパスワードは変更が必要です。リソースに\
            ログインが必要な場合は、文書以外の手段でハーベスタにアクセス権を与えます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://reader:secret@example.com/photos/1.tif</loc>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
  </url>
</urlset>
"#
}

fn loc(cx: &mut CheckContext<'_>, entry: &Entry) {
    for loc in &entry.loc {
        if let Some((text, range)) = user_information(&loc.field) {
            let span = loc.field.span().part(text, range);
            cx.report_child(Finding::new(Code::ADV_07).arg("name", "loc"), "loc", None, span);
        }
    }
}

fn href(cx: &mut CheckContext<'_>, link: &Link) {
    let Some((_, range)) = link.attributes.href().and_then(user_information) else { return };
    if let Some(href) = link.attributes.get(Name::Href) {
        cx.report_part(Finding::new(Code::ADV_07).arg("name", "href"), href, range);
    }
}

/// The text of a URI, and the range of the user information in it, including the `@`.
fn user_information(field: &Field<Uri>) -> Option<(&str, Range<usize>)> {
    let uri = field.value()?;
    let text = field.loose().unwrap_or(uri.as_str());
    // Not `contains`, which is slow for a single byte.
    memchr::memchr(b'@', text.as_bytes())?;
    let (scheme, rest) = text.split_once(':')?;
    let authority = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?;
    let at = authority.rfind('@')?;
    let start = scheme.len().saturating_add("://".len());
    Some((text, start..start.saturating_add(at).saturating_add(1)))
}
