//! `bare-patch`: a patch link with the relation `patch` instead of its URI.

use crate::rules::prelude::*;

rule! {
    "bare-patch" reports [LK_22]
    checks [Check::Related(Depends::Shape, &["patch"], check)]
    message "`patch` is not the relation of patch links"
    help r#"write `rel="http://www.openarchives.org/rs/terms/patch"`"#
    en {
        what "The relation of patch links is the URI `http://www.openarchives.org/rs/terms/patch`. The name `patch` is \
            not a registered relation."
        why "Harvesters compare the relation exactly. They do not know the plain name `patch` and fetch the whole \
            resource for every small change."
        fix "Write the URI into `rel`, with `http` and without a trailing slash. It is only an identifier and is \
            never fetched."
    }
    ja {
        message "`patch` はパッチリンクの関係タイプではない"
        help r#"`rel="http://www.openarchives.org/rs/terms/patch"` と書いてください"#
        what "パッチリンクの関係タイプは、URI `http://www.openarchives.org/rs/terms/patch` です。`patch` という関係\
            タイプは登録されていません。"
        why "ハーベスタは関係タイプを厳密に比較します。`patch` だけでは認識されず、わずかな変更のたびにリソース全体が\
            取得されます。"
        fix "`rel` に URI をそのまま書きます。`http` で始め、末尾にスラッシュは付けません。この URI は識別子であり、\
            取得されることはありません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md change="updated" datetime="2024-05-02T09:30:00Z" length="8876" type="application/json"/>
    <rs:ln rel="patch" href="https://example.com/article/17.patch" type="application/json-patch+json"/>
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
    if cx.at_root() || !cx.profile.has_patches() {
        return;
    }
    let (Some(attribute), Some(field)) = (link.attributes.get(Name::Rel), link.attributes.rel()) else { return };
    if field.exact().is_some_and(|relation| relation.is("patch")) {
        cx.report_value(Finding::new(Code::LK_22), attribute);
    }
}
