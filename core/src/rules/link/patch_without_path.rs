//! `patch-without-path`: a packaged patch without its location in the package.

use crate::rules::prelude::*;

rule! {
    "patch-without-path" reports [LK_19]
    checks [Check::Related(Depends::Shape, &[PATCH], check)]
    message "patch link without `path`"
    help "add `path` with the location of the patch in the package, or remove the link"
    en {
        what "In a Change Dump Manifest, a patch link has the location of the patch in the package in `path`."
        why "A harvester that has unpacked the package cannot find the patch, and the file of the patch belongs to no \
            entry."
        fix "Put the patch into the ZIP file, and write its name with a leading `/` into `path`, such as \
            `path=\"/changes/17.json\"`."
    }
    ja {
        message "`path` のないパッチリンク"
        help "パッケージ内のパッチの場所を `path` に書くか、リンクを削除してください"
        what "変更ダンプマニフェストのパッチリンクでは、パッケージ内のパッチの場所を `path` で示します。"
        why "パッケージを展開したハーベスタは、パッチを見つけられません。パッチのファイルは、どのエントリにも\
            属さないことになります。"
        fix "パッチを ZIP ファイルに入れ、その名前の先頭に `/` を付けて、`path=\"/changes/17.json\"` のように `path` \
            に書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="changedump-manifest" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md change="updated" datetime="2024-05-02T09:30:00Z" type="application/json" path="/17.json"/>
    <rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="https://example.com/article/17.patch" type="application/json-patch+json"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="changedump-manifest" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md change="updated" datetime="2024-05-02T09:30:00Z" type="application/json" path="/17.json"/>
    <rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="https://example.com/article/17.patch"
            type="application/json-patch+json" path="/changes/17.json"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let packaged = cx.kind() == Kind::ChangeDumpManifest && !cx.at_root();
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    if packaged && relation.is_some_and(Relation::is_patch) && link.attributes.get(Name::Path).is_none() {
        cx.report(Finding::new(Code::LK_19), link.span);
    }
}
