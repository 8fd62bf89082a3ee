//! `root-md`: the root element has no `rs:md`, or several.

use crate::rules::prelude::*;

rule! {
    "root-md" reports [GEN_04]
    checks [Check::Md(Depends::Shape, repeated), Check::End(missing)]
    message "the root element has {count} `rs:md` elements instead of exactly one"
    help "put exactly one `rs:md` with all document metadata directly under the root element"
    en {
        what "The root element has exactly one `rs:md` child, which identifies the kind of document."
        why "Without it the document is an ordinary sitemap: a harvester cannot tell a Resource List from a Change \
            List. With several of them, it is undefined which one is used."
        fix "Write one `rs:md` before the first entry and merge the attributes of any others into it. An `rs:md` that \
            describes a single resource belongs inside the `url` of that resource."
    }
    ja {
        message "ルート要素直下の `rs:md` が {count} 個（必要な数は 1 個）"
        help "ルート要素の直下に `rs:md` を 1 個だけ置き、文書に関する情報をすべてそこに書いてください"
        what "ルート要素の直下には、文書の種類を示す `rs:md` がちょうど 1 個必要です。"
        why "`rs:md` がない文書は通常のサイトマップとなり、ハーベスタはリソースリストと変更リストを区別できません。\
            複数ある場合は、どれが使われるか定まりません。"
        fix "最初のエントリの前に `rs:md` を 1 個書き、余分な `rs:md` の属性はそこにまとめます。個々のリソースを\
            説明する `rs:md` は、そのリソースの `url` の中に移します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <rs:md completed="2024-04-01T00:10:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z" completed="2024-04-01T00:10:00Z"/>
  <url>
    <loc>http://example.com/items/1</loc>
  </url>
</urlset>"#
}

fn repeated(cx: &mut CheckContext<'_>, md: &Md) {
    match cx.step {
        PathStep::Md(count @ 2..) if cx.at_root() => {
            cx.report(Finding::new(Code::GEN_04).arg("count", count), md.span);
        }
        _ => {}
    }
}

fn missing(cx: &mut CheckContext<'_>) {
    if cx.memory.md_count > 0 || cx.root.shape.is_none() {
        return;
    }
    let welcome = cx.expect.map_or(cx.plain_sitemap, |kind| kind == Kind::Sitemap);
    let plain = cx.memory.links.is_empty() && !cx.memory.described;
    if !(welcome && plain) {
        cx.report_root(Finding::new(Code::GEN_04).arg("count", 0_u64));
    }
}
