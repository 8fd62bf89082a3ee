//! `link-path`: a `path` on a link other than a patch.

use crate::rules::prelude::*;

rule! {
    "link-path" reports [LK_20]
    checks [Check::Link(Depends::Shape, check)]
    message "`{relation}` link with `path`"
    help "remove `path`; a bitstream in the package has an entry of its own"
    en {
        what "In a manifest, `path` on a link is defined for patches only."
        why "A harvester finds the bitstreams of a package through the entries. A file that is mentioned only on a \
            link is not unpacked."
        fix "If the linked resource is in the package, list it as an entry with its own `path`. Otherwise remove the \
            attribute."
    }
    ja {
        message "`path` のある `{relation}` リンク"
        help "`path` を削除してください（パッケージ内のビットストリームは独立したエントリにします）"
        what "マニフェストのリンクで `path` が定義されているのは、パッチだけです。"
        why "ハーベスタは、パッケージ内のビットストリームをエントリによって把握します。リンクだけで示されたファイルは\
            展開されません。"
        fix "リンク先のリソースがパッケージに含まれている場合は、`path` を持つエントリとして列挙します。\
            含まれていない場合は、属性を削除します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html" path="/17.html"/>
    <rs:ln rel="describedby" href="https://example.com/article/17.xml" path="/17.xml"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump-manifest" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html" path="/17.html"/>
    <rs:ln rel="describedby" href="https://example.com/article/17.xml"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    if cx.at_root() || !cx.profile.is_manifest() {
        return;
    }
    let Some(path) = link.attributes.get(Name::Path) else { return };
    let Some(relation) = link.attributes.rel().and_then(|rel| rel.value()) else { return };
    // A bare `patch` means a patch (LK-22); all attributes of a TimeGate are reported as LK-28.
    if !relation.is_patch() && !relation.is("patch") && !relation.is("timegate") {
        cx.report_attribute(Finding::new(Code::LK_20).arg("relation", relation.as_str()), path);
    }
}
