//! `misplaced-contents`: a `contents` link without a package, or a second one.

use crate::rules::prelude::*;

rule! {
    "misplaced-contents" reports [LK_32]
    checks [Check::Related(Depends::Shape, &["contents"], check)]
    message "misplaced or duplicate `contents` link"
    help "keep one `contents` link in each entry of a Resource Dump or Change Dump, and none elsewhere"
    en {
        what "`contents` links the entry of a package to a copy of its manifest. It occurs in Resource Dumps and \
            Change Dumps, at most once in an entry."
        why "A harvester uses the link to decide whether a package is worth downloading. Elsewhere nobody looks for \
            it, and of two manifests one is wrong."
        fix "Move the link into the `url` element of the package that it describes, and keep the one that refers to \
            the current manifest."
    }
    ja {
        message "位置が誤っているか重複している `contents` リンク"
        help "リソースダンプまたは変更ダンプの各エントリに 1 つだけ書き、ほかの場所からは削除してください"
        what "`contents` は、パッケージのエントリからマニフェストのコピーへのリンクです。リソースダンプと変更ダンプの\
            各エントリに 1 つまで書けます。"
        why "ハーベスタはこのリンクを使って、パッケージを取得するかどうかを判断します。ほかの場所にあっても読まれず、\
            マニフェストが 2 つあれば一方は誤りです。"
        fix "対象のパッケージの `url` 要素にリンクを移し、現在のマニフェストを指すものだけを残します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/dump/1.zip</loc>
    <rs:md type="application/zip" length="70241"/>
    <rs:ln rel="contents" href="https://example.com/dump/1-manifest.xml" type="application/xml"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/dump/1.zip</loc>
    <rs:md type="application/zip" length="70241"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, link: &Link) {
    let is_contents =
        |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("contents"));
    if !is_contents(link) {
        return;
    }
    let first = cx.entry.and_then(|entry| entry.links.iter().find(|link| is_contents(link)));
    let repeated = first.filter(|first| !core::ptr::eq(*first, link));
    let fine = if cx.profile.is_dump() { !cx.at_root() } else { cx.kind() == Kind::Unknown };
    let finding = Finding::new(Code::LK_32);
    match repeated {
        Some(first) => cx.report(finding.related("first", first.span), link.span),
        None if !fine => cx.report(finding, link.span),
        None => {}
    }
}
