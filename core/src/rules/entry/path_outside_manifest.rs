//! `path-outside-manifest`: only manifests have `path`.

use crate::rules::prelude::*;

rule! {
    "path-outside-manifest" reports [AT_15]
    // The table of kinds checks `rs:md`; this check covers links.
    checks [Check::Link(Depends::Shape, check)]
    message "unexpected `path` in a {kind}; only manifests of packages use it"
    help "remove `path`; outside a package, `loc` or `href` is the location of the bitstream"
    en {
        what "`path` is used only in dump manifests, on the `rs:md` of an entry and on patch links."
        why "There is no package that the `path` could refer to. Often it is a local path on the server, which \
            discloses the layout of the server and is useless to a harvester."
        fix "Remove `path`: a harvester fetches the resource of an entry from `loc`, and the target of a link from \
            `href`. If the document is meant to be a manifest, set the `capability` of its root accordingly."
    }
    ja {
        message "{kind}では `path` を使えない（パッケージのマニフェスト専用）"
        help "`path` を削除してください（パッケージの外では `loc` や `href` が所在を示します）"
        what "`path` を使うのはダンプのマニフェストだけで、エントリの `rs:md` とパッチのリンクに書きます。"
        why "`path` の起点となるパッケージがありません。サーバ上のローカルパスが書かれていることも多く、サーバの構成を\
            外部にさらすだけで、ハーベスタの役には立ちません。"
        fix "`path` を削除します。ハーベスタは、エントリのリソースを `loc` から、リンク先を `href` から取得します。\
            マニフェストとして作成した文書であれば、ルート要素の `capability` をマニフェストの値にします。"
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

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    // On a link of the root, `path` is reported as NS-03.
    if cx.at_root() {
        return;
    }
    let Some(path) = link.attributes.get(Name::Path) else { return };
    if let Need::Unused(code) = cx.profile.entry_need(Name::Path) {
        let finding = Finding::new(code).arg("kind", cx.kind()).arg("attribute", Name::Path.as_str());
        cx.report_attribute(finding, path);
    }
}
