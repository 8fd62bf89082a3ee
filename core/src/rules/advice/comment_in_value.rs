//! `comment-in-value`: a comment or processing instruction inside a value.

use crate::rules::prelude::*;

rule! {
    "comment-in-value" reports [ADV_04]
    checks [Check::Entry(Depends::Shape, check)]
    message "comment or processing instruction inside `{element}`"
    help "move it out of the element"
    en {
        what "The value of `loc` and `lastmod` is their text. A comment inside it is legal XML and is not part of the \
            value."
        why "XML libraries handle it differently: some join the text before and after, some stop at the comment, some \
            return nothing. Harvesters therefore see different URIs in the same document, and a truncated one may \
            refer to another resource."
        fix "Write comments before or after the entry, and the value without interruption."
    }
    ja {
        message "`{element}` の中にコメントまたは処理命令がある"
        help "コメントや処理命令を要素の外に移してください"
        what "`loc` と `lastmod` の値は、要素のテキストです。その中のコメントは XML としては正しく、値には\
            含まれません。"
        why "扱いは XML ライブラリによって異なり、前後のテキストを連結するもの、コメントの手前までを返すもの、何も\
            返さないものがあります。そのため、同じ文書でもハーベスタによって URI が変わり、途中で切れた URI が別の\
            リソースを指すこともあります。"
        fix "コメントはエントリの前または後に書き、値は途切れないように書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1<!-- was 01 -->.tif</loc>
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <!-- was 01 -->
  <url>
    <loc>http://example.com/photos/1.tif</loc>
  </url>
</urlset>
"#
}

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    for aside in entry.loc.iter().filter_map(|loc| loc.aside) {
        report(cx, "loc", aside);
    }
    for aside in entry.lastmod.iter().filter_map(|lastmod| lastmod.aside) {
        report(cx, "lastmod", aside);
    }
}

fn report(cx: &mut CheckContext<'_>, element: &'static str, aside: Span) {
    cx.report_child(Finding::new(Code::ADV_04).arg("element", element), element, None, aside);
}
