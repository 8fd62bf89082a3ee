//! `repeated-via`: a second `via` link.

use crate::rules::prelude::*;

rule! {
    "repeated-via" reports [LK_30]
    checks [Check::Related(Depends::Shape, &["via"], check)]
    message "more than one `via` link in an entry"
    help "keep the `via` link to the original Source"
    en {
        what "In a chain of aggregators, only the `via` link to the original resource is kept."
        why "A harvester takes `via` as the provenance of the resource. With two of them, it may credit the wrong \
            Source or compare with it."
        fix "When you aggregate an entry that has a `via` link, pass that link on and do not add your own."
    }
    ja {
        message "エントリに `via` リンクが複数ある"
        help "元のソースへの `via` リンクだけを残してください"
        what "アグリゲータが何段階あっても、残すのは元のリソースへの `via` リンクだけです。"
        why "ハーベスタは `via` をリソースの出所として扱います。2 つあると、誤ったソースを出所とみなしたり、それと\
            照合したりすることがあります。"
        fix "`via` リンクを持つエントリを再配信するときは、そのリンクをそのまま引き継ぎ、新しい `via` は追加しません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="via" href="https://source.example.org/17"/>
    <rs:ln rel="via" href="https://aggregator.example.net/17"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17</loc>
    <rs:md length="8876" type="text/html"/>
    <rs:ln rel="via" href="https://source.example.org/17"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let is_via =
        |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("via"));
    let Some(entry) = cx.entry.filter(|_| is_via(link)) else { return };
    let mut earlier = entry.links.iter().take_while(|earlier| !core::ptr::eq(*earlier, link));
    if let Some(first) = earlier.find(|earlier| is_via(earlier)) {
        cx.report(Finding::new(Code::LK_30).related("first", first.span), link.span);
    }
}
