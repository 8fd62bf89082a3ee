//! `change-without-datetime`: a change without its time.

use crate::rules::prelude::*;

rule! {
    "change-without-datetime" reports [ADV_02]
    checks [Check::Md(Depends::Shape, check)]
    message "the change has no `datetime`"
    help "add `datetime` with the time of the change"
    en {
        what "The `rs:md` of a change may have `datetime`, the time of the change. The standard makes it optional."
        why "A harvester that comes back later cannot tell which changes it has already processed and has to process \
            the whole list again. `lastmod` is no substitute: it is the time at which the resource was modified, which \
            may be long before or after."
        fix "Record the time of each change and write it as `datetime`, in UTC and with seconds, in ascending order."
    }
    ja {
        message "変更に `datetime` がない"
        help "変更の日時を `datetime` に書いてください"
        what "変更のエントリの `rs:md` には、変更の日時を示す `datetime` を書けます。標準では任意とされています。"
        why "再び収集に来たハーベスタは、どの変更を処理済みか判断できず、リスト全体を処理し直すことになります。`lastmod` \
            はリソースの最終更新日時で、変更の日時と大きく異なることがあるため、代わりにはなりません。"
        fix "変更の日時を記録しておき、UTC で秒まで含めて `datetime` に書き、古い順に並べます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
    <lastmod>2024-05-01T08:15:00Z</lastmod>
    <rs:md change="updated"/>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
    <lastmod>2024-05-01T08:15:00Z</lastmod>
    <rs:md change="updated" datetime="2024-05-01T08:15:02Z"/>
  </url>
</urlset>
"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    // A second `rs:md` is reported as GEN-13.
    if !cx.profile.lists_changes || cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    if md.attributes.get(Name::Change).is_some() && md.attributes.get(Name::Datetime).is_none() {
        cx.report(Finding::new(Code::ADV_02), md.span);
    }
}
