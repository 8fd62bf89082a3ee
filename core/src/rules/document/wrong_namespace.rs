//! `wrong-namespace`: a namespace name that is a near miss of the Sitemap or ResourceSync namespace.

use crate::{model::Namespace, rules::prelude::*};

rule! {
    "wrong-namespace" reports [GEN_03]
    checks [Check::Namespace(check)]
    message "the namespace of `{element}` is `{written}` instead of `{meant}`"
    help "declare the namespace as exactly `{meant}`"
    en {
        what "The namespace names are exactly `http://www.sitemaps.org/schemas/sitemap/0.9` and \
            `http://www.openarchives.org/rs/terms/`. The prefixes are free to choose."
        why "Namespace names are compared character by character. With `https`, without the trailing slash or without \
            a declaration, a harvester does not find the elements it looks for and treats the document as empty."
        fix "Copy the two names into the `xmlns` declarations of the root element: `http`, not `https`; no slash \
            after `0.9`, one slash after `terms`."
    }
    ja {
        message "`{element}` の名前空間が `{meant}` ではなく `{written}`"
        help "名前空間を正確に `{meant}` と宣言してください"
        what "名前空間名は `http://www.sitemaps.org/schemas/sitemap/0.9` と `http://www.openarchives.org/rs/terms/` \
            です。この表記のとおりに書く必要があります。接頭辞は自由に選べます。"
        why "名前空間名は 1 文字ずつ比較されます。`https` で始まっていたり、末尾のスラッシュや\
            宣言そのものがなかったりすると、ハーベスタは必要な要素を見つけられず、文書を空とみなします。"
        fix "2 つの名前空間名を、ルート要素の `xmlns` 宣言にそのままコピーします。`https` ではなく `http` とし、`0.9` \
            の後にはスラッシュを付けず、`terms` の後にはスラッシュを 1 個付けます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, namespace: &Namespace) {
    let finding = Finding::new(Code::GEN_03)
        .arg("written", &*namespace.written)
        .arg("meant", namespace.meant)
        .arg("element", &*namespace.element);
    cx.report(finding, namespace.span);
}
