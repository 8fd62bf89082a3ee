//! `not-utc`: the times of a document are full datetimes in UTC.

use crate::rules::prelude::*;

rule! {
    "not-utc" reports [AT_02]
    checks [Check::Named(Depends::Usual, &[Name::At, Name::Completed, Name::From, Name::Until], check)]
    message "`{attribute}` is `{value}`, not a full datetime in UTC"
    help "write it as `YYYY-MM-DDThh:mm:ssZ`, such as `2013-01-03T09:00:00Z`"
    en {
        what "`at`, `completed`, `from` and `until` should be given to the second, in UTC with `Z`."
        why "Harvesters compare these values with each other and with the current time. A date or year alone does not \
            specify when the snapshot or interval begins, and some implementations compare the values as text, so that \
            offsets put documents in the wrong order."
        fix "Convert local time to UTC, for example `2013-01-03T09:00:00+09:00` to `2013-01-03T00:00:00Z`, and keep \
            hours, minutes and seconds. Fractions of a second are allowed. `lastmod`, `datetime` and `modified` may \
            stay as they are."
    }
    ja {
        message "`{attribute}` の値 `{value}` が、秒までの UTC 日時ではない"
        help "`2013-01-03T09:00:00Z` のように `YYYY-MM-DDThh:mm:ssZ` の形式で書いてください"
        what "`at`、`completed`、`from`、`until` は、秒まで含む UTC の日時に `Z` を付けて書くことが推奨されます。"
        why "ハーベスタはこれらの値を相互に、また現在時刻と比較します。日付や年だけでは、スナップショットや期間の\
            正確な開始時点が分かりません。文字列のまま比較する実装では、UTC オフセット付きの日時によって文書の\
            前後関係が逆転します。"
        fix "`2013-01-03T09:00:00+09:00` は `2013-01-03T00:00:00Z` のように、現地時刻を UTC に変換し、時、分、秒まで\
            書きます。秒の小数部は付けてもかまいません。`lastmod`、`datetime`、`modified` は\
            変換しなくてもかまいません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00+09:00"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T00:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
  </url>
  <url>
    <loc>http://example.com/res2</loc>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, attribute: &Attribute) {
    let (AttributeValue::At(field)
    | AttributeValue::Completed(field)
    | AttributeValue::From(field)
    | AttributeValue::Until(field)) = &attribute.value
    else {
        return;
    };
    // Inexact spellings are reported as malformed (AT-01), and on `rs:ln` all four are misplaced (NS-03).
    let Some(datetime) = field.exact() else { return };
    if matches!(cx.step, PathStep::Md(_)) && !datetime.is_complete_utc() {
        let finding =
            Finding::new(Code::AT_02).arg("attribute", attribute.local()).arg("value", attribute.text().into_owned());
        cx.report_value(finding, attribute);
    }
}
