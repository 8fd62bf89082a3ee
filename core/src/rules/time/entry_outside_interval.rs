//! `entry-outside-interval`: index members and packages of changes are within the interval of the document.

use super::reversed_interval::moment;
use crate::rules::prelude::*;

rule! {
    "entry-outside-interval" reports [TA_13]
    checks [Check::Md(Depends::State, check)]
    message "`{attribute}` of the entry is `{value}`, outside the interval of the document (`{attribute}` is `{bound}`)"
    help "correct the entry, or extend the interval in the root's `rs:md`"
    en {
        what "In a Change List Index, Change Dump or Change Dump Index, no entry begins before the `from` of the \
            document or ends after its `until`."
        why "A harvester reads the interval of the document first and skips the rest if there is nothing new in it. \
            Changes in an entry that extends beyond the interval are then never found."
        fix "Set the `from` of the document to the earliest `from` of its entries. Add `until` to the document only \
            if no further list or package will be added; it is then the latest `until` of the entries."
    }
    ja {
        message "エントリの `{attribute}` の `{value}` が文書全体の期間外（文書の `{attribute}` は `{bound}`）"
        help "エントリの値を修正するか、ルート要素の `rs:md` の期間を広げてください"
        what "変更リストインデックス、変更ダンプ、変更ダンプインデックスでは、どのエントリの期間も、文書全体の期間\
            （`from` から `until` まで）に収まります。"
        why "ハーベスタは最初に文書全体の期間を確認し、新しい変更がなければその文書を読み飛ばします。期間からはみ\
            出したエントリに含まれる変更は、発見されないままになります。"
        fix "文書の `from` は、エントリの `from` のうち最も早い日時にします。文書の `until` は、リストや\
            パッケージをこれ以上追加しない場合にだけ書き、エントリの `until` のうち最も遅い日時にします。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
    <rs:md from="2012-12-31T00:00:00Z" until="2013-01-02T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
    <rs:md from="2013-01-01T00:00:00Z" until="2013-01-02T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
}

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    // Kinds whose entries are sorted by `from` have entries with intervals.
    if cx.at_root() || cx.step != PathStep::Md(1) || !matches!(cx.profile.order, Some((Name::From, _))) {
        return;
    }
    report_outside(cx, Code::TA_13, md, Name::From, Name::From);
    report_outside(cx, Code::TA_13, md, Name::Until, Name::Until);
}

/// Reports the datetime `name` of an entry if it is beyond `bound` of the root; true if it was reported.
pub(super) fn report_outside(cx: &mut CheckContext<'_>, code: Code, md: &Md, name: Name, bound: Name) -> bool {
    let memory = cx.memory;
    let Some((attribute, value)) = moment(md, name) else { return false };
    let Some((limit, edge)) = memory.md.as_ref().and_then(|root| moment(root, bound)) else { return false };
    let outside = match bound {
        Name::Until | Name::Completed => value.start() > edge.start(),
        _ => value.start() < edge.start(),
    };
    if outside {
        let finding = timed(code, !value.is_partial() && !edge.is_partial())
            .arg("attribute", limit.local())
            .arg("value", attribute.text().into_owned())
            .arg("bound", limit.text().into_owned())
            .related("bound", limit.span());
        cx.report_value(finding, attribute);
    }
    outside
}
