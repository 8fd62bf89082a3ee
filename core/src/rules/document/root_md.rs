//! `root-md`: the root has no `rs:md`, or several.

use crate::{
    diagnostic::{Code, Finding},
    model::{Kind, Md},
    rules::{Check, Look, Step, rule},
};

rule! {
    "root-md" reports [GEN_04]
    checks [Check::Md(repeated), Check::End(missing)]
    message "the root has {count} `rs:md` elements, not exactly one"
    help "put one `rs:md` directly under the root element, with everything there is to say about the document"
    en {
        what "Directly under the root element there is exactly one `rs:md`, which says what kind of document this is."
        why "Without it the document is an ordinary sitemap: a harvester cannot tell a Resource List from a Change List. With \
             several of them, each harvester picks another one."
        mend "Write one `rs:md` before the first entry. Move the attributes of further ones into it; an `rs:md` that describes a \
              single resource belongs inside the `url` of that resource."
    }
    ja {
        message "ルート直下の `rs:md` の数が {count} 個（1 個でなければならない）"
        help "ルート要素の直下に `rs:md` を一つだけ置き、文書についての情報をすべてそこに書く"
        what "ルート要素の直下には、文書の種類を示す `rs:md` がちょうど一つ必要です。"
        why "これがない文書は普通のサイトマップと同じで、ハーベスタにはリソースリストか変更リストかも分かりません。複数あると、\
             どれが使われるかはハーベスタによって異なります。"
        mend "最初のエントリの前に `rs:md` を一つ書きます。余分な `rs:md` の属性はそこにまとめます。個々のリソースを説明する `rs:md` は、\
              そのリソースの `url` の中に移します。"
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

fn repeated(look: &mut Look<'_>, md: &Md) {
    match look.step {
        Step::Md(count @ 2..) if look.at_root() => {
            look.report(Finding::new(Code::GEN_04).arg("count", count), md.span);
        }
        _ => {}
    }
}

fn missing(look: &mut Look<'_>) {
    if look.memory.md_count > 0 || look.root.shape.is_none() {
        return;
    }
    let welcome = look.expect.map_or(look.plain_sitemap, |kind| kind == Kind::Sitemap);
    let plain = look.memory.links.is_empty() && !look.memory.described;
    if !(welcome && plain) {
        look.report_root(Finding::new(Code::GEN_04).arg("count", 0_u64));
    }
}
