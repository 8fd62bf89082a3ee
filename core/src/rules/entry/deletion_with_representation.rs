//! `deletion-with-representation`: a deleted resource has no size, type or digest.

use alloc::string::String;

use crate::rules::prelude::*;

rule! {
    "deletion-with-representation" reports [AT_37]
    checks [Check::Md(Depends::Shape, check)]
    message "{attributes} on the entry of a deletion"
    help "remove {attributes} from the entry; there is no representation left to describe"
    en {
        what "`hash`, `length` and `type` describe a representation that can be fetched. After a deletion there is \
            none, so an entry with `change=\"deleted\"` has none of them."
        why "The values can only belong to the deleted version. A harvester that compares them with the current \
            response, an error page, reports a mismatch although nothing is wrong."
        fix "Write only `loc`, `change` and `datetime` for deletions. No harvester is known to fail because of these \
            attributes, so this is reported as an info only."
    }
    ja {
        message "削除のエントリに {attributes} がある"
        help "エントリから {attributes} を削除してください（対応する表現はすでに存在しません）"
        what "`hash`、`length`、`type` は、取得できる表現についての情報です。削除後には表現がないため、\
            `change=\"deleted\"` のエントリでは使いません。"
        why "これらの値は、削除された版のものです。ハーベスタがこれを現在の応答（エラーページ）と照合すると、\
            問題がないのに不一致が報告されます。"
        fix "削除のエントリには `loc`、`change`、`datetime` だけを書きます。これが原因で失敗するハーベスタは\
            知られていないため、「情報」として報告しています。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md change="deleted" datetime="2024-04-01T09:30:00Z" length="184320" type="application/pdf"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md change="deleted" datetime="2024-04-01T09:30:00Z"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if !cx.profile.lists_changes || cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    if md.attributes.change().and_then(|change| change.exact()) != Some(&Change::Deleted) {
        return;
    }
    let Some(first) = md.attributes.iter().find(|attribute| describes(attribute)) else { return };
    let mut named = String::new();
    for attribute in md.attributes.iter().filter(|attribute| describes(attribute)) {
        named.push_str(if named.is_empty() { "`" } else { ", `" });
        named.push_str(attribute.local());
        named.push('`');
    }
    cx.report_attribute(Finding::new(Code::AT_37).arg("attributes", named), first);
}

fn describes(attribute: &Attribute) -> bool {
    matches!(attribute.value.name(), Some(Name::Hash | Name::Length | Name::Type))
}
