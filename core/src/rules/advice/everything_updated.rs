//! `everything-updated`: a list of changes that republishes all resources.

use alloc::string::ToString;

use crate::rules::prelude::*;

rule! {
    "everything-updated" reports [ADV_03]
    checks [Check::End(check)]
    message "all {entries} changes are updates at the same time, `{datetime}`"
    help "list only the resources that changed, each with the time of its own change"
    en {
        what "A Change List contains what changed and when. Unchanged resources are not part of it."
        why "It looks as if the whole set was written again as updated, perhaps by a nightly job. Every harvester then \
            fetches every resource again, and harvesters with a rate limit never catch up."
        fix "Compare with the previously published state and list only the differences. If all resources really \
            changed at the same time, publish a new Resource List instead."
    }
    ja {
        message "{entries} 件の変更がすべて同じ日時 `{datetime}` の更新"
        help "変更のあったリソースだけを、それぞれの変更日時とともに列挙してください"
        what "変更リストには、何がいつ変更されたかを書きます。変更のないリソースは含めません。"
        why "夜間のバッチ処理などで、セット全体を更新済みとして書き直しているように見えます。すべての\
            ハーベスタがすべてのリソースを再取得し、アクセス頻度を制限しているハーベスタは追いつけなくなります。"
        fix "前回公開した状態と比較し、差分だけを列挙します。実際に全リソースが同時に変更された場合は、新しい\
            リソースリストを公開します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url><loc>http://example.com/photos/1.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/2.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/3.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/4.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/5.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/6.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/7.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/8.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/9.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/10.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/11.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/12.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/13.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/14.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/15.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/16.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/17.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/18.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/19.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
  <url><loc>http://example.com/photos/20.tif</loc><rs:md change="updated" datetime="2024-05-02T03:00:00Z"/></url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/7.tif</loc>
    <rs:md change="updated" datetime="2024-05-01T14:20:05Z"/>
  </url>
</urlset>
"#
}

/// Fewer changes with equal datetimes are plausible.
const MANY: u64 = 20;

fn check(cx: &mut CheckContext<'_>) {
    let memory = cx.memory;
    if !cx.profile.lists_changes || memory.entries < MANY || memory.updates != memory.entries {
        return;
    }
    if let Some(datetime) = &memory.one_datetime {
        let finding = Finding::new(Code::ADV_03).arg("entries", memory.entries);
        cx.report_root(finding.arg("datetime", datetime.to_string()));
    }
}
