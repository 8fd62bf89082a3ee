//! `timegate-attributes`: a `timegate` link with attributes of a single representation.

use crate::rules::prelude::*;

rule! {
    "timegate-attributes" reports [LK_28]
    checks [Check::Related(Depends::Shape, &["timegate"], check)]
    message "`{attribute}` on a `timegate` link"
    help "remove it; a `timegate` link has only `rel` and `href`"
    en {
        what "A `timegate` link has only `rel` and `href`."
        why "A TimeGate returns whichever version is requested, so a digest, length or time on the link matches at \
            most one of its responses, and verification of the others fails."
        fix "Move the attributes of the listed version to a `memento` link."
    }
    ja {
        message "`timegate` リンクに `{attribute}` がある"
        help "属性を削除してください（`timegate` リンクの属性は `rel` と `href` だけです）"
        what "`timegate` リンクの属性は `rel` と `href` だけです。"
        why "TimeGate は要求された版を返します。リンクに書いたダイジェスト、サイズ、日時が一致する応答は多くても 1 \
            つで、ほかの版の検証は失敗します。"
        fix "エントリが示す版についての属性は、`memento` リンクに移します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="timegate" href="https://example.com/timegate/article/17" type="text/html"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="timegate" href="https://example.com/timegate/article/17"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let relation = link.attributes.rel().and_then(|rel| rel.value());
    if cx.at_root() || !relation.is_some_and(|relation| relation.is("timegate")) {
        return;
    }
    // Outside manifests `path` is wrong on every link (AT-15).
    let path_reported = matches!(cx.profile.entry_need(Name::Path), Need::Unused(_));
    for attribute in &link.attributes {
        match attribute.value.name() {
            None | Some(Name::Rel | Name::Href) => {}
            Some(Name::Path) if path_reported => {}
            Some(name) => cx.report_attribute(Finding::new(Code::LK_28).arg("attribute", name.as_str()), attribute),
        }
    }
}
