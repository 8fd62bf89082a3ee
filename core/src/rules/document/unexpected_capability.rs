//! `unexpected-capability`: another capability than the expected kind has.

use super::missing_capability::stated;
use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Md, Name},
    rules::{Check, Look, Profile, rule},
};

rule! {
    "unexpected-capability" reports [SD_02, CAP_03, RL_02, RLI_02, RD_02, RDI_02, RDM_02, CL_02, CLI_02, CD_02, CDI_02, CDM_02, CN_02, FN_02]
    checks [Check::Head(check)]
    message "the root `capability` is `{found}`, which is not that of a {expectedKind}"
    help "serve a document of the expected kind at this place, or expect another kind"
    en {
        what "Each kind of document has its own `capability` in the root's `rs:md`; an index has that of its members."
        why "A harvester goes by this value. One that was sent here for a Change List and finds a Resource List reads its entries \
             wrongly, or gives up."
        mend "Correct the value if the document is what was expected. If another document is served here by mistake, check the \
              links and the routing that lead here. If the document is right, change the expected kind."
    }
    ja {
        message "ルート直下の `capability` が `{found}` で、{expectedKind}のものではない"
        help "期待された種類の文書をここで公開するか、期待する種類を改める"
        what "ルート直下の `rs:md` の `capability` は文書の種類ごとに決まっています。インデックスの値は、まとめている文書と同じです。"
        why "ハーベスタはこの値に従います。変更リストを求めてここに来たのにリソースリストがあると、エントリを誤って解釈するか、処理をやめます。"
        mend "期待どおりの文書であれば値を直します。誤って別の文書が返されているなら、ここへ導くリンクやルーティングを確かめます。文書が\
              正しければ、期待する種類のほうを改めます。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    let Some(expected) = look.expect.filter(|kind| *kind != Kind::SourceDescriptionIndex) else { return };
    if let (Some(code), Some(attribute)) = (unexpected(look, md), md.attributes.get(Name::Capability)) {
        let finding = Finding::new(code).arg("expectedKind", expected).arg("found", &*attribute.text());
        look.report_value(finding, attribute);
    }
}

/// What is broken if a kind was expected and the document states another capability.
///
/// A word that is understood counts as what it means: how it is written is reported by itself (AT-30, GEN-06).
pub(super) fn unexpected(look: &Look<'_>, md: &Md) -> Option<Code> {
    let profile = Profile::of(look.expect?);
    let understood = stated(md)?.value();
    let same = understood.is_some_and(|capability| capability.as_str() == profile.capability);
    profile.expected_capability.filter(|_| !same)
}
