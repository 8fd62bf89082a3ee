//! `old-up-relation`: the relation `resourcesync` of old drafts instead of `up`.

use crate::rules::prelude::*;

rule! {
    "old-up-relation" reports [ADV_08]
    checks [Check::End(check)]
    message "the relation `resourcesync` is from old drafts; the standard uses `up`"
    help r#"write `rel="up"`"#
    en {
        what "A document links to the level above with `up`. Drafts before 1.0 used `resourcesync`."
        why "Harvesters look for `up`. Without it they find neither the Capability List nor the other capabilities of \
            the Source."
        fix "Change `rel=\"resourcesync\"` to `rel=\"up\"`, with the URI of the Capability List or, in a Capability \
            List, of the Source Description. `resourcesync` is still used in HTML pages and HTTP headers, where it \
            links to a Capability List."
    }
    ja {
        message "関係タイプ `resourcesync` は古い草案のもので、現行の標準では `up`"
        help r#"`rel="up"` と書いてください"#
        what "上位の階層へのリンクは `up` です。1.0 より前の草案では `resourcesync` が使われていました。"
        why "ハーベスタは `up` を探します。`up` がないと、機能リストも、ソースのほかの機能も発見できません。"
        fix "`rel=\"resourcesync\"` を `rel=\"up\"` に変更し、機能リスト（機能リストではソース記述）の URI を\
            指定します。`resourcesync` は現在も、HTML ページや HTTP ヘッダから機能リストへのリンクに使います。"
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

fn check(cx: &mut CheckContext<'_>) {
    let has_up = !matches!(cx.profile.link_need("up"), Need::Unused(_)) && cx.kind() != Kind::Unknown;
    let memory = cx.memory;
    if !has_up || memory.links.iter().any(|link| means(link, "up")) {
        return;
    }
    let old = (1..).zip(&memory.links).find(|(_, link)| means(link, "resourcesync"));
    let Some((number, link)) = old else { return };
    if let Some(rel) = link.attributes.get(Name::Rel) {
        // The link was read earlier, but the finding belongs to it.
        cx.step = PathStep::Link(number);
        cx.report_value(Finding::new(Code::ADV_08), rel);
        cx.step = PathStep::Own;
    }
}

fn means(link: &Link, relation: &str) -> bool {
    link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|own| own.is(relation))
}
