//! `late-head`: the root's `rs:md` or `rs:ln` stands after entries.

use crate::{
    diagnostic::{Code, Finding},
    rules::{Check, Look, rule},
};

rule! {
    "late-head" reports [GEN_21]
    checks [Check::End(check)]
    message "`rs:md` or `rs:ln` of the root after entries"
    help "write the root's `rs:md` and `rs:ln` before the first entry"
    en {
        what "The `rs:md` and `rs:ln` of the root come before the first entry."
        why "A harvester that reads long documents piece by piece must know what kind of list it reads before the entries come. \
             Otherwise it has to keep them all, or read the document twice."
        mend "Write the head first. If `completed` or `until` is known only at the end, keep the entries in a temporary file and \
              copy them after the head."
    }
    ja {
        message "ルート直下の `rs:md` または `rs:ln` がエントリより後にある"
        help "ルート直下の `rs:md` と `rs:ln` を最初のエントリより前に書く"
        what "ルート直下の `rs:md` と `rs:ln` は、最初のエントリより前に置きます。"
        why "長い文書を少しずつ読むハーベスタは、エントリを読む前に文書の種類を知る必要があります。後に書かれていると、すべてのエントリを\
             ためておくか、文書を二度読まなければなりません。"
        mend "先に `rs:md` と `rs:ln` を書きます。`completed` や `until` が最後まで決まらないときは、エントリを一時ファイルに書いておき、\
              その後に書き写します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>) {
    if let Some((step, span)) = look.memory.late {
        look.step = step;
        look.report(Finding::new(Code::GEN_21), span);
    }
}
