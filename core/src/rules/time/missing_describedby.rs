//! `missing-describedby`: a Source and its sets of resources have a description.

use crate::rules::rule;

rule! {
    "missing-describedby" reports [SD_03, CAP_05]
    checks in ["rules/profile.rs"]
    message "the {kind} has no `describedby` link"
    help r#"add `<rs:ln rel="describedby" href="…"/>` under the root element, linking to a page about the Source or the set of resources"#
    en {
        what "A Source Description should link with `describedby` to a description of the Source, a Capability List to \
            a description of its set of resources."
        why "Before harvesting, people need to know what the resources are, who maintains them and under which terms \
            they may be used. Without the link, they only have a list of file names to go by."
        fix "Link to any suitable description: an about page, a dataset landing page, a licence statement or a \
            machine-readable record, such as RDF. Any format is allowed."
    }
    ja {
        message "{kind}に `describedby` リンクがない"
        help r#"ルート要素の直下に `<rs:ln rel="describedby" href="…"/>` を追加し、ソースまたはリソースセットの説明ページを指定してください"#
        what "ソース記述から `describedby` でソースの説明に、機能リストからそのリソースセットの説明にリンクすることが\
            推奨されます。"
        why "収集を検討する人は、どのような資料なのか、誰が管理しているのか、どのような条件で利用できるのかを知る\
            必要があります。リンクがないと、ファイル名の一覧だけを頼りに判断することになります。"
        fix "案内ページ、データセットのランディングページ、利用条件、機械可読なレコード（RDF など）といった、\
            説明となるものにリンクします。形式は問いません。"
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
