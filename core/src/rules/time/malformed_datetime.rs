//! `malformed-datetime`: a datetime is one of the six W3C forms.

use crate::{
    diagnostic::{Code, Finding},
    model::{AnyField, Attribute, Entry, Field, Name, Value},
    rules::{Check, Look, Step, rule},
    value::{Datetime, DatetimeProblem},
};

rule! {
    "malformed-datetime" reports [AT_01, AT_03]
    checks [Check::Named(DATED, check_attribute), Check::Entry(check_lastmod)]
    message "`{attribute}` is `{value}`, which is not a W3C Datetime ({problem})"
    help "write it as `YYYY-MM-DDThh:mm:ssZ`, such as `2013-01-03T09:00:00Z`"
    en {
        what "`at`, `completed`, `from`, `until`, `datetime`, `modified` and `lastmod` are W3C Datetimes: a year, a \
             month, a day, or a day and a time with `Z` or an offset from UTC."
        why "A harvester that cannot read the datetime cannot tell what is new, and drops the entry or the whole \
             document. One that guesses, say at a missing time zone, is hours off, and then misses the changes of \
             those hours."
        mend "Let a date library write it in UTC: `T` between date and time, `Z` in capitals, no blanks. Where only \
             the day is known, write only the day. A leap second is written as second 59."
    }
    ja {
        message "`{attribute}` の `{value}` は W3C Datetime ではない（{problem}）"
        help "`2013-01-03T09:00:00Z` のように `YYYY-MM-DDThh:mm:ssZ` の形で書く"
        what "`at`、`completed`、`from`、`until`、`datetime`、`modified`、`lastmod` の値は W3C Datetime です。年、\
             年月、年月日のいずれか、または年月日と時刻に `Z` か UTC との差を付けた形で書きます。"
        why "日時を読めないハーベスタは、何が新しいか判断できず、エントリや文書全体を捨てることがあります。\
             タイムゾーンがないときなどに推測すると、何時間もずれて、その間の変更を取りこぼします。"
        mend "日時のライブラリを使い、UTC で書き出します。日付と時刻の間は `T`、末尾は大文字の `Z` とし、空白を入れま\
             せん。日付しか分からない場合は日付だけを書きます。うるう秒は 59 秒と書きます。"
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

fn check_attribute(look: &mut Look<'_>, attribute: &Attribute) {
    let (code, field) = match &attribute.value {
        Value::At(field)
        | Value::Completed(field)
        | Value::From(field)
        | Value::Until(field)
        | Value::Datetime(field) => (Code::AT_01, field),
        // On `rs:md` it is misplaced, whatever its form (NS-03).
        Value::Modified(field) if matches!(look.step, Step::Link(_)) => (Code::AT_03, field),
        _ => return,
    };
    if let Some(finding) = malformed(code, attribute.local(), field) {
        look.report_value(finding, attribute);
    }
}

fn check_lastmod(look: &mut Look<'_>, entry: &Entry) {
    for (number, child) in (1..).zip(&entry.lastmod) {
        // Of a text that was cut, the form is not known.
        if child.cut {
            continue;
        }
        if let Some(finding) = malformed(Code::AT_01, "lastmod", &child.field) {
            look.report_child(finding, "lastmod", (number > 1).then_some(number), child.field.span());
        }
    }
}

fn malformed(code: Code, name: &str, field: &Field<Datetime>) -> Option<Finding> {
    let text = field.loose()?;
    let problem = Datetime::problem(text).map_or("", DatetimeProblem::as_str);
    Some(Finding::new(code).arg("attribute", name).arg("value", text).arg("problem", problem))
}
