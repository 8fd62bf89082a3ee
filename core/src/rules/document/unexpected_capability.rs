//! `unexpected-capability`: the `capability` does not match the expected kind of document.

use super::missing_capability::stated;
use crate::rules::prelude::*;

rule! {
    "unexpected-capability" reports [SD_02, CAP_03, RL_02, RLI_02, RD_02, RDI_02, RDM_02, CL_02, CLI_02, CD_02, CDI_02, CDM_02, CN_02, FN_02]
    checks [Check::Head(check)]
    message "`capability` is `{found}`, which does not match a {expectedKind}"
    help "serve a document of the expected kind at this location, or change the expected kind"
    en {
        what "The `capability` of the root's `rs:md` is fixed for each kind of document. An index has the same value \
            as the documents it lists."
        why "A harvester relies on this value. If it was sent here for a Change List and finds a Resource List, it \
            misinterprets the entries or gives up."
        fix "If the document is what was expected, correct the value. If another document is served here by mistake, \
            check the links and the routing that lead here. If the document is right, change the expected kind."
    }
    ja {
        message "`capability` の値が `{found}` で、{expectedKind}の値と一致しない"
        help "想定する種類の文書をこの場所で公開するか、想定する文書の種類を変更してください"
        what "ルート要素の `rs:md` の `capability` は、文書の種類ごとに決まっています。インデックスの値は、\
            列挙している文書の値と同じです。"
        why "ハーベスタはこの値を前提に処理します。変更リストを取得するつもりでリソースリストを受け取ると、エントリを\
            誤って解釈するか、処理を中止します。"
        fix "想定どおりの文書であれば、値を修正します。誤って別の文書が返されている場合は、リンク元の記述やサーバの\
            ルーティングを確認します。文書のほうが正しい場合は、想定する文書の種類を変更します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/description.xml"/>
  <rs:ln rel="describedby" href="http://example.com/theses/about.html"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>http://example.com/theses/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="http://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>http://example.com/theses/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describedby" href="http://example.com/theses/about.html"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    let Some(expected) = cx.expect.filter(|kind| *kind != Kind::SourceDescriptionIndex) else { return };
    if let (Some(code), Some(attribute)) = (unexpected(cx, md), md.attributes.get(Name::Capability)) {
        let finding = Finding::new(code).arg("expectedKind", expected).arg("found", &*attribute.text());
        cx.report_value(finding, attribute);
    }
}

/// The requirement that is violated if the document has another capability than the expected one.
///
/// A known misspelling counts as the capability it means; the spelling is reported separately (AT-30, GEN-06).
pub(super) fn unexpected(cx: &CheckContext<'_>, md: &Md) -> Option<Code> {
    let profile = KindProfile::of(cx.expect?);
    let understood = stated(md)?.value();
    let same = understood.is_some_and(|capability| capability.as_str() == profile.capability);
    profile.expected_capability.filter(|_| !same)
}
