//! `unknown-change`: `change` has one of the three values that the standard defines.

use crate::rules::prelude::*;

rule! {
    "unknown-change" reports [AT_21]
    checks [Check::Md(Depends::Shape, check)]
    message "`change` is `{value}`; expected one of {known}"
    help "use one of {known}, in lower case"
    en {
        what "`change` is exactly `created`, `updated` or `deleted`."
        why "Harvesters compare the value exactly and ignore unknown values, so the copy keeps what was deleted and \
            misses what was added."
        fix "Map the terms of your software: `create`, `new` and `added` to `created`; `modified` and `changed` to \
            `updated`; `delete` and `removed` to `deleted`. A move is a deletion at the old URI and a creation at the \
            new one."
    }
    ja {
        message "`change` の値 `{value}` が不正（使用できる値: {known}）"
        help "{known} のいずれかを小文字で書いてください"
        what "`change` の値は、`created`、`updated`、`deleted` のいずれかと完全に一致しなければなりません。"
        why "ハーベスタは値を厳密に比較し、未知の値を無視します。そのため、削除されたものがコピーに残り、\
            追加されたものが漏れます。"
        fix "システム内部の用語を変換します。`create`、`new`、`added` は `created` に、`modified`、`changed` は \
            `updated` に、`delete`、`removed` は `deleted` にします。移動は、元の URI での削除と新しい URI での\
            作成として書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
    <rs:md change="delete" datetime="2024-04-01T09:30:00Z"/>
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

const KNOWN: &str = "`created`, `updated`, `deleted`";

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    // If the attribute itself is misplaced (AT-22, NS-03) or its use unknown, its value is irrelevant.
    if cx.at_root() || !matches!(cx.profile.entry_need(Name::Change), Need::Wanted(_)) {
        return;
    }
    if let Some(text) = md.attributes.change().and_then(|change| change.loose()) {
        cx.report_named(Finding::new(Code::AT_21).arg("value", text).arg("known", KNOWN), md, Name::Change);
    }
}
