//! `unexpected-root`: the root element does not match the expected kind of document.

use super::{missing_capability::stated, no_index_form};
use crate::rules::prelude::*;

rule! {
    "unexpected-root" reports [SD_01, CAP_01, RL_01, RLI_01, RD_01, RDI_01, CL_01, CLI_01, CD_01, CDI_01]
    checks [Check::Head(check)]
    message "the root element is `{found}`, which does not match a {expectedKind}"
    help "serve a document of the expected kind at this location, or change the expected kind"
    en {
        what "Lists, dumps and the Source Description have the root element `urlset`; their indexes have \
            `sitemapindex`."
        why "A harvester that requests a list and gets an index, or the other way round, treats lists as resources or \
            resources as lists."
        fix "Check which of the two is published here. A list that fits into one document is a `urlset`; a split list \
            is a `sitemapindex` whose entries are the parts. If the document is right, change the expected kind."
    }
    ja {
        message "ルート要素が `{found}` で、{expectedKind}のルート要素と一致しない"
        help "想定する種類の文書をこの場所で公開するか、想定する文書の種類を変更してください"
        what "リスト、ダンプ、ソース記述のルート要素は `urlset`、それらのインデックスのルート要素は `sitemapindex` \
            です。"
        why "リストを取得するつもりでインデックスを受け取ったハーベスタは、リストをリソースとして扱います。逆の\
            場合は、リソースをリストとして扱います。"
        fix "この場所で公開しているのがどちらの形式かを確認します。1 件の文書に収まるリストは `urlset`、分割した\
            リストは各部分をエントリとする `sitemapindex` です。文書のほうが正しい場合は、想定する文書の種類を\
            変更します。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:md capability="description"/>
  <sitemap>
    <loc>http://example.com/description1.xml</loc>
  </sitemap>
</sitemapindex>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="describedby" href="http://example.com/about.html"/>
  <rs:md capability="description"/>
  <url>
    <loc>http://example.com/theses/capabilitylist.xml</loc>
    <rs:md capability="capabilitylist"/>
    <rs:ln rel="describedby" href="http://example.com/theses/about.html"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    let Some(expected) = cx.expect else { return };
    let profile = KindProfile::of(expected);
    let (Some(code), Some(shape)) = (profile.expected_root, cx.root.shape) else { return };
    // Without a capability the document cannot be identified as another kind (GEN-05).
    if shape != profile.shape && stated(md).is_some() && !no_index_form::breaks(cx.root.shape, md) {
        cx.report_root(Finding::new(code).arg("expectedKind", expected).arg("found", shape.root()));
    }
}
