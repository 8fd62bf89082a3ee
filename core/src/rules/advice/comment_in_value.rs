//! `comment-in-value`: a comment or processing instruction in the middle of a value.

use crate::{
    diagnostic::{Code, Finding},
    model::Entry,
    rules::{Check, Look, rule},
    span::Span,
};

rule! {
    "comment-in-value" reports [ADV_04]
    checks [Check::Entry(check)]
    message "a comment or processing instruction inside `{element}`"
    help "move it out of the element"
    en {
        what "The text of `loc` and `lastmod` is the value; a comment in it is legal XML and does not belong to the \
            value."
        why "XML libraries disagree about it: some join the text before and after, some stop at the comment, some return \
            nothing. So harvesters see different URIs in one document, and a short one may lead to another resource."
        mend "Write comments before or after the entry, and the value in one piece."
    }
    ja {
        message "`{element}` の中にコメントまたは処理命令がある"
        help "コメントや処理命令を要素の外に移す"
        what "`loc` や `lastmod` は内容の文字列が値です。その中のコメントは XML として正しく、値には含まれません。"
        why "扱いは XML ライブラリによって異なり、前後の文字列をつなぐもの、コメントの手前で切るもの、\
            何も返さないものがあります。ハーベスタによって別の URI になり、別のリソースを取得することもあります。"
        mend "コメントはエントリの前か後に書き、値は途切れさせずに書きます。"
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

fn check(look: &mut Look<'_>, entry: &Entry) {
    for aside in entry.loc.iter().filter_map(|loc| loc.aside) {
        report(look, "loc", aside);
    }
    for aside in entry.lastmod.iter().filter_map(|lastmod| lastmod.aside) {
        report(look, "lastmod", aside);
    }
}

fn report(look: &mut Look<'_>, element: &'static str, aside: Span) {
    look.report_child(Finding::new(Code::ADV_04).arg("element", element), element, None, aside);
}
