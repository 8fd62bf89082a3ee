//! `byte-order-mark`: a byte order mark before a UTF-8 document.

use crate::rules::rule;

rule! {
    "byte-order-mark" reports [ADV_11]
    checks in ["validate/document.rs"]
    message "the document begins with a byte order mark"
    help "save the document as UTF-8 without a byte order mark"
    en {
        what "A UTF-8 document may begin with a byte order mark. XML allows it but does not need it."
        why "Some XML readers treat it as text before the XML declaration and reject the document. Programs that \
            concatenate files or inspect the first bytes fail in similar ways."
        fix "Write the file as \"UTF-8 without BOM\". In .NET use `new UTF8Encoding(false)`, in Python `utf-8` \
            instead of `utf-8-sig`."
    }
    ja {
        message "文書の先頭にバイト順マーク（BOM）がある"
        help "BOM なしの UTF-8 で保存してください"
        what "UTF-8 の文書の先頭には BOM を置けますが、XML では必要ありません。"
        why "BOM を XML 宣言の前のテキストとみなし、文書を拒否する XML パーサがあります。ファイルを連結する\
            プログラムや、先頭のバイトを調べるプログラムでも、同様の問題が起こります。"
        fix "「BOM なしの UTF-8」で保存します。.NET では `new UTF8Encoding(false)`、Python では `utf-8-sig` ではなく \
            `utf-8` を使います。"
    }
    wrong "\u{feff}<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:rs='http://www.openarchives.org/rs/terms/'>
  <rs:ln rel='up' href='http://example.com/photos/capabilitylist.xml'/>
  <rs:md capability='resourcelist' at='2024-05-01T00:00:00Z'/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
  </url>
</urlset>
"
    right "<urlset xmlns='http://www.sitemaps.org/schemas/sitemap/0.9' xmlns:rs='http://www.openarchives.org/rs/terms/'>
  <rs:ln rel='up' href='http://example.com/photos/capabilitylist.xml'/>
  <rs:md capability='resourcelist' at='2024-05-01T00:00:00Z'/>
  <url>
    <loc>http://example.com/photos/1.tif</loc>
  </url>
</urlset>
"
}
