//! `loc-not-uri`: what an entry lists is not an absolute URI.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Entry},
    rules::{Check, Look, rule},
    value::{Uri, UriProblem},
};

rule! {
    "loc-not-uri" reports [GEN_11]
    checks [Check::Entry(check)]
    message "`loc` is `{value}`, not an absolute URI ({problem})"
    help "write the whole URI, with scheme and host, and percent-encode blanks and characters beyond ASCII"
    en {
        what "The `loc` of an entry is an absolute URI; white space around it does not count."
        why "A document has no base against which a relative reference could be resolved, and a harvester cannot ask for what is \
             not a URI. Clients encode blanks and non-ASCII characters differently, so some of them miss the resource."
        mend "Build the URI from the public address of the repository, not from a file path. Percent-encode other characters as \
              UTF-8: `日` becomes `%E6%97%A5`, a blank `%20`."
    }
    ja {
        message "`loc` の `{value}` は絶対 URI ではない（{problem}）"
        help "スキームとホストを含む URI 全体を書き、空白や ASCII 以外の文字はパーセントエンコードする"
        what "エントリの `loc` は絶対 URI です。前後の空白は無視されます。"
        why "文書には相対参照を解決する基準がなく、URI でないものをハーベスタは要求できません。空白や ASCII 以外の文字は\
             クライアントによって符号化が異なり、リソースを取得できないことがあります。"
        mend "ファイルパスではなく、リポジトリの公開アドレスから URI を組み立てます。\
            ASCII 以外の文字は UTF-8 でパーセントエンコードします。\
              `日` は `%E6%97%A5`、空白は `%20` になります。"
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

fn check(look: &mut Look<'_>, entry: &Entry) {
    for (number, loc) in (1..).zip(&entry.loc) {
        // Of a text cut at the limit the end is not known; LIM-07 says so.
        let Some(text) = loc.field.loose().filter(|_| !loc.cut) else { continue };
        let problem = Uri::problem(text).unwrap_or(UriProblem::Form);
        let finding = Finding::new(Code::GEN_11).arg("value", text).arg("problem", problem.as_str());
        look.report_child(finding, "loc", Some(number).filter(|number| *number > 1), loc.field.span());
    }
}
