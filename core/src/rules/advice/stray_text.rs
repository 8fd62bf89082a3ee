//! `stray-text`: text between elements.

use crate::{model::Element, rules::prelude::*};

rule! {
    "stray-text" reports [ADV_10]
    checks [Check::Element(check)]
    message "text directly inside `{element}`, outside its child elements"
    help "remove the text, or turn it into a comment"
    en {
        what "The root element and the entries contain only elements. Text between them has no meaning."
        why "Readers ignore the text, so a value without its element is lost. Often it is left over from a template or \
            from copied entries."
        fix "Find out what the text was meant to be: put a value into its element, turn a note into a comment, and \
            delete everything else."
    }
    ja {
        message "`{element}` の直下（子要素の外）にテキストがある"
        help "テキストを削除するか、コメントにしてください"
        what "ルート要素とエントリの中には、要素だけを書きます。要素の間のテキストに意味はありません。"
        why "読み取り側はテキストを無視するため、要素で囲まれていない値は失われます。テンプレートやコピーした\
            エントリの一部が残っている場合がよくあります。"
        fix "何のためのテキストかを確認し、値であれば要素に入れ、メモであればコメントにし、それ以外は削除します。"
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

fn check(cx: &mut CheckContext<'_>, element: &Element) {
    if &*element.local == "#text" {
        let around = cx.entry.map_or(&*cx.root.local, |entry| entry.element.as_str());
        cx.report(Finding::new(Code::ADV_10).arg("element", around), element.span);
    }
}
