//! `entry-outside-snapshot`: members and packages of a snapshot lie within it.

use super::entry_outside_interval::report_outside;
use crate::{
    diagnostic::Code,
    model::{Md, Name},
    rules::{Check, Look, Need, Step, rule},
};

rule! {
    "entry-outside-snapshot" reports [TA_14]
    checks [Check::Md(check)]
    message "`{attribute}` of the entry is `{value}`, outside the snapshot of the document, where it is `{bound}`"
    help "correct the entry, or `at` and `completed` in the root `rs:md`"
    en {
        what "In a Resource List Index, Resource Dump or Resource Dump Index no entry has an `at` before that of the \
             root or a `completed` after that of the root."
        why "A harvester that has copied all parts goes on with the changes since `at` of the root. If a part is \
             older than that, the changes between its own `at` and that of the root are lost."
        mend "Let `at` of the root be the earliest `at` of its entries, and `completed` the latest `completed`. If a \
             part is carried over from an earlier run, the root begins with that part."
    }
    ja {
        message "エントリの `{attribute}` の `{value}` が、文書全体のスナップショット（文書の値は `{bound}`）から外れている"
        help "エントリの値、またはルートの `rs:md` の `at` と `completed` を直す"
        what "リソースリストインデックス、リソースダンプ、リソースダンプインデックスのエントリの `at` はルートの `at` \
             より前に、`completed` はルートの `completed` より後になりません。"
        why "ハーベスタはすべての部分を複製したあと、ルートの `at` 以降の変更を追います。それより古い部分があると、そ\
             の部分の `at` からルートの `at` までの変更が失われます。"
        mend "ルートの `at` はエントリの `at` のうち最も早い日時に、`completed` は最も遅い `completed` にします。\
             前回の処理から引き継いだ部分があれば、ルートの `at` もその日時に合わせます。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    // Kinds that are a snapshot and whose entries may be dated as one.
    let snapshots = matches!(look.profile.root_need(Name::At), Need::Wanted(_))
        && !matches!(look.profile.entry_need(Name::At), Need::Unused(_));
    if look.at_root() || look.step != Step::Md(1) || !snapshots {
        return;
    }
    report_outside(look, Code::TA_14, md, Name::At, Name::At);
    report_outside(look, Code::TA_14, md, Name::Completed, Name::Completed);
}
