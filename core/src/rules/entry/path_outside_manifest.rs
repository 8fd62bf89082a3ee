//! `path-outside-manifest`: a path leads into a package, and only manifests lie in one.

use crate::{
    diagnostic::Finding,
    model::{Link, Name},
    rules::{Check, Look, Need, rule},
};

rule! {
    "path-outside-manifest" reports [AT_15]
    // The table finds it on `rs:md`; links are looked at here.
    checks [Check::Link(check)]
    message "a {kind} has `path`, which only manifests of packages have"
    help "remove `path`; outside a package, `loc` or `href` says where the bitstream is"
    en {
        what "`path` is used only in the manifest of a dump, on the `rs:md` of an entry and on patch links."
        why "There is no package for the `path` to lead into. Often it is a path on the disk of the server, which tells \
             strangers how the server is laid out and tells a harvester nothing."
        mend "Remove `path`: a harvester fetches what the entry lists from `loc`, and what a link names from `href`. If \
              the document is meant as a manifest, give its root the `capability` of one."
    }
    ja {
        message "{kind}に、マニフェストだけで使う `path` がある"
        help "`path` を削除する（パッケージの外では `loc` や `href` が所在を示す）"
        what "`path` を使うのはダンプのマニフェストだけで、エントリの `rs:md` とパッチのリンクに書きます。"
        why "`path` の基準となるパッケージがありません。サーバ上のファイルパスが書かれていることも多く、サーバの構成を外部に\
             知らせるだけで、ハーベスタの役には立ちません。"
        mend "`path` を削除します。ハーベスタは、エントリのリソースは `loc` から、リンク先は `href` から取得します。\
              マニフェストとして作成した文書であれば、ルートの `capability` をマニフェストのものにします。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md path="/var/www/theses/1.pdf" type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md type="application/pdf"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, link: &Link) {
    // On a link of the root `path` is NS-03.
    if look.at_root() {
        return;
    }
    let Some(path) = link.attributes.get(Name::Path) else { return };
    if let Need::Unused(code) = look.profile.entry_need(Name::Path) {
        let finding = Finding::new(code).arg("kind", look.kind()).arg("attribute", Name::Path.as_str());
        look.report_attribute(finding, path);
    }
}
