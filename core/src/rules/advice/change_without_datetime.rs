//! `change-without-datetime`: a change that does not say when it happened.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Md, Name},
    rules::{Check, Look, Step, rule},
};

rule! {
    "change-without-datetime" reports [ADV_02]
    checks [Check::Md(check)]
    message "this change does not say when it happened"
    help "add `datetime` with the time of the change"
    en {
        what "The `rs:md` of a change may carry `datetime`, the time of the change; the standard leaves it to the Source."
        why "A harvester that comes back later cannot tell which changes it has already processed and has to process the \
            whole list again. `lastmod` does not help: it says when the resource was modified, which may be long before \
            or after."
        mend "Store the time at which each change is recorded and write it as `datetime`, in UTC and with seconds, in \
            ascending order."
    }
    ja {
        message "この変更に日時が書かれていない"
        help "変更の日時を `datetime` に書く"
        what "変更を表す `rs:md` には、変更の日時 `datetime` を書くことができます。\
            標準では書くかどうかはソースに任されています。"
        why "後で再び訪れたハーベスタは、どの変更が処理済みか分からず、リスト全体を処理し直すことになります。\
            `lastmod` はリソースの最終更新日時であり、変更の日時の代わりにはなりません。"
        mend "変更を記録した日時を保存しておき、`datetime` として UTC の秒単位で、古い順に書きます。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    let changes = matches!(look.kind(), Kind::ChangeList | Kind::ChangeDumpManifest | Kind::ChangeNotification);
    // A second `rs:md` is another finding (GEN-13).
    if !changes || look.at_root() || look.step != Step::Md(1) {
        return;
    }
    if md.attributes.get(Name::Change).is_some() && md.attributes.get(Name::Datetime).is_none() {
        look.report(Finding::new(Code::ADV_02), md.span);
    }
}
