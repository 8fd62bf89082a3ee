//! `loc-not-uri`: the `loc` of an entry is not an absolute URI.

use crate::{rules::prelude::*, value::UriProblem};

rule! {
    "loc-not-uri" reports [GEN_11]
    checks [Check::Entry(Depends::Usual, check)]
    message "`loc` is `{value}`, not an absolute URI ({problem})"
    help "write the full URI with scheme and host, and percent-encode spaces and non-ASCII characters"
    en {
        what "The `loc` of an entry is an absolute URI. Surrounding white space is ignored."
        why "A ResourceSync document has no base URI against which a relative reference could be resolved, and a \
            harvester cannot request something that is not a URI. Clients encode spaces and non-ASCII characters in \
            different ways, so some of them fail to fetch the resource."
        fix "Build the URI from the public address of the repository, not from a file path. Percent-encode other \
            characters as UTF-8: `日` becomes `%E6%97%A5`, a space becomes `%20`."
    }
    ja {
        message "`loc` の値 `{value}` が絶対 URI ではない（{problem}）"
        help "スキームとホストを含む完全な URI を書き、空白と非 ASCII 文字はパーセントエンコードしてください"
        what "エントリの `loc` は絶対 URI です。前後の空白は無視されます。"
        why "ResourceSync の文書には相対参照を解決するための基底 URI がなく、URI ではない値はリクエストできません。\
            空白や非 ASCII 文字の符号化はクライアントによって異なるため、リソースを取得できない場合があります。"
        fix "URI はファイルパスからではなく、リポジトリの公開 URL から組み立てます。使用できない文字は UTF-8 で\
            パーセントエンコードします。たとえば `日` は `%E6%97%A5`、空白は `%20` になります。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>/items/1</loc>
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

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    for (number, loc) in (1..).zip(&entry.loc) {
        // The end of a truncated text is unknown; LIM-07 reports it.
        let Some(text) = loc.field.loose().filter(|_| !loc.cut) else { continue };
        let problem = Uri::problem(text).unwrap_or(UriProblem::Form);
        let finding = Finding::new(Code::GEN_11).arg("value", text).arg("problem", problem.as_str());
        cx.report_child(finding, "loc", Some(number).filter(|number| *number > 1), loc.field.span());
    }
}
