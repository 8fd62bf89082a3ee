//! `misplaced-contents`: a manifest announced where there is no package, or twice.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Link},
    rules::{Check, Look, rule},
};

rule! {
    "misplaced-contents" reports [LK_32]
    checks [Check::Related(&["contents"], check)]
    message "misplaced or repeated `contents` link"
    help "keep one `contents` link in each entry of a Resource Dump or Change Dump, and none elsewhere"
    en {
        what "`contents` leads from the entry of a package to a copy of its manifest; it occurs in Resource Dumps and \
            Change Dumps, once in an entry."
        why "A harvester uses the link to decide whether a package is worth downloading. Elsewhere nobody looks for it, \
            and of two manifests one is wrong."
        mend "Move the link into the `url` element of the package it describes and keep the one that leads to the \
            current manifest."
    }
    ja {
        message "`contents` リンクの場所または数が正しくない"
        help "リソースダンプか変更ダンプの各エントリに一つだけ書き、ほかの場所には書かない"
        what "`contents` は、パッケージのエントリからマニフェストの写しへのリンクです。リソースダンプと変更ダンプのエン\
            トリに、一つだけ書けます。"
        why "ハーベスタはこのリンクを見て、パッケージを取得するかどうかを決めます。ほかの場所にあっても読まれず、二つあ\
            れば一方は誤りです。"
        mend "対象のパッケージの `url` 要素にリンクを移し、現在のマニフェストを指すものだけを残します。"
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

fn check(look: &mut Look<'_>, link: &Link) {
    let is_contents =
        |link: &Link| link.attributes.rel().and_then(|rel| rel.value()).is_some_and(|relation| relation.is("contents"));
    if !is_contents(link) {
        return;
    }
    let first = look.entry.and_then(|entry| entry.links.iter().find(|link| is_contents(link)));
    let repeated = first.filter(|first| !core::ptr::eq(*first, link));
    let fine = match look.kind() {
        Kind::ResourceDump | Kind::ChangeDump => !look.at_root(),
        kind => kind == Kind::Unknown,
    };
    let finding = Finding::new(Code::LK_32);
    match repeated {
        Some(first) => look.report(finding.related("first", first.span), link.span),
        None if !fine => look.report(finding, link.span),
        None => {}
    }
}
