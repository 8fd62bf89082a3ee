//! `reversed-interval`: a snapshot or interval does not end before it begins.

use crate::rules::prelude::*;

rule! {
    "reversed-interval" reports [GEN_32]
    checks [Check::Md(Depends::Values, check)]
    message "`{end}` is `{endValue}`, earlier than `{begin}`, which is `{beginValue}`"
    help "swap `{begin}` and `{end}`, or correct the wrong value"
    en {
        what "`completed` is not earlier than `at`, and `until` is not earlier than `from`."
        why "An interval that ends before it begins cannot contain any change, so a harvester skips the document, or \
            continues from the wrong end and misses everything in between."
        fix "Often the two values were swapped, or one is local time and the other UTC. Equal values are allowed: a \
            snapshot may take no time, and an interval may be empty."
    }
    ja {
        message "`{end}` の `{endValue}` が `{begin}` の `{beginValue}` より前の日時"
        help "`{begin}` と `{end}` を入れ替えるか、誤っているほうの値を修正してください"
        what "`completed` は `at` 以降、`until` は `from` 以降の日時です。"
        why "開始より前に終了する期間に変更が含まれることはありません。ハーベスタは文書を読み飛ばすか、誤った日時から\
            処理を続けて、その間の変更をすべて見落とします。"
        fix "2 つの値が入れ替わっている場合や、一方が現地時刻でもう一方が UTC の場合がよくあります。同じ日時であれば\
            問題ありません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:10:00Z" completed="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z" completed="2013-01-03T09:10:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.step != PathStep::Md(1) {
        return;
    }
    for (begin, end) in [(Name::At, Name::Completed), (Name::From, Name::Until)] {
        let (Some((begin, first)), Some((end, last))) = (moment(md, begin), moment(md, end)) else { continue };
        if last.start() < first.start() {
            let finding = timed(Code::GEN_32, !first.is_partial() && !last.is_partial())
                .arg("begin", begin.local())
                .arg("beginValue", begin.text().into_owned())
                .arg("end", end.local())
                .arg("endValue", end.text().into_owned());
            cx.report_value(finding, end);
        }
    }
}

/// The datetime in an attribute, if its spelling is that of the standard; others are not compared.
pub(super) fn moment(md: &Md, name: Name) -> Option<(&Attribute, &Datetime)> {
    let attribute = md.attributes.get(name)?;
    match &attribute.value {
        AttributeValue::At(field)
        | AttributeValue::Completed(field)
        | AttributeValue::From(field)
        | AttributeValue::Until(field)
        | AttributeValue::Datetime(field) => Some((attribute, field.exact()?)),
        _ => None,
    }
}
