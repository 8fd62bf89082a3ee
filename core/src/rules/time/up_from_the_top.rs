//! `up-from-the-top`: the topmost document has no `up` link.

use crate::rules::rule;

rule! {
    "up-from-the-top" reports [SD_11]
    checks in ["rules/profile.rs"]
    message "the {kind} has an `up` link, although it is the top of the hierarchy"
    help "remove the `up` link"
    en {
        what "A Source Description or its index has no `up` link, because it is the top of the hierarchy."
        why "A harvester that has found any of your documents follows `up` as far as possible and takes the last one \
            for your Source Description. A link from there to a home page, or back down, makes it miss the Source \
            Description or run into a loop."
        fix "Remove the link. Use `describedby` to link to your website. A Source Description that belongs to an \
            index links to it with `index`."
    }
    ja {
        message "階層の最上位である{kind}に `up` リンクがある"
        help "`up` リンクを削除してください"
        what "ソース記述とそのインデックスは階層の最上位にあるため、`up` リンクを持ちません。"
        why "ハーベスタは、見つけた文書から `up` を可能な限りたどり、最後に到達した文書をソース記述とみなします。\
            そこからトップページや下位の文書にリンクしていると、ソース記述を発見できなかったり、循環に陥ったりします。"
        fix "リンクを削除します。サイトへのリンクには `describedby` を使います。インデックスに属するソース記述は、\
            `index` でインデックスにリンクします。"
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
