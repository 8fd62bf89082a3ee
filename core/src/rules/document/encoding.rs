//! `encoding`: the document is not in UTF-8, or says so. Reading reports it.

use crate::rules::rule;

rule! {
    "encoding" reports [GEN_22]
    checks []
    message "the encoding is `{encoding}`, not UTF-8"
    help "save the document as UTF-8 and declare `UTF-8`, or nothing, in the XML declaration"
    en {
        what "Documents are encoded in UTF-8, as the Sitemap protocol demands."
        why "Harvesters may read UTF-8 only. With another encoding, or a declaration that disagrees with the bytes, they refuse \
             the document or read wrong characters, and URIs with such characters lead nowhere."
        mend "Let the XML library write UTF-8 and the declaration together. If the bytes are UTF-8 already, change the name in \
              the XML declaration or leave the declaration out."
    }
    ja {
        message "文字符号化方式が UTF-8 ではなく `{encoding}` である"
        help "UTF-8 で保存し、XML 宣言には `UTF-8` と書くか、何も書かない"
        what "文書は、サイトマッププロトコルの定めるとおり UTF-8 で符号化します。"
        why "ハーベスタは UTF-8 しか読めないことがあります。ほかの符号化方式や、実際のバイト列と食い違う宣言があると、\
             文書が拒否されたり文字化けしたりし、そのような文字を含む URI からは何も取得できません。"
        mend "XML ライブラリに、UTF-8 の本文と XML 宣言を一緒に書き出させます。バイト列がすでに UTF-8 であれば、XML 宣言の名前を直すか、\
              宣言を省きます。"
    }
    wrong r#"<?xml version="1.0" encoding="ISO-8859-1"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
    right r#"<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
}
