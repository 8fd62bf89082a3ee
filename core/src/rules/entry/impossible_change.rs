//! `impossible-change`: the changes that a Framework Notification can announce for each kind of document.

use crate::rules::prelude::*;

rule! {
    "impossible-change" reports [FT_01, FT_02, FT_03, FT_04]
    checks [Check::Md(Depends::Shape, check)]
    message "`{change}` is not allowed for `{capability}` in a Framework Notification"
    help "use `created`, or `updated` except for a Resource Dump; announce a withdrawn document as an update of the Capability List"
    en {
        what "In a Framework Notification, a Resource List, Change List or Change Dump can be `created` or `updated`, \
            a Resource Dump only `created`. Only Capability Lists and Source Descriptions can be `deleted`."
        why "Receivers have no action for such a change: a Resource Dump is never updated but replaced, and a \
            withdrawn document is noticed by its absence from the Capability List. The entry is ignored."
        fix "For a new Resource Dump, write `change=\"created\"`. For a withdrawn document, remove its entry from the \
            Capability List and announce that with `capability=\"capabilitylist\"` and `change=\"updated\"`."
    }
    ja {
        message "フレームワーク通知では `{capability}` に `{change}` を使えない"
        help "`created`（リソースダンプ以外では `updated` も可）を使い、公開を終了した文書は機能リストの更新として通知してください"
        what "フレームワーク通知で使える値は、リソースリスト、変更リスト、変更ダンプでは `created` と `updated`、\
            リソースダンプでは `created` だけです。`deleted` は機能リストとソース記述にだけ使えます。"
        why "受信側には、このような変更に対応する処理がありません。リソースダンプは更新されるのではなく新しいものに\
            置き換えられ、公開を終了した文書は機能リストから消えることで分かります。このエントリは無視されます。"
        fix "リソースダンプを作り直した場合は `change=\"created\"` と書きます。文書の公開を終了した場合は、機能\
            リストからエントリを削除し、それを `capability=\"capabilitylist\"`、`change=\"updated\"` として\
            通知します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="framework-notification"/>
  <url>
    <loc>https://example.com/theses/resourcedump.xml</loc>
    <rs:md change="updated" capability="resourcedump" datetime="2024-04-01T09:30:00Z"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="framework-notification"/>
  <url>
    <loc>https://example.com/theses/resourcedump.xml</loc>
    <rs:md change="created" capability="resourcedump" datetime="2024-04-01T09:30:00Z"/>
  </url>
</urlset>"#
}

/// The combinations missing from Table 2 of the Framework Notification specification, for the documents in it.
const IMPOSSIBLE: &[(Capability, Change, Code)] = &[
    (Capability::ResourceList, Change::Deleted, Code::FT_01),
    (Capability::ResourceDump, Change::Updated, Code::FT_02),
    (Capability::ResourceDump, Change::Deleted, Code::FT_02),
    (Capability::ChangeList, Change::Deleted, Code::FT_03),
    (Capability::ChangeDump, Change::Deleted, Code::FT_04),
];

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.kind() != Kind::FrameworkNotification || cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let Some(capability) = md.attributes.capability().and_then(|field| field.exact()) else { return };
    let Some(change) = md.attributes.change().and_then(|field| field.exact()) else { return };
    let row = IMPOSSIBLE.iter().find(|(of, how, _)| of == capability && how == change);
    if let Some(&(_, _, code)) = row {
        let finding = Finding::new(code).arg("capability", capability.as_str()).arg("change", change.as_str());
        cx.report_named(finding, md, Name::Change);
    }
}
