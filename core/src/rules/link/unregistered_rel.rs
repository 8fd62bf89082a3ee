//! `unregistered-rel`: a relation name that is not registered.

use crate::rules::prelude::*;

rule! {
    "unregistered-rel" reports [LK_05]
    checks [Check::Link(Depends::Shape, check)]
    message "`{value}` is not a registered link relation"
    help "use a name registered with IANA, such as `describedby`, `duplicate` or `contents`, or an absolute URI of your own"
    en {
        what "A `rel` that is not a URI is a name from the IANA registry of link relations."
        why "A harvester does not know the name and does not follow the link. A typo such as `content` for `contents` \
            hides the link from every harvester."
        fix "Look up the name that the standard uses for this purpose. For a relation of your community, use an \
            absolute URI under your control; it needs no registration."
    }
    ja {
        message "`{value}` は登録されていない関係タイプ"
        help "`describedby`、`duplicate`、`contents` など IANA に登録された名前か、独自の絶対 URI を使ってください"
        what "URI ではない `rel` の値は、IANA のリンク関係レジストリに登録された名前です。"
        why "ハーベスタは未知の名前のリンクをたどりません。`contents` を `content` とするような誤記があると、\
            リンクはどのハーベスタからも認識されません。"
        fix "目的に応じて標準が使っている名前を確認します。コミュニティ独自の関係には、自分で管理する絶対 URI を\
            使います。URI の登録は不要です。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/dump/1.zip</loc>
    <rs:md type="application/zip" length="70241"/>
    <rs:ln rel="content" href="https://example.com/dump/1-manifest.xml" type="application/xml"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/dump/1.zip</loc>
    <rs:md type="application/zip" length="70241"/>
    <rs:ln rel="contents" href="https://example.com/dump/1-manifest.xml" type="application/xml"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let Some(relation) = link.attributes.rel().and_then(|rel| rel.exact()) else { return };
    if relation.is_registered() || relation.is_uri() {
        return;
    }
    let wants_patch = cx.profile.has_patches() && !cx.at_root();
    if wants_patch && relation.is("patch") {
        return; // LK-22
    }
    let mut finding = Finding::new(Code::LK_05).arg("value", relation.as_str());
    if let Some(known) = relation.suggestion() {
        finding = finding.arg("known", known);
    }
    if let Some(attribute) = link.attributes.get(Name::Rel) {
        cx.report_value(finding, attribute);
    }
}
