//! `old-up-relation`: the link of old drafts in place of `up`.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Link, Name},
    rules::{Check, Look, Need, Step, rule},
};

rule! {
    "old-up-relation" reports [ADV_08]
    checks [Check::End(check)]
    message "the link `resourcesync` is the one of old drafts; the standard has `up`"
    help "write `rel=\"up\"`"
    en {
        what "A document links to the level above it with `up`; drafts before 1.0 used `resourcesync` for that."
        why "Harvesters look for `up`. Without it they find neither the Capability List nor the other capabilities of the \
            Source."
        mend "Change `rel=\"resourcesync\"` to `rel=\"up\"`, and let it point to the Capability List, from a Capability \
            List to the Source Description. `resourcesync` still has a place: in HTML pages and HTTP headers, where it \
            leads to a Capability List."
    }
    ja {
        message "リンク `resourcesync` は古い草案のもので、標準では `up` である"
        help "`rel=\"up\"` と書く"
        what "一つ上の階層へのリンクは `up` です。1.0 より前の草案では `resourcesync` が使われていました。"
        why "ハーベスタは `up` を探します。`up` がないと、機能リストにも、ソースのほかの機能にもたどり着けません。"
        mend "`rel=\"resourcesync\"` を `rel=\"up\"` に改め、\
            機能リスト（機能リストからはソース記述）を指すようにします。\
            `resourcesync` は HTML ページや HTTP ヘッダから機能リストを指すときに使います。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="resourcesync" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="change-notification" from="2024-05-01T00:00:00Z" until="2024-05-01T01:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
    <rs:md change="created" datetime="2024-05-01T00:12:30Z"/>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="change-notification" from="2024-05-01T00:00:00Z" until="2024-05-01T01:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
    <rs:md change="created" datetime="2024-05-01T00:12:30Z"/>
  </url>
</urlset>
"#
}

fn check(look: &mut Look<'_>) {
    let has_up = !matches!(look.profile.link_need("up"), Need::Unused(_)) && look.kind() != Kind::Unknown;
    let memory = look.memory;
    if !has_up || memory.links.iter().any(|link| means(link, "up")) {
        return;
    }
    let old = (1..).zip(&memory.links).find(|(_, link)| means(link, "resourcesync"));
    let Some((number, link)) = old else { return };
    if let Some(rel) = link.attributes.get(Name::Rel) {
        // The link was read long ago; the finding belongs to it all the same.
        look.step = Step::Link(number);
        look.report_value(Finding::new(Code::ADV_08), rel);
        look.step = Step::Own;
    }
}

fn means(link: &Link, relation: &str) -> bool {
    link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|own| own.is(relation))
}
