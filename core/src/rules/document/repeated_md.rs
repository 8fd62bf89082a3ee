//! `repeated-md`: more than one `rs:md` in an entry.

use crate::rules::prelude::*;

rule! {
    "repeated-md" reports [GEN_13]
    checks [Check::Md(Depends::Shape, check)]
    message "the entry has more than one `rs:md` (this is number {number})"
    help "merge all attributes into one `rs:md`"
    en {
        what "An entry has at most one `rs:md`."
        why "A harvester reads only one of them, the first or the last, and ignores the others. A `hash` or `change` \
            that is present may therefore be treated as missing."
        fix "Merge the attributes into one `rs:md`. If they contradict each other, they describe two different \
            things: write two entries, or use an `rs:ln` for the other representation."
    }
    ja {
        message "1 件のエントリに `rs:md` が複数ある（これは {number} 個目）"
        help "すべての属性を 1 個の `rs:md` にまとめてください"
        what "1 件のエントリに書ける `rs:md` は 1 個までです。"
        why "ハーベスタは最初か最後の 1 個だけを読み、ほかは無視します。`hash` や `change` を書いていても、\
            ないものとして扱われることがあります。"
        fix "属性を 1 個の `rs:md` にまとめます。値が矛盾する場合は別々のものを記述していることになるため、エントリを\
            分けるか、もう一方の表現を `rs:ln` で示します。"
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

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    match cx.step {
        PathStep::Md(number @ 2..) if !cx.at_root() => {
            cx.report(Finding::new(Code::GEN_13).arg("number", number), md.span);
        }
        _ => {}
    }
}
