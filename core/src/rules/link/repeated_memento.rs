//! `repeated-memento`: a second `memento` link.

use crate::rules::prelude::*;

rule! {
    "repeated-memento" reports [LK_25]
    checks [Check::Related(Depends::Shape, &["memento"], check)]
    message "more than one `memento` link in an entry"
    help "keep the memento of the listed version; link to the other versions with `timemap`"
    en {
        what "An entry has at most one `memento` link: the URI of exactly the listed version."
        why "A harvester cannot tell which of them is the version of the entry, and may archive an old version as the \
            current one."
        fix "Keep the memento whose `modified` equals the `lastmod` of the entry. Older versions are found through \
            `timemap` and `timegate`."
    }
    ja {
        message "エントリに `memento` リンクが複数ある"
        help "エントリが示す版のメメントだけを残し、ほかの版には `timemap` でリンクしてください"
        what "エントリの `memento` リンクは 1 つまでで、エントリが示す版の URI を指します。"
        why "ハーベスタは、どれがエントリの版なのかを判断できず、古い版を現在の版として保存するおそれがあります。"
        fix "`modified` がエントリの `lastmod` と等しいメメントだけを残します。古い版には `timemap` や `timegate` \
            からたどり着けます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <lastmod>2024-04-30T08:00:00Z</lastmod>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="memento" href="https://example.com/20240430080000/article/17" modified="2024-04-30T08:00:00Z"/>
    <rs:ln rel="memento" href="https://example.com/20240101000000/article/17" modified="2024-01-01T00:00:00Z"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <lastmod>2024-04-30T08:00:00Z</lastmod>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="memento" href="https://example.com/20240430080000/article/17" modified="2024-04-30T08:00:00Z"/>
    <rs:ln rel="timemap" href="https://example.com/timemap/article/17" type="application/link-format"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let is_memento =
        |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("memento"));
    let Some(entry) = cx.entry.filter(|_| is_memento(link)) else { return };
    let mut earlier = entry.links.iter().take_while(|earlier| !core::ptr::eq(*earlier, link));
    if let Some(first) = earlier.find(|earlier| is_memento(earlier)) {
        cx.report(Finding::new(Code::LK_25).related("first", first.span), link.span);
    }
}
