//! `repeated-md`: more than one `rs:md` in an entry.

use crate::{
    diagnostic::{Code, Finding},
    model::Md,
    rules::{Check, Look, Step, rule},
};

rule! {
    "repeated-md" reports [GEN_13]
    checks [Check::Md(check)]
    message "`rs:md` number {number} in one entry"
    help "put all attributes on one `rs:md`"
    en {
        what "An entry has at most one `rs:md`."
        why "A harvester reads one of them, the first or the last, and never sees what the others say: a missing `hash` or \
             `change` then looks like an entry without one."
        mend "Merge the attributes into one `rs:md`. Where they contradict each other, two things are described: write two \
              entries, or an `rs:ln` for the other representation."
    }
    ja {
        message "一つのエントリに {number} 個目の `rs:md` がある"
        help "属性を一つの `rs:md` にまとめる"
        what "エントリに書ける `rs:md` は一つまでです。"
        why "ハーベスタは最初か最後の一つだけを読み、ほかの内容は見ません。`hash` や `change` があっても、ないものとして扱われることがあります。"
        mend "属性を一つの `rs:md` にまとめます。互いに矛盾するなら二つのものを説明しているので、エントリを分けるか、\
              別の表現を `rs:ln` で示します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <rs:md length="5120"/>
    <rs:md type="text/html"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
    <rs:md length="5120" type="text/html"/>
  </url>
</urlset>"#
}

fn check(look: &mut Look<'_>, md: &Md) {
    match look.step {
        Step::Md(number @ 2..) if !look.at_root() => {
            look.report(Finding::new(Code::GEN_13).arg("number", number), md.span);
        }
        _ => {}
    }
}
