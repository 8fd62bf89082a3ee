//! `patch-without-type`: a patch link without the format of the patch.

use crate::rules::prelude::*;

rule! {
    "patch-without-type" reports [LK_16]
    checks [Check::Related(Depends::Shape, &[PATCH], check)]
    message "patch link without `type`"
    help "add `type` with the media type of the patch, such as `application/json-patch+json`"
    en {
        what "A patch link has the format of the patch in `type`."
        why "A harvester does not know how to apply the patch. Because a wrongly applied patch corrupts the copy, it \
            fetches the whole resource instead."
        fix "Add the media type of the patch format, not of the resource: `application/json-patch+json`, \
            `application/xml-patch+xml` or one agreed on with your harvesters."
    }
    ja {
        message "`type` のないパッチリンク"
        help "`application/json-patch+json` など、パッチのメディアタイプを `type` に書いてください"
        what "パッチリンクでは、パッチの形式を `type` で示します。"
        why "ハーベスタはパッチの適用方法を判断できません。誤って適用するとコピーが壊れるため、リソース全体を\
            取得することになります。"
        fix "リソースのメディアタイプではなく、パッチの形式のメディアタイプを書きます。\
            `application/json-patch+json`、`application/xml-patch+xml`、またはハーベスタと取り決めたものを使います。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md change="updated" datetime="2024-05-02T09:30:00Z" length="8876" type="application/json"/>
    <rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="https://example.com/article/17.patch"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md change="updated" datetime="2024-05-02T09:30:00Z" length="8876" type="application/json"/>
    <rs:ln rel="http://www.openarchives.org/rs/terms/patch" href="https://example.com/article/17.patch" type="application/json-patch+json"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let patched = cx.profile.has_patches() && !cx.at_root();
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    if patched && relation.is_some_and(Relation::is_patch) && link.attributes.get(Name::Type).is_none() {
        cx.report(Finding::new(Code::LK_16), link.span);
    }
}
