//! `malformed-datetime`: datetimes use one of the six W3C forms.

use crate::{rules::prelude::*, value::DatetimeProblem};

rule! {
    "malformed-datetime" reports [AT_01, AT_03]
    checks [Check::Named(Depends::Usual, DATED, check_attribute), Check::Entry(Depends::Usual, check_lastmod)]
    message "`{attribute}` is `{value}`, not a W3C Datetime ({problem})"
    help "write it as `YYYY-MM-DDThh:mm:ssZ`, such as `2013-01-03T09:00:00Z`"
    en {
        what "`at`, `completed`, `from`, `until`, `datetime`, `modified` and `lastmod` are W3C Datetimes: a year, a \
            year and month, a date, or a date and time with `Z` or an offset from UTC."
        why "A harvester that cannot parse the datetime cannot tell what is new, and drops the entry or the whole \
            document. A harvester that guesses, such as at a missing time zone, may be hours off and miss the changes \
            of those hours."
        fix "Let a date library write it in UTC: `T` between date and time, an upper-case `Z`, no white space. If \
            only the day is known, write only the date. Write a leap second as second 59."
    }
    ja {
        message "`{attribute}` の値 `{value}` が W3C Datetime ではない（{problem}）"
        help "`2013-01-03T09:00:00Z` のように `YYYY-MM-DDThh:mm:ssZ` の形式で書いてください"
        what "`at`、`completed`、`from`、`until`、`datetime`、`modified`、`lastmod` の値は W3C Datetime です。年、\
            年月、年月日、または `Z` か UTC オフセットを付けた日時のいずれかで書きます。"
        why "日時を解析できないハーベスタは、何が新しいかを判断できず、エントリや文書全体を破棄します。タイムゾーンの\
            欠落などを推測で補うハーベスタでは、時刻が何時間もずれ、その間の変更が見落とされることがあります。"
        fix "日時ライブラリを使い、UTC で出力します。日付と時刻の間は `T`、末尾は大文字の `Z` とし、空白は\
            入れません。日付しか分からない場合は日付だけを書きます。うるう秒は 59 秒として書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
}

const DATED: &[Name] = &[Name::At, Name::Completed, Name::From, Name::Until, Name::Datetime, Name::Modified];

fn check_attribute(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let (code, field) = match &attribute.value {
        AttributeValue::At(field)
        | AttributeValue::Completed(field)
        | AttributeValue::From(field)
        | AttributeValue::Until(field)
        | AttributeValue::Datetime(field) => (Code::AT_01, field),
        // On `rs:md` it is misplaced, regardless of its form (NS-03).
        AttributeValue::Modified(field) if matches!(cx.step, PathStep::Link(_)) => (Code::AT_03, field),
        _ => return,
    };
    if let Some(finding) = malformed(code, attribute.local(), field) {
        cx.report_value(finding, attribute);
    }
}

fn check_lastmod(cx: &mut CheckContext<'_>, entry: &Entry) {
    for (number, child) in (1..).zip(&entry.lastmod) {
        // The form of a truncated text is unknown.
        if child.cut {
            continue;
        }
        if let Some(finding) = malformed(Code::AT_01, "lastmod", &child.field) {
            cx.report_child(finding, "lastmod", (number > 1).then_some(number), child.field.span());
        }
    }
}

fn malformed(code: Code, name: &str, field: &Field<Datetime>) -> Option<Finding> {
    let text = field.loose()?;
    let problem = Datetime::problem(text).map_or("", DatetimeProblem::as_str);
    Some(Finding::new(code).arg("attribute", name).arg("value", text).arg("problem", problem))
}
