//! `stray-text`: text between elements, where only elements belong.

use crate::{
    diagnostic::{Code, Finding},
    model::Element,
    rules::{Check, Look, rule},
};

rule! {
    "stray-text" reports [ADV_10]
    checks [Check::Element(check)]
    message "text directly inside `{element}`, outside its child elements"
    help "remove the text, or make it a comment"
    en {
        what "The root and the entries hold elements only; text in them has no meaning."
        why "Readers ignore it, so a value that lost its element is lost. Often it is the rest of a template, or of an \
            entry that was cut and pasted."
        mend "Look at what the text was meant to be: put a value into its element, turn a note into a comment, and delete \
            the rest."
    }
    ja {
        message "`{element}` の直下、子要素の外に文字がある"
        help "文字を削除するか、コメントにする"
        what "ルートとエントリの中には要素だけを置きます。要素の外の文字に意味はありません。"
        why "読み取る側は無視するため、要素の抜け落ちた値は失われます。多くは、\
            テンプレートや切り貼りしたエントリの残りです。"
        mend "その文字が何だったのかを確認し、値であれば要素に入れ、メモであればコメントにし、\
            それ以外は削除します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
    2024-04-30
  </url>
</urlset>
"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/photos/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
    <lastmod>2024-04-30</lastmod>
  </url>
</urlset>
"#
}

fn check(look: &mut Look<'_>, element: &Element) {
    if &*element.local == "#text" {
        let around = look.entry.map_or(&*look.root.local, |entry| entry.element.as_str());
        look.report(Finding::new(Code::ADV_10).arg("element", around), element.span);
    }
}
