//! `missing-describedby`: a Source and its sets of resources are described somewhere.

use crate::rules::rule;

rule! {
    "missing-describedby" reports [SD_03, CAP_05]
    checks []
    message "the {kind} has no `describedby` link to a description"
    help "add `<rs:ln rel=\"describedby\" href=\"…\"/>` below the root, leading to a page about the Source or the set \
        of resources"
    en {
        what "A Source Description should link with `describedby` to a description of the Source, a Capability List \
             to a description of its set of resources."
        why "A person deciding whether to harvest needs to know what the resources are, who keeps them and under what \
             terms. Without the link there is only a list of file names to judge by."
        mend "Link to whatever says it: an about page, a dataset page, a licence statement or a record in a \
             machine-readable format such as RDF. Any format will do."
    }
    ja {
        message "{kind}に、説明への `describedby` リンクがない"
        help "ルートの直下に `<rs:ln rel=\"describedby\" href=\"…\"/>` を書き、ソースやリソース集合を説明するページを示す"
        what "ソース記述は `describedby` でソースの説明に、機能リストはそのリソース集合の説明にリンクすることが推奨されま\
             す。"
        why "収集するかどうかを決める人は、何の資料か、誰が管理しているか、どのような条件で使えるかを知る必要があり\
             ます。リンクがないと、ファイル名の一覧だけで判断することになります。"
        mend "紹介ページ、データセットのページ、利用条件、RDF などの機械可読なレコードなど、説明になっているものへ\
             リンクします。形式は問いません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/.well-known/resourcesync"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>http://example.com/dataset1/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/.well-known/resourcesync"/>
  <rs:ln rel="describedby" href="http://example.com/dataset1/about.html"/>
  <rs:md capability="capabilitylist"/>
  <url>
    <loc>http://example.com/dataset1/resourcelist.xml</loc>
    <rs:md capability="resourcelist"/>
  </url>
</urlset>"#
}
