//! `up-from-the-top`: above a Source Description there is nothing.

use crate::rules::rule;

rule! {
    "up-from-the-top" reports [SD_11]
    checks []
    message "a {kind} is the top of the hierarchy, but has an `up` link"
    help "remove the `up` link"
    en {
        what "A Source Description or its index has no `up` link, for it stands at the top of the hierarchy."
        why "A harvester that has found any document of yours follows `up` until there is none, and takes the last \
             one for your Source Description. A link from there to a home page, or back down, makes it miss the \
             description or go round in circles."
        mend "Remove the link. To lead people to your site, use `describedby`; a Source Description that belongs to \
             an index links to it with `index`."
    }
    ja {
        message "{kind}は階層の最上位だが、`up` リンクがある"
        help "`up` リンクを削除する"
        what "ソース記述とそのインデックスは階層の最上位にあるため、`up` リンクを持ちません。"
        why "ハーベスタは、見つけた文書から `up` をたどれるところまでたどり、行き着いた文書をソース記述と見なします。\
             そこからトップページや下の階層へリンクすると、ソース記述を見失ったり、堂々巡りになったりします。"
        mend "リンクを削除します。サイトを案内したい場合は `describedby` を使います。インデックスに属するソース\
             記述は、`index` でインデックスにリンクします。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/"/>
  <rs:ln rel="describedby" href="http://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>http://example.com/dataset1/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describedby" href="http://example.com/dataset1/about.html"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="http://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>http://example.com/dataset1/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describedby" href="http://example.com/dataset1/about.html"/>
  </url>
</urlset>"#
}
