//! `reversed-interval`: nothing ends before it begins.

use crate::{
    diagnostic::Code,
    model::{Attribute, Md, Name, Value},
    rules::{Check, Look, Step, rule, timed},
    value::Datetime,
};

rule! {
    "reversed-interval" reports [GEN_32]
    checks [Check::Md(check)]
    message "`{end}` is `{endValue}`, earlier than `{begin}`, which is `{beginValue}`"
    help "exchange `{begin}` and `{end}`, or correct the wrong one"
    en {
        what "`completed` is not earlier than `at`, and `until` is not earlier than `from`."
        why "No change can lie in an interval that ends before it begins, so a harvester skips the document, or \
             continues from the wrong end and misses everything in between."
        mend "Often two values were exchanged, or one is in local time and the other in UTC. Equal values are fine: a \
             snapshot may take no time, and an interval may be empty."
    }
    ja {
        message "`{end}` の `{endValue}` が、`{begin}` の `{beginValue}` より前である"
        help "`{begin}` と `{end}` を入れ替えるか、誤っているほうを直す"
        what "`completed` は `at` より前に、`until` は `from` より前になりません。"
        why "始まる前に終わる期間に含まれる変更はありません。ハーベスタは文書を読み飛ばすか、誤った端から続けて、その\
             間の変更をすべて取りこぼします。"
        mend "二つの値が入れ替わっているか、一方が現地時刻で他方が UTC になっていることがよくあります。同じ日時であれ\
             ば問題ありません。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    if look.step != Step::Md(1) {
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
            look.report_value(finding, end);
        }
    }
}

/// The datetime in an attribute, if it was written as the standard writes it: only such are compared.
pub(super) fn moment(md: &Md, name: Name) -> Option<(&Attribute, &Datetime)> {
    let attribute = md.attributes.get(name)?;
    match &attribute.value {
        Value::At(field)
        | Value::Completed(field)
        | Value::From(field)
        | Value::Until(field)
        | Value::Datetime(field) => Some((attribute, field.exact()?)),
        _ => None,
    }
}
