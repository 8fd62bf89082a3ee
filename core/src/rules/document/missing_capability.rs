//! `missing-capability`: the root's `rs:md` does not say what kind of document this is.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Field, Md, Name},
    rules::{Check, Look, rule},
    value::Capability,
};

rule! {
    "missing-capability" reports [GEN_05]
    checks [Check::Head(check)]
    message "the root `rs:md` has no `capability`"
    help "add `capability` to it, such as `capability=\"resourcelist\"`"
    en {
        what "The root's `rs:md` has a `capability`, whatever the kind of document."
        why "The capability is the only thing that tells a harvester what the list means. Without it the document cannot be used: \
             it might be a Resource List, a Change List or anything else."
        mend "Add the value for this kind of document: `description`, `capabilitylist`, `resourcelist`, `resourcedump`, \
              `changelist`, `changedump`, `resourcedump-manifest`, `changedump-manifest`, `change-notification` or \
              `framework-notification`. An index has the value of its members."
    }
    ja {
        message "ルート直下の `rs:md` に `capability` がない"
        help "`capability=\"resourcelist\"` のように `capability` を付ける"
        what "ルート直下の `rs:md` には、文書の種類を問わず `capability` が必要です。"
        why "文書の意味をハーベスタに伝えるのは `capability` だけです。これがなければリソースリストなのか変更リストなのかも判断できず、\
             文書は使われません。"
        mend "文書の種類に応じた値を付けます。値は `description`、`capabilitylist`、`resourcelist`、`resourcedump`、`changelist`、\
              `changedump`、`resourcedump-manifest`、`changedump-manifest`、`change-notification`、`framework-notification` の\
              いずれかです。インデックスには、まとめている文書と同じ値を付けます。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    if stated(md).is_some() {
        return;
    }
    let finding = Finding::new(Code::GEN_05);
    match md.attributes.get(Name::Capability) {
        // Nothing stands between the quotes, so there is no value to point at.
        Some(blank) => look.report_attribute(finding, blank),
        None => look.report(finding, md.span),
    }
}

/// The capability, if the `rs:md` says anything at all.
pub(super) fn stated(md: &Md) -> Option<&Field<Capability>> {
    md.attributes.capability().filter(|capability| capability.loose().is_none_or(|text| !text.trim().is_empty()))
}
