//! `unknown-capability`: a capability that no specification of the family defines.

use alloc::{format, string::String, vec::Vec};

use super::{missing_capability::stated, unexpected_capability::unexpected};
use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Field, Kind, Md, Name},
    rules::{Check, Look, Step, rule},
    value::{Capability, Slip},
};

rule! {
    "unknown-capability" reports [GEN_06, CAP_10, FN_10]
    checks [Check::Head(root), Check::Md(entry)]
    message "unknown capability `{value}`; known here: {known}"
    help "use the word of the current standard; an index has that of its members"
    en {
        what "A `capability` is one of the words that ResourceSync defines for the place where it stands."
        why "A harvester passes over a document or an entry whose capability it does not know, so what is published there is \
             never found. Words of old drafts, such as `changelistindex`, are understood by few."
        mend "Look the word up in the current standard and write it exactly so; until then the document is judged only by \
              what holds for every kind. If the word comes from a specification of your community, keep it and leave this \
              warning out with `--ignore`."
    }
    ja {
        message "`{value}` はここで使える機能の値ではない（使える値: {known}）"
        help "現行の標準の語を使い、インデックスの値はまとめている文書と同じにする"
        what "`capability` の値は、その場所について ResourceSync が定めた語のいずれかです。"
        why "ハーベスタは、知らない値の付いた文書やエントリを読み飛ばすため、そこで公開したものは見つけてもらえません。\
             `changelistindex` のような古い草案の語を理解するハーベスタはわずかです。"
        mend "現行の標準で語を確かめ、そのとおりに書きます。それまでは、どの種類の文書にも当てはまる要件だけで検査します。\
              コミュニティ独自の仕様の語であればそのまま残し、`--ignore` でこの警告を除きます。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelistindex" at="2024-04-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
  </sitemap>
</sitemapindex>"#
}

use Capability as C;

/// Of documents (requirements 1.1).
static DOCUMENTS: &[Capability] = &[
    C::Description,
    C::CapabilityList,
    C::ResourceList,
    C::ResourceDump,
    C::ChangeList,
    C::ChangeDump,
    C::ResourceDumpManifest,
    C::ChangeDumpManifest,
    C::ChangeNotification,
    C::FrameworkNotification,
];

/// Of what a Capability List lists (§6.1; Change Notification §5).
static LISTED: &[Capability] =
    &[C::ResourceList, C::ResourceDump, C::ChangeList, C::ChangeDump, C::ChangeNotification, C::FrameworkNotification];

/// Of what a Framework Notification announces (Framework Notification §3).
static ANNOUNCED: &[Capability] =
    &[C::Description, C::CapabilityList, C::ResourceList, C::ResourceDump, C::ChangeList, C::ChangeDump];

fn root(look: &mut Look<'_>, md: &Md) {
    let Some(capability) = stated(md) else { return };
    if !is_defined(capability) && unexpected(look, md).is_none() {
        report(look, md, Code::GEN_06, DOCUMENTS);
    }
}

fn entry(look: &mut Look<'_>, md: &Md) {
    if look.at_root() || look.step != Step::Md(1) {
        return;
    }
    match (look.kind(), stated(md)) {
        (Kind::CapabilityList, Some(capability)) if !is_defined(capability) => report(look, md, Code::CAP_10, LISTED),
        (Kind::FrameworkNotification, Some(capability)) if !is_defined(capability) || is_unannounced(capability) => {
            report(look, md, Code::FN_10, ANNOUNCED);
        }
        _ => {}
    }
}

/// A known word, be it in the wrong case (AT-30): of the standard, or of the archive specification.
fn is_defined(capability: &Field<Capability>) -> bool {
    match (capability.value(), capability.loose()) {
        (None, _) => false,
        (Some(word), None) => !matches!(word, Capability::Other(_)),
        (Some(_), Some(text)) => !matches!(Capability::slip(text), Some(Slip::Alias(_))),
    }
}

/// Manifests and notifications are nothing a Framework Notification speaks of.
fn is_unannounced(capability: &Field<Capability>) -> bool {
    let Some(capability) = capability.value() else { return false };
    DOCUMENTS.contains(capability) && !ANNOUNCED.contains(capability)
}

fn report(look: &mut Look<'_>, md: &Md, code: Code, defined: &[Capability]) {
    let Some(attribute) = md.attributes.get(Name::Capability) else { return };
    let text = attribute.text();
    let known = match Capability::slip(&text) {
        Some(Slip::Alias(meant) | Slip::Near(meant)) if defined.contains(&meant) => format!("`{meant}`"),
        _ => listed(defined),
    };
    look.report_value(Finding::new(code).arg("value", &*text).arg("known", known), attribute);
}

/// The first six, which is all of them where a list has no more; a message shows no longer text.
fn listed(capabilities: &[Capability]) -> String {
    let words: Vec<String> = capabilities.iter().take(6).map(|capability| format!("`{capability}`")).collect();
    let more = if capabilities.len() > words.len() { ", …" } else { "" };
    format!("{}{more}", words.join(", "))
}
