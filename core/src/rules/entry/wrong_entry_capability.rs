//! `wrong-entry-capability`: the capabilities that entries of Source Descriptions and Capability Lists can have.

use crate::rules::prelude::*;

rule! {
    "wrong-entry-capability" reports [SD_07, CAP_09]
    checks [Check::Md(Depends::Shape, check)]
    message "`capability` `{value}` is not allowed in an entry of a {kind}"
    help "in a Source Description, list Capability Lists with `capabilitylist`; in a Capability List, list the documents below it"
    en {
        what "The entries of a Source Description are Capability Lists, so their `capability` is `capabilitylist`. The \
            entries of a Capability List are lists, dumps and notification channels, never a Source Description, \
            another Capability List or the manifest of a package."
        why "A harvester navigates from the Source Description to a Capability List and from there to lists and dumps. \
            An entry with any other capability is skipped or sends the harvester into a loop."
        fix "In a Source Description, write `capability=\"capabilitylist\"` and let `loc` be the URI of the \
            Capability List of the set. In a Capability List, remove the entry: the Source Description is linked with \
            `up`, and a manifest is inside its package."
    }
    ja {
        message "{kind}のエントリに `capability` の値 `{value}` は使えない"
        help "ソース記述には機能リストを `capabilitylist` として、機能リストにはその下位の文書を列挙してください"
        what "ソース記述のエントリは機能リストなので、`capability` は `capabilitylist` です。機能リストのエントリは\
            リスト、ダンプ、通知チャンネルで、ソース記述、別の機能リスト、パッケージのマニフェストは含みません。"
        why "ハーベスタはソース記述から機能リストへ、さらにリストやダンプへとたどります。ほかの値を持つエントリは読み\
            飛ばされるか、ハーベスタが循環に陥る原因になります。"
        fix "ソース記述では `capability=\"capabilitylist\"` とし、`loc` にリソースセットの機能リストの URI を\
            書きます。機能リストでは該当するエントリを削除します。ソース記述への参照には `up` リンクを使い、\
            マニフェストはパッケージの中に置きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>https://example.com/theses/capabilitylist.xml</loc>
    <rs:md capability="capability"/>
    <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="https://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>https://example.com/theses/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describedby" href="https://example.com/theses/about.html"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let Some(capability) = md.attributes.capability() else { return };
    // A capability in the wrong case is reported as AT-30 and accepted here; an old name is wrong.
    let plain = capability.loose().is_none_or(|text| matches!(Capability::slip(text), Some(Slip::Case(_))));
    let is_capability_list = plain && capability.value() == Some(&Capability::CapabilityList);
    let code = match cx.kind() {
        Kind::SourceDescription if !is_capability_list => Code::SD_07,
        // A `sitemapindex` of Capability Lists is discouraged (CAP-02), but its entries are Capability Lists.
        Kind::CapabilityList if is_capability_list && cx.root.shape == Some(Shape::SitemapIndex) => return,
        Kind::CapabilityList if capability.exact().is_some_and(is_not_below_a_capability_list) => Code::CAP_09,
        _ => return,
    };
    let finding = Finding::new(code).arg("kind", cx.kind()).arg("value", &*capability.text());
    cx.report_named(finding, md, Name::Capability);
}

fn is_not_below_a_capability_list(capability: &Capability) -> bool {
    matches!(
        capability,
        Capability::Description
            | Capability::CapabilityList
            | Capability::ResourceDumpManifest
            | Capability::ChangeDumpManifest
    )
}
