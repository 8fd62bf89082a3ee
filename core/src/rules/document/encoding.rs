//! `encoding`: the document is not encoded in UTF-8, or declares another encoding. The reader reports it.

use crate::rules::rule;

rule! {
    "encoding" reports [GEN_22]
    checks in ["read/fault.rs"]
    message "the document encoding is `{encoding}`, not UTF-8"
    help "save the document as UTF-8 and declare `UTF-8` in the XML declaration, or omit the declaration"
    en {
        what "Documents are encoded in UTF-8, as the Sitemap protocol requires."
        why "A harvester may support UTF-8 only. If the document uses another encoding, or declares one that does not \
            match its bytes, it is rejected or its characters are misread, and URIs that contain such characters no \
            longer resolve."
        fix "Let the XML library write both the UTF-8 content and the declaration. If the bytes are already UTF-8, \
            correct the name in the XML declaration or remove the declaration."
    }
    ja {
        message "文書の文字エンコーディングが UTF-8 ではなく `{encoding}`"
        help "UTF-8 で保存し、XML 宣言の `encoding` を `UTF-8` にするか、XML 宣言を省略してください"
        what "文書の文字エンコーディングは、サイトマッププロトコルの定めにより UTF-8 です。"
        why "UTF-8 にしか対応していないハーベスタもあります。ほかの文字エンコーディングの文書や、宣言と実際のバイト\
            列が食い違う文書は、拒否されたり文字化けしたりします。URI が文字化けすると、リソースを取得できません。"
        fix "UTF-8 の本文と XML 宣言を、どちらも XML ライブラリに出力させます。内容がすでに UTF-8 であれば、XML \
            宣言の `encoding` を修正するか、XML 宣言を削除します。"
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
