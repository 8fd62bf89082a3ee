//! `wrong-namespace`: a namespace name that is nearly one of the two.

use crate::{
    diagnostic::{Code, Finding},
    model::Namespace,
    rules::{Check, Look, rule},
};

rule! {
    "wrong-namespace" reports [GEN_03]
    checks [Check::Namespace(check)]
    message "the namespace of `{element}` is `{written}`, not `{meant}`"
    help "declare the namespace exactly as `{meant}`"
    en {
        what "The two namespace names are exactly `http://www.sitemaps.org/schemas/sitemap/0.9` and \
              `http://www.openarchives.org/rs/terms/`; the prefix is free."
        why "Namespace names are compared character by character. With `https`, without the last slash or without a \
             declaration, a harvester does not find the elements it looks for and takes the document for empty."
        mend "Copy the two names into the `xmlns` declarations of the root element: `http`, not `https`; no slash after `0.9`, \
              one slash after `terms`."
    }
    ja {
        message "`{element}` の名前空間が `{meant}` ではなく `{written}` である"
        help "名前空間を正確に `{meant}` と宣言する"
        what "名前空間名は `http://www.sitemaps.org/schemas/sitemap/0.9` と `http://www.openarchives.org/rs/terms/` の二つで、\
              このとおりに書きます。接頭辞は自由です。"
        why "名前空間名は一字ずつ比較されます。`https` と書いたり、末尾のスラッシュや宣言そのものが抜けたりすると、\
             ハーベスタは目的の要素を見つけられず、空の文書と見なします。"
        mend "二つの名前をルート要素の `xmlns` 宣言にそのまま書き写します。`https` ではなく `http` で、`0.9` の後にスラッシュはなく、\
              `terms` の後にはスラッシュが一つあります。"
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

fn check(look: &mut Look<'_>, namespace: &Namespace) {
    let finding = Finding::new(Code::GEN_03)
        .arg("written", &*namespace.written)
        .arg("meant", namespace.meant)
        .arg("element", &*namespace.element);
    look.report(finding, namespace.span);
}
