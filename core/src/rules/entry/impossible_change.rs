//! `impossible-change`: what a Framework Notification can say of each kind of document.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Md, Name},
    rules::{Check, Look, Step, rule},
    value::{Capability, Change},
};

rule! {
    "impossible-change" reports [FT_01, FT_02, FT_03, FT_04]
    checks [Check::Md(check)]
    message "a Framework Notification cannot say that a `{capability}` was `{change}`"
    help "announce it as created or, but for a Resource Dump, updated; report a withdrawn one as an update of the Capability List"
    en {
        what "In a Framework Notification a Resource List, a Change List and a Change Dump can be `created` or `updated`, \
              a Resource Dump only `created`; only Capability Lists and Source Descriptions can be `deleted`."
        why "Receivers have no action for such a change: a Resource Dump is never changed in place, it is replaced, and a \
             document that was withdrawn is noticed by its absence from the Capability List. The entry is ignored."
        mend "For a Resource Dump made anew, write `change=\"created\"`. For a document that was withdrawn, take its entry \
              out of the Capability List and report that with `capability=\"capabilitylist\"` and `change=\"updated\"`."
    }
    ja {
        message "フレームワーク通知では `{capability}` の `{change}` を知らせることができない"
        help "作成か、リソースダンプ以外なら更新として通知する（取り下げは機能リストの更新として通知する）"
        what "フレームワーク通知で知らせることができるのは、リソースリスト、変更リスト、変更ダンプについては `created` と \
              `updated`、リソースダンプについては `created` だけです。`deleted` は機能リストとソース記述だけに使います。"
        why "受信側には、このような変更に対応する処理がありません。リソースダンプはその場で更新されず、新しいものに置き換え\
             られます。取り下げられた文書は、機能リストから消えたことで分かります。このエントリは無視されます。"
        mend "リソースダンプを作り直したときは `change=\"created\"` と書きます。文書を取り下げたときは、機能リストから\
              エントリを除き、そのことを `capability=\"capabilitylist\"` と `change=\"updated\"` で通知します。"
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

/// What is missing from Table 2 of the Framework Notification specification, of the documents it has rows for.
const IMPOSSIBLE: &[(Capability, Change, Code)] = &[
    (Capability::ResourceList, Change::Deleted, Code::FT_01),
    (Capability::ResourceDump, Change::Updated, Code::FT_02),
    (Capability::ResourceDump, Change::Deleted, Code::FT_02),
    (Capability::ChangeList, Change::Deleted, Code::FT_03),
    (Capability::ChangeDump, Change::Deleted, Code::FT_04),
];

fn check(look: &mut Look<'_>, md: &Md) {
    if look.kind() != Kind::FrameworkNotification || look.at_root() || look.step != Step::Md(1) {
        return;
    }
    let Some(capability) = md.attributes.capability().and_then(|field| field.exact()) else { return };
    let Some(change) = md.attributes.change().and_then(|field| field.exact()) else { return };
    let row = IMPOSSIBLE.iter().find(|(of, how, _)| of == capability && how == change);
    if let Some(&(_, _, code)) = row {
        let finding = Finding::new(code).arg("capability", capability.as_str()).arg("change", change.as_str());
        look.report_named(finding, md, Name::Change);
    }
}
