//! `not-well-formed`: the XML itself is broken. Reading reports it.

use crate::rules::rule;

rule! {
    "not-well-formed" reports [GEN_01]
    checks []
    message "not well-formed XML: {problem}"
    help "mend the XML at this place; nothing after it was read"
    en {
        what "A ResourceSync document is well-formed XML 1.0."
        why "An XML parser has to stop at the first fault of this kind. A harvester is left with nothing, or with the entries \
             before the fault, and may take those that are missing for resources that are gone."
        mend "Write documents with an XML library rather than by joining strings, so that `&` and `<` in titles and URIs are \
              escaped. Write to another file name first and rename the file once it is complete, so that nobody fetches half of it."
    }
    ja {
        message "整形式の XML ではない: {problem}"
        help "この箇所の XML を直す（これより後は読み取っていない）"
        what "ResourceSync の文書は整形式の XML 1.0 でなければなりません。"
        why "XML パーサはこの種の誤りに出会うとそこで処理を止めます。ハーベスタは何も取得できないか、誤りより前のエントリだけを受け取り、\
             残りのリソースがなくなったと誤解するおそれがあります。"
        mend "文字列の連結ではなく XML ライブラリで文書を書き出し、タイトルや URI に含まれる `&` や `<` がエスケープされるようにします。\
              書きかけの文書が取得されないよう、別のファイル名で書き終えてから名前を変えて公開します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/show?id=1&lang=ja</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/show?id=1&amp;lang=ja</loc>
  </url>
</urlset>"#
}
