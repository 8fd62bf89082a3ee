//! `not-zip`: packages are ZIP files.

use crate::rules::prelude::*;

rule! {
    "not-zip" reports [RD_16, CD_17]
    checks [Check::Md(Depends::Values, check)]
    message "the package has type `{value}`, not `application/zip`"
    help "package the files as ZIP and write `application/zip`, unless your community has agreed on another format"
    en {
        what "The packages of a dump are ZIP files with the media type `application/zip`, unless a community has \
            agreed on another format."
        why "General-purpose harvesters can unpack ZIP and find its `manifest.xml`. For other formats the standard \
            does not even define the location of the manifest, so they are skipped."
        fix "Use ZIP, with `manifest.xml` at the top level, and write `type=\"application/zip\"`; \
            `application/x-zip-compressed` is not a registered media type. If all your harvesters have agreed on this \
            format, ignore this finding."
    }
    ja {
        message "パッケージのメディアタイプが `application/zip` ではなく `{value}`"
        help "コミュニティで別の形式を取り決めている場合を除き、ZIP でパッケージ化して `application/zip` と書いてください"
        what "ダンプのパッケージは ZIP ファイルで、メディアタイプは `application/zip` です。ただし、コミュニティで別の\
            形式を取り決めることもできます。"
        why "一般的なハーベスタが展開でき、`manifest.xml` を見つけられるのは ZIP です。ほかの形式ではマニフェストの\
            場所が標準に定められておらず、処理の対象になりません。"
        fix "最上位に `manifest.xml` を置いた ZIP を作成し、`type=\"application/zip\"` と書きます。\
            `application/x-zip-compressed` は登録されたメディアタイプではありません。利用するハーベスタとの間でこの\
            形式を取り決めている場合は、この指摘を無視してかまいません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/dump.tar.gz</loc>
    <rs:md type="application/gzip" length="41943040"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcedump" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/dump.zip</loc>
    <rs:md type="application/zip" length="50331648"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    let code = match cx.kind() {
        Kind::ResourceDump => Code::RD_16,
        Kind::ChangeDump => Code::CD_17,
        _ => return,
    };
    if cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let Some(field) = md.attributes.media_type() else { return };
    if field.value().is_some_and(|media_type| !media_type.is_zip()) {
        let finding = Finding::new(code).arg("kind", cx.kind()).arg("value", &*field.text());
        cx.report_named(finding, md, Name::Type);
    }
}
