//! `everything-updated`: a list of changes that looks like all resources published again.

use alloc::string::ToString;

use crate::{
    diagnostic::{Code, Finding},
    model::Kind,
    rules::{Check, Look, rule},
};

rule! {
    "everything-updated" reports [ADV_03]
    checks [Check::End(check)]
    message "all {entries} changes are updates of the same moment, `{datetime}`"
    help "list only the resources that changed, each with the time of its own change"
    en {
        what "A Change List says what changed and when; what did not change is not in it."
        why "It looks as if the whole set had been written again as updated, perhaps by a job that runs every night. \
            Every harvester then fetches every resource again, and those that have to be polite never catch up."
        mend "Compare with what was published before and list only what differs. If all resources really changed at once, \
            publish a new Resource List instead."
    }
    ja {
        message "{entries} 件の変更がすべて同じ日時 `{datetime}` の更新になっている"
        help "変更のあったリソースだけを、それぞれの変更日時とともに列挙する"
        what "変更リストには、いつ何が変わったかだけを書きます。変わっていないリソースは含めません。"
        why "毎晩の処理などで、全リソースを更新済みとして書き直しているように見えます。\
            すべてのハーベスタがすべてのリソースを取得し直すことになり、\
            アクセスを控えめにしているものは追いつけなくなります。"
        mend "前回公開した内容と比べ、違いのあるものだけを列挙します。本当に全リソースが同時に変わったのであれば、\
            新しいリソースリストを公開します。"
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

/// Fewer equal changes than this may well have happened together.
const MANY: u64 = 20;

fn check(look: &mut Look<'_>) {
    let memory = look.memory;
    let changes = matches!(look.kind(), Kind::ChangeList | Kind::ChangeDumpManifest | Kind::ChangeNotification);
    if !changes || memory.entries < MANY || memory.updates != memory.entries {
        return;
    }
    if let Some(datetime) = &memory.one_datetime {
        let finding = Finding::new(Code::ADV_03).arg("entries", memory.entries);
        look.report_root(finding.arg("datetime", datetime.to_string()));
    }
}
