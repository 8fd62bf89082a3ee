//! `malformed-pri`: a `pri` outside 1 to 999999.

use crate::rules::prelude::*;

rule! {
    "malformed-pri" reports [AT_19]
    checks [Check::Named(Depends::Shape, &[Name::Pri], check)]
    message "`pri` is `{value}`, not an integer from 1 to 999999"
    help "write an integer from 1 (highest priority) to 999999 (lowest priority), or remove `pri`"
    en {
        what "`pri` ranks links with the same relation within an entry by an integer from 1 to 999999. Lower numbers \
            are preferred."
        why "A harvester cannot rank the mirror and uses it as the last resort, or ignores the link. The Sitemap \
            priorities 0.0 to 1.0 have a different meaning."
        fix "Number the links 1, 2, 3 in the order in which they should be tried. Omit `pri` if there is no \
            preference."
    }
    ja {
        message "`pri` の値 `{value}` が 1 から 999999 までの整数ではない"
        help "1（最優先）から 999999（最後）までの整数を書くか、`pri` を削除してください"
        what "`pri` は、エントリ内で同じ関係タイプを持つリンクの優先順位で、1 から 999999 までの整数です。小さいほど\
            優先されます。"
        why "ハーベスタは優先順位を判断できず、そのミラーを最後の手段として扱うか、リンクを無視します。サイトマップの \
            `priority`（0.0 から 1.0）とは意味が異なります。"
        fix "試してほしい順に 1、2、3 と番号を付けます。優先順位がない場合は `pri` を省略します。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:ln rel="duplicate" href="https://mirror.example.com/article/17.pdf" pri="0.5"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
        xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/set/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-05-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/article/17.pdf</loc>
    <rs:ln rel="duplicate" href="https://mirror.example.com/article/17.pdf" pri="1"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    // On `rs:md` it is misplaced, regardless of its value (NS-03).
    let (AttributeValue::Pri(field), PathStep::Link(_)) = (&attribute.value, cx.step) else { return };
    if let Some(text) = field.loose() {
        cx.report_value(Finding::new(Code::AT_19).arg("value", text), attribute);
    }
}
