//! `byte-order-mark`: three bytes that say UTF-8 and are not needed.

use crate::rules::rule;

rule! {
    "byte-order-mark" reports [ADV_11]
    checks []
    message "the document begins with a byte order mark"
    help "save the document as UTF-8 without a byte order mark"
    en {
        what "A document in UTF-8 may begin with a byte order mark; XML allows it and does not need it."
        why "Some XML readers take it for text before the XML declaration and refuse the document; so do programs that \
            join files or look at the first bytes."
        mend "Write the file as \"UTF-8 without BOM\". In .NET use `new UTF8Encoding(false)`, in Python `utf-8` and not \
            `utf-8-sig`."
    }
    ja {
        message "文書がバイト順マーク（BOM）で始まっている"
        help "BOM なしの UTF-8 で保存する"
        what "UTF-8 の文書は BOM で始めることができますが、XML では必要ありません。"
        why "BOM を XML 宣言の前の文字と見なして文書を拒否するソフトウェアがあります。\
            ファイルを連結したり先頭のバイトを調べたりするプログラムも誤動作します。"
        mend "「BOM なしの UTF-8」で保存します。.NET では `new UTF8Encoding(false)`、\
            Python では `utf-8-sig` ではなく `utf-8` を使います。"
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
