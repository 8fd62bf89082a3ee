//! `unknown-capability`: a capability that none of the specifications defines.

use alloc::{format, string::String, vec::Vec};

use super::{missing_capability::stated, unexpected_capability::unexpected};
use crate::rules::prelude::*;

rule! {
    "unknown-capability" reports [GEN_06, CAP_10, FN_10]
    checks [Check::Head(root), Check::Md(Depends::Shape, entry)]
    message "unknown capability `{value}` (expected: {known})"
    help "use a value defined in the current standard; an index has the same value as the documents it lists"
    en {
        what "A `capability` has one of the values that the ResourceSync specifications define for its position."
        why "A harvester ignores documents and entries whose capability it does not know, so the published content is \
            never found. Few harvesters understand values from old drafts, such as `changelistindex`."
        fix "Look up the value in the current standard and write it exactly as defined. Until then, only the \
            requirements common to all kinds of documents are checked. If the value comes from a specification of your \
            community, keep it and suppress this warning with `--ignore`."
    }
    ja {
        message "未定義の `capability` の値 `{value}`（想定される値: {known}）"
        help "現行の標準が定める値を使ってください（インデックスの値は、列挙している文書の値と同じです）"
        what "`capability` の値は、ResourceSync の仕様がその位置について定めたもののいずれかです。"
        why "ハーベスタは未知の `capability` を持つ文書やエントリを無視するため、公開した内容は発見されません。\
            `changelistindex` のような古い草案の値に対応したハーベスタは、ごくわずかです。"
        fix "現行の標準で値を確認し、そのとおりに書きます。修正するまでは、すべての種類の文書に共通する要件だけを\
            検証します。コミュニティ独自の仕様で定めた値であればそのまま残し、`--ignore` でこの警告を除外します。"
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

/// Capabilities of documents.
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

/// Capabilities in a Capability List (§6.1; Change Notification §5).
static LISTED: &[Capability] =
    &[C::ResourceList, C::ResourceDump, C::ChangeList, C::ChangeDump, C::ChangeNotification, C::FrameworkNotification];

/// Capabilities in a Framework Notification (Framework Notification §3).
static ANNOUNCED: &[Capability] =
    &[C::Description, C::CapabilityList, C::ResourceList, C::ResourceDump, C::ChangeList, C::ChangeDump];

fn root(cx: &mut CheckContext<'_>, md: &Md) {
    let Some(capability) = stated(md) else { return };
    if !is_defined(capability) && unexpected(cx, md).is_none() {
        report(cx, md, Code::GEN_06, DOCUMENTS);
    }
}

fn entry(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    match (cx.kind(), stated(md)) {
        (Kind::CapabilityList, Some(capability)) if !is_defined(capability) => report(cx, md, Code::CAP_10, LISTED),
        (Kind::FrameworkNotification, Some(capability)) if !is_defined(capability) || is_unannounced(capability) => {
            report(cx, md, Code::FN_10, ANNOUNCED);
        }
        _ => {}
    }
}

/// A word of the standard or of the archive specification, in any case (AT-30).
fn is_defined(capability: &Field<Capability>) -> bool {
    match (capability.value(), capability.loose()) {
        (None, _) => false,
        (Some(word), None) => !matches!(word, Capability::Other(_)),
        (Some(_), Some(text)) => !matches!(Capability::slip(text), Some(Slip::Alias(_))),
    }
}

/// Framework Notifications do not announce manifests and notifications.
fn is_unannounced(capability: &Field<Capability>) -> bool {
    let Some(capability) = capability.value() else { return false };
    DOCUMENTS.contains(capability) && !ANNOUNCED.contains(capability)
}

fn report(cx: &mut CheckContext<'_>, md: &Md, code: Code, defined: &[Capability]) {
    let Some(attribute) = md.attributes.get(Name::Capability) else { return };
    let text = attribute.text();
    let known = match Capability::slip(&text) {
        Some(Slip::Alias(meant) | Slip::Near(meant)) if defined.contains(&meant) => format!("`{meant}`"),
        _ => listed(defined),
    };
    cx.report_value(Finding::new(code).arg("value", &*text).arg("known", known), attribute);
}

/// At most six, to keep the message short.
fn listed(capabilities: &[Capability]) -> String {
    let words: Vec<String> = capabilities.iter().take(6).map(|capability| format!("`{capability}`")).collect();
    let more = if capabilities.len() > words.len() { ", …" } else { "" };
    format!("{}{more}", words.join(", "))
}
