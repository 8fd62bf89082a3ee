//! `entry-outside-snapshot`: index members and packages of a snapshot are within the snapshot of the document.

use super::entry_outside_interval::report_outside;
use crate::rules::prelude::*;

rule! {
    "entry-outside-snapshot" reports [TA_14]
    checks [Check::Md(Depends::State, check)]
    message "`{attribute}` of the entry is `{value}`, outside the snapshot of the document (`{attribute}` is `{bound}`)"
    help "correct the entry, or `at` and `completed` in the root's `rs:md`"
    en {
        what "In a Resource List Index, Resource Dump or Resource Dump Index, no entry has an `at` before that of the \
            document or a `completed` after that of the document."
        why "After copying all parts, a harvester continues with the changes since the `at` of the document. If a part \
            is older than that, the changes between its own `at` and that of the document are lost."
        fix "Set the `at` of the document to the earliest `at` of its entries, and `completed` to the latest \
            `completed`. If a part is reused from an earlier run, the `at` of the document is that of the reused part."
    }
    ja {
        message "エントリの `{attribute}` の `{value}` が文書全体のスナップショットの範囲外（文書の `{attribute}` は `{bound}`）"
        help "エントリの値、またはルート要素の `rs:md` の `at` と `completed` を修正してください"
        what "リソースリストインデックス、リソースダンプ、リソースダンプインデックスでは、エントリの `at` は文書の \
            `at` 以降、`completed` は文書の `completed` 以前の日時です。"
        why "ハーベスタはすべての部分をコピーした後、文書の `at` 以降の変更を適用していきます。それより古い\
            部分があると、その部分の `at` から文書の `at` までの変更が失われます。"
        fix "文書の `at` はエントリの `at` のうち最も早い日時に、`completed` は最も遅い `completed` にします。以前に\
            作成した部分を再利用する場合は、文書の `at` もその部分に合わせます。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
    <rs:md at="2013-01-03T08:55:00Z"/>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T08:55:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
    <rs:md at="2013-01-03T08:55:00Z"/>
  </sitemap>
</sitemapindex>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    // Kinds that are a snapshot and whose entries may have snapshot datetimes.
    let snapshots = matches!(cx.profile.root_need(Name::At), Need::Wanted(_))
        && !matches!(cx.profile.entry_need(Name::At), Need::Unused(_));
    if cx.at_root() || cx.step != PathStep::Md(1) || !snapshots {
        return;
    }
    report_outside(cx, Code::TA_14, md, Name::At, Name::At);
    report_outside(cx, Code::TA_14, md, Name::Completed, Name::Completed);
}
