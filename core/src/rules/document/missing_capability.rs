//! `missing-capability`: the root's `rs:md` has no `capability`.

use crate::rules::prelude::*;

rule! {
    "missing-capability" reports [GEN_05]
    checks [Check::Head(check)]
    message "the root's `rs:md` has no `capability` attribute"
    help r#"add the attribute, such as `capability="resourcelist"`"#
    en {
        what "The root's `rs:md` has a `capability` attribute in every kind of document."
        why "Only `capability` tells a harvester what the document is. Without it the document cannot be used: it \
            might be a Resource List, a Change List or anything else."
        fix "Add the value for this kind of document: `description`, `capabilitylist`, `resourcelist`, \
            `resourcedump`, `changelist`, `changedump`, `resourcedump-manifest`, `changedump-manifest`, \
            `change-notification` or `framework-notification`. An index has the same value as the documents it lists."
    }
    ja {
        message "ルート要素の `rs:md` に `capability` 属性がない"
        help r#"`capability="resourcelist"` のように属性を追加してください"#
        what "どの種類の文書でも、ルート要素の `rs:md` に `capability` 属性が必要です。"
        why "ハーベスタは `capability` だけを手がかりに文書の種類を判断します。これがないと、リソースリストなのか変更\
            リストなのかも判断できず、文書は利用されません。"
        fix "文書の種類に応じた値を追加します。値は `description`、`capabilitylist`、`resourcelist`、`resourcedump`、\
            `changelist`、`changedump`、`resourcedump-manifest`、`changedump-manifest`、`change-notification`、\
            `framework-notification` のいずれかです。インデックスの値は、列挙している文書の値と同じです。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if stated(md).is_some() {
        return;
    }
    let finding = Finding::new(Code::GEN_05);
    match md.attributes.get(Name::Capability) {
        // The value is empty, so there is nothing to point at.
        Some(blank) => cx.report_attribute(finding, blank),
        None => cx.report(finding, md.span),
    }
}

/// The capability, if it is not empty.
pub(super) fn stated(md: &Md) -> Option<&Field<Capability>> {
    md.attributes.capability().filter(|capability| capability.loose().is_none_or(|text| !text.trim().is_empty()))
}
