//! `change-order`: changes stand in the order they happened.

use alloc::string::ToString;

use super::reversed_interval::moment;
use crate::{
    model::Md,
    rules::{Check, Look, Step, rule, timed},
};

rule! {
    "change-order" reports [CL_13, CDM_15, CN_10]
    checks [Check::Md(check)]
    message "the change of `{value}` stands below a later one, of `{latest}`"
    help "sort the entries by the time of change, oldest first"
    en {
        what "Change Lists, Change Dump Manifests and Change Notifications list changes in the order they happened, \
             oldest first."
        why "A harvester applies the entries from top to bottom. If an update stands below the later deletion of the \
             same resource, the resource comes back; and one that resumes at the last `datetime` it has seen skips \
             whatever is out of order."
        mend "Sort by the moment of change, not by `loc` or `lastmod`, and compare moments in UTC if offsets differ. \
             Append new changes at the end. Changes of the same moment may stand in any order."
    }
    ja {
        message "`{value}` の変更が、それより後の `{latest}` の変更の下にある"
        help "エントリを変更の日時が古い順に並べる"
        what "変更リスト、変更ダンプマニフェスト、変更通知では、変更を起きた順（古い順）に並べます。"
        why "ハーベスタは上から順に変更を適用します。同じリソースの削除より下に、それより前の更新があると、削除したは\
             ずのリソースが復活します。最後に見た `datetime` から再開するハーベスタは、順序の乱れた変更を飛ばします。"
        mend "`loc` や `lastmod` ではなく、変更の日時で並べ、時差が異なる場合は UTC で比べます。新しい変更は末尾に\
             追加します。同じ日時の変更は、どの順でもかまいません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-02T00:00:00Z"/>
  <url>
    <loc>http://example.com/res2</loc>
    <rs:md change="created" datetime="2013-01-02T14:00:00Z"/>
  </url>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md change="updated" datetime="2013-01-02T13:00:00Z"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-02T00:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md change="updated" datetime="2013-01-02T13:00:00Z"/>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
    <rs:md change="created" datetime="2013-01-02T14:00:00Z"/>
  </url>
</urlset>"#
}

/// Also finds what `member-order` and `package-order` report: the table of kinds says by what entries are ordered.
fn check(look: &mut Look<'_>, md: &Md) {
    if look.at_root() || look.step != Step::Md(1) {
        return;
    }
    let (Some((name, code)), Some((last, earlier))) = (look.profile.order, &look.memory.last) else { return };
    let Some((attribute, now)) = moment(md, name) else { return };
    if now.start() < last.start() {
        let finding = timed(code, !now.is_partial() && !last.is_partial())
            .arg("value", attribute.text().into_owned())
            .arg("latest", last.to_string())
            .related("after", earlier.span);
        look.report_value(finding, attribute);
    }
}
