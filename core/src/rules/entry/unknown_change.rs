//! `unknown-change`: three words say what happened, exactly as the standard writes them.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Md, Name},
    rules::{Check, Look, Need, rule},
};

rule! {
    "unknown-change" reports [AT_21]
    checks [Check::Md(check)]
    message "`change` is `{value}`, which is none of {known}"
    help "write one of {known}, in lower case"
    en {
        what "`change` is exactly `created`, `updated` or `deleted`."
        why "Harvesters compare the word letter by letter. What they do not know they leave out, so the copy keeps what \
             was deleted and misses what was added."
        mend "Translate the words of your software: `create`, `new` and `added` to `created`; `modified` and `changed` \
              to `updated`; `delete` and `removed` to `deleted`. A move is a deletion at the old URI and a creation at \
              the new one."
    }
    ja {
        message "`change` の値 `{value}` は {known} のいずれでもない"
        help "{known} のいずれかを小文字で書く"
        what "`change` の値は `created`、`updated`、`deleted` のいずれかで、つづりは完全に一致しなければなりません。"
        why "ハーベスタは語を一字ずつ比較します。知らない語は無視するため、削除されたものが複製に残り、追加されたものが\
             漏れます。"
        mend "システム内部の語を置き換えます。`create`・`new`・`added` は `created` に、`modified`・`changed` は `updated` に、\
              `delete`・`removed` は `deleted` にします。移動は、元の URI の削除と新しい URI の作成として書きます。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    // Where the attribute itself is out of place (AT-22, NS-03) or of unknown use, what it says does not matter.
    if look.at_root() || !matches!(look.profile.entry_need(Name::Change), Need::Wanted(_)) {
        return;
    }
    if let Some(text) = md.attributes.change().and_then(|change| change.loose()) {
        look.report_named(Finding::new(Code::AT_21).arg("value", text).arg("known", KNOWN), md, Name::Change);
    }
}
