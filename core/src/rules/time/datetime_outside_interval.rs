//! `datetime-outside-interval`: the `datetime` of a change is within the interval of its document.

use super::entry_outside_interval::report_outside;
use crate::rules::prelude::*;

rule! {
    "datetime-outside-interval" reports [AT_24]
    checks [Check::Md(Depends::State, check)]
    message "`datetime` is `{value}`, outside the interval of the document (`{attribute}` is `{bound}`)"
    help "move the change to the document that covers its time, or correct `datetime`, `from` or `until`"
    en {
        what "In a Change List, Change Dump Manifest or Change Notification, the `datetime` of every entry is between \
            the `from` and `until` of the document, inclusive."
        why "A harvester relies on the interval: after processing the document, it considers itself synchronized up to \
            `until` and skips other documents for the same interval. A change outside the interval is applied twice or \
            never."
        fix "Select the changes by the same clock that provides `from` and `until`. The usual cause is local time \
            written as UTC. `lastmod` is not affected and may be outside the interval."
    }
    ja {
        message "`datetime` の `{value}` が文書の期間外（`{attribute}` は `{bound}`）"
        help "変更をその日時を含む期間の文書に移すか、`datetime`、`from`、`until` の誤りを修正してください"
        what "変更リスト、変更ダンプマニフェスト、変更通知では、すべてのエントリの `datetime` が、文書の `from` から \
            `until` まで（両端を含む）に収まります。"
        why "ハーベスタは期間の記載を信頼し、文書を処理し終えると `until` まで同期できたものとみなして、同じ期間の\
            文書を読み飛ばします。期間外の変更は、二重に適用されるか、適用されないままになります。"
        fix "`from` と `until` に使うものと同じ時計で変更を抽出します。多くの場合、原因は現地時刻を UTC として\
            書いていることです。`lastmod` は対象外で、期間の外でもかまいません。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-03T00:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md change="updated" datetime="2013-01-02T13:00:00Z"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-02T00:00:00Z"/>
  <url>
    <loc>http://example.com/res1</loc>
    <rs:md change="updated" datetime="2013-01-02T13:00:00Z"/>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    // Kinds whose entries are sorted by `datetime` list the changes of an interval.
    if cx.at_root() || cx.step != PathStep::Md(1) || !matches!(cx.profile.order, Some((Name::Datetime, _))) {
        return;
    }
    // If the interval itself is reversed, one finding is enough.
    let _ = report_outside(cx, Code::AT_24, md, Name::Datetime, Name::From)
        || report_outside(cx, Code::AT_24, md, Name::Datetime, Name::Until);
}
