//! `not-zip`: packages are ZIP files.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Kind, Md, Name},
    rules::{Check, Look, Step, rule},
};

rule! {
    "not-zip" reports [RD_16, CD_17]
    checks [Check::Md(check)]
    message "the package is `{value}`, not a ZIP file"
    help "pack as ZIP and write `application/zip`, unless your community agreed on another format"
    en {
        what "The packages of a dump are ZIP files, with the media type `application/zip`; a community may agree on \
              another format."
        why "Harvesters in general use know how to unpack ZIP and how to find `manifest.xml` in it. For any other format \
             the standard does not even say where the manifest lies, so it is left aside."
        mend "Pack as ZIP, with `manifest.xml` at the top, and write `type=\"application/zip\"`; \
              `application/x-zip-compressed` is not a registered name. If all your harvesters agreed on this format, \
              ignore this note."
    }
    ja {
        message "パッケージが ZIP ファイルではなく `{value}` になっている"
        help "コミュニティで別の形式を取り決めていない限り、ZIP で作成し `application/zip` と書く"
        what "ダンプのパッケージは ZIP ファイルで、メディアタイプは `application/zip` です。ただし、コミュニティで別の形式を\
              取り決めることもできます。"
        why "一般のハーベスタが展開でき、`manifest.xml` を見つけられるのは ZIP です。ほかの形式ではマニフェストの置き場所も\
             標準に定めがなく、処理の対象になりません。"
        mend "最上位に `manifest.xml` を置いて ZIP で作成し、`type=\"application/zip\"` と書きます。\
              `application/x-zip-compressed` は登録された名前ではありません。利用するハーベスタとの間でこの形式を\
              取り決めている場合は、この指摘は無視してかまいません。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    let code = match look.kind() {
        Kind::ResourceDump => Code::RD_16,
        Kind::ChangeDump => Code::CD_17,
        _ => return,
    };
    if look.at_root() || look.step != Step::Md(1) {
        return;
    }
    let Some(field) = md.attributes.media_type() else { return };
    if field.value().is_some_and(|media_type| !media_type.is_zip()) {
        let finding = Finding::new(code).arg("kind", look.kind()).arg("value", &*field.text());
        look.report_named(finding, md, Name::Type);
    }
}
