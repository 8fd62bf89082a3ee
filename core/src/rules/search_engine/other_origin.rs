//! `other-origin`: a sitemap that lists resources of another site.

use alloc::{format, string::String};

use super::sitemap::is_sitemap;
use crate::rules::prelude::*;

rule! {
    "other-origin" reports [SEO_04]
    checks [Check::Entry(Depends::State, check)]
    message "`loc` is at `{origin}`, but the list is at `{own}`"
    help "name the list in the `robots.txt` of that host, too, or publish a list there"
    en {
        what "The entries of a sitemap have the scheme, host and port of the sitemap itself. The place of a Resource List is \
            that of its Capability List, to which its `up` link leads."
        why "Search engines skip entries of other sites, since anyone could list them, unless the `robots.txt` of that \
            site names the list. `http` and `https`, and a host with and without `www.`, are different sites."
        fix "Write the canonical URIs of the site. Where resources are on another host, add a line `Sitemap:` with the URI \
            of the list to the `robots.txt` of that host."
    }
    ja {
        message "`loc` は `{origin}` にあるが、リストは `{own}` にある"
        help "そのホストの `robots.txt` にもこのリストを書くか、そのホストでリストを公開してください"
        what "サイトマップのエントリは、スキーム、ホスト、ポートがサイトマップ自身と同じです。リソースリストの場所は、`up` リンクの\
            指す機能リストの場所で判断します。"
        why "ほかのサイトのエントリは誰でも列挙できるため、そのサイトの `robots.txt` がこのリストを示していない限り、検索エンジンは\
            読み飛ばします。`http` と `https`、`www.` の有無は、別のサイトとして扱われます。"
        fix "サイトの正規の URI を書きます。リソースが別のホストにある場合は、そのホストの `robots.txt` に、リストの URI を示す \
            `Sitemap:` の行を追加します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://files.example.com/theses/1.pdf</loc>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
  </url>
</urlset>
"#
}

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    if !cx.search_engines || !is_sitemap(cx) {
        return;
    }
    let up = cx.memory.links.iter().find(|link| link.names("up"));
    let up = up.and_then(|link| link.attributes.href()).and_then(|href| href.value());
    let (Some(own), Some(loc)) = (up.and_then(origin), entry.loc.first()) else { return };
    if let Some(origin) = loc.field.value().and_then(origin).filter(|origin| *origin != own) {
        let finding = Finding::new(Code::SEO_04).arg("origin", origin).arg("own", own);
        cx.report_child(finding, "loc", None, loc.field.span());
    }
}

/// Scheme, host and port, in the usual form; `None` for other schemes, which are reported as ADV-06.
fn origin(uri: &Uri) -> Option<String> {
    let normalized = uri.is_http().then(|| uri.normalized().parse::<Uri>().ok())??;
    let host = normalized.authority()?.rsplit('@').next()?;
    Some(format!("{}://{host}", normalized.scheme()))
}
