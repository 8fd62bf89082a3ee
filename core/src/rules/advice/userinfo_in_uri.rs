//! `userinfo-in-uri`: a URI with a user name, perhaps a password, before its host.

use core::ops::Range;

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Entry, Field, Link, Name},
    rules::{Check, Look, rule},
    value::Uri,
};

rule! {
    "userinfo-in-uri" reports [ADV_07]
    checks [Check::Entry(loc), Check::Link(href)]
    message "`{name}` has user information before the host"
    help "remove everything between `//` and `@`, and change the password if there is one"
    en {
        what "A URI in `loc` or `href` names a resource for everyone; a user name or password before the host is no part \
            of that name, and RFC 3986 deprecates passwords there."
        why "Whoever reads the document reads the password. Careful harvesters refuse such a URI, since it is also a way \
            to disguise its host, and others send the password on to servers and logs."
        mend "Remove what stands between `//` and `@`, together with the `@`. A password that was published has to be \
            changed. If the resource needs a login, give harvesters their access outside the document."
    }
    ja {
        message "`{name}` の URI のホスト名の前にユーザ情報がある"
        help "`//` から `@` までを削除し、パスワードが含まれていれば変更する"
        what "`loc` や `href` の URI は、誰にとっても同じリソースを指す名前です。\
            ホスト名の前のユーザ名やパスワードは名前の一部ではなく、\
            RFC 3986 もパスワードを書くことを非推奨としています。"
        why "文書を読む人は誰でもパスワードを読めます。この形はホスト名の偽装にも使われるため、慎重なハーベスタは拒否し、\
            そうでないものはパスワードをサーバやログに流してしまいます。"
        mend "`//` から `@` までを削除します。公開してしまったパスワードは変更が必要です。\
            リソースにログインが必要な場合は、文書以外の方法でハーベスタにアクセスを認めます。"
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

fn loc(look: &mut Look<'_>, entry: &Entry) {
    for loc in &entry.loc {
        if let Some((text, range)) = user_information(&loc.field) {
            let span = loc.field.span().part(text, range);
            look.report_child(Finding::new(Code::ADV_07).arg("name", "loc"), "loc", None, span);
        }
    }
}

fn href(look: &mut Look<'_>, link: &Link) {
    let Some((_, range)) = link.attributes.href().and_then(user_information) else { return };
    if let Some(href) = link.attributes.get(Name::Href) {
        look.report_part(Finding::new(Code::ADV_07).arg("name", "href"), href, range);
    }
}

/// The text of a URI, and where in it the user information stands, with its `@`.
fn user_information(field: &Field<Uri>) -> Option<(&str, Range<usize>)> {
    let uri = field.value()?;
    let text = field.loose().unwrap_or(uri.as_str());
    // Not by `contains`: for one byte that is slower than everything else here.
    memchr::memchr(b'@', text.as_bytes())?;
    let (scheme, rest) = text.split_once(':')?;
    let authority = rest.strip_prefix("//")?.split(['/', '?', '#']).next()?;
    let at = authority.rfind('@')?;
    let start = scheme.len().saturating_add("://".len());
    Some((text, start..start.saturating_add(at).saturating_add(1)))
}
