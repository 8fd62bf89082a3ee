//! `not-well-formed`: the XML is not well-formed. The reader reports it.

use crate::rules::rule;

rule! {
    "not-well-formed" reports [GEN_01]
    checks in ["read/fault.rs"]
    message "not well-formed XML: {problem}"
    help "fix the XML at this position; the rest of the document was not read"
    en {
        what "A ResourceSync document must be well-formed XML 1.0."
        why "An XML parser has to stop at the first error of this kind. A harvester then gets nothing, or only the \
            entries before the error, and may treat the missing resources as deleted."
        fix "Generate documents with an XML library instead of concatenating strings, so that `&` and `<` in titles \
            and URIs are escaped. Write to a temporary file and rename it once it is complete, so that nobody fetches \
            a partial document."
    }
    ja {
        message "整形式でない XML（{problem}）"
        help "この位置の XML を修正してください（これより後は読み取っていません）"
        what "ResourceSync の文書は整形式の XML 1.0 でなければなりません。"
        why "XML パーサは、この種の誤りがあるとその位置で解析を中止します。ハーベスタは何も取得できないか、誤りより\
            前のエントリだけを受け取り、残りのリソースが削除されたと判断することがあります。"
        fix "文字列の連結ではなく XML ライブラリで文書を生成し、タイトルや URI に含まれる `&` や `<` が必ず\
            エスケープされるようにします。書き込み途中の文書が取得されないよう、一時ファイルに書き終えてから名前を\
            変更して公開します。"
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
