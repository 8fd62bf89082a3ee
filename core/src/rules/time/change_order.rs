//! `change-order`: changes are listed in chronological order.

use alloc::string::ToString;

use super::reversed_interval::moment;
use crate::rules::prelude::*;

rule! {
    "change-order" reports [CL_13, CDM_15, CN_10]
    checks [Check::Md(Depends::State, check)]
    message "change at `{value}` is listed after a later change at `{latest}`"
    help "sort the entries by the time of the change, oldest first"
    en {
        what "Change Lists, Change Dump Manifests and Change Notifications list changes in chronological order, oldest \
            first."
        why "A harvester applies the entries from top to bottom. If an update comes after the later deletion of the \
            same resource, the deleted resource reappears. A harvester that resumes from the last `datetime` it has \
            processed skips entries that are out of order."
        fix "Sort by the time of the change, not by `loc` or `lastmod`, and compare times in UTC if offsets differ. \
            Append new changes at the end. Changes with the same time may be in any order."
    }
    ja {
        message "`{value}` の変更が、より新しい `{latest}` の変更より後にある"
        help "エントリを変更日時の古い順に並べてください"
        what "変更リスト、変更ダンプマニフェスト、変更通知では、変更を発生した順（古い順）に並べます。"
        why "ハーベスタは変更を上から順に適用します。同じリソースについて、後から行われた削除の下に以前の更新が\
            並んでいると、削除したはずのリソースが復活します。最後に処理した `datetime` から再開するハーベスタは、\
            順序の乱れた変更を読み飛ばします。"
        fix "`loc` や `lastmod` ではなく変更日時で並べ替えます。UTC オフセットが異なる場合は UTC に換算して\
            比較します。新しい変更は末尾に追加します。日時が同じ変更の順序は問いません。"
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

/// Also checks `member-order` and `package-order`: the table of kinds defines the attribute by which entries are
/// sorted.
fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    let (Some((name, code)), Some((last, earlier))) = (cx.profile.order, &cx.memory.last) else { return };
    let Some((attribute, now)) = moment(md, name) else { return };
    if now.start() < last.start() {
        let finding = timed(code, !now.is_partial() && !last.is_partial())
            .arg("value", attribute.text().into_owned())
            .arg("latest", last.to_string())
            .related("after", earlier.span);
        cx.report_value(finding, attribute);
    }
}
