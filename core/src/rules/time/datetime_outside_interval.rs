//! `datetime-outside-interval`: a change lies in the interval of its document.

use super::entry_outside_interval::report_outside;
use crate::{
    diagnostic::Code,
    model::{Md, Name},
    rules::{Check, Look, Step, rule},
};

rule! {
    "datetime-outside-interval" reports [AT_24]
    checks [Check::Md(check)]
    message "the change is dated `{value}`, outside the interval of the document, where `{attribute}` is `{bound}`"
    help "move the change to the document of its interval, or correct `datetime`, `from` or `until`"
    en {
        what "In a Change List, Change Dump Manifest or Change Notification `datetime` of every entry lies between \
             `from` and `until` of the root, both included."
        why "A harvester trusts the interval: having read the document, it takes itself to be in step up to `until`, \
             and skips documents whose interval it has. A change outside is applied twice, or never."
        mend "Select the changes by the same clock that you write `from` and `until` with; a local time written as \
             UTC is the usual cause. `lastmod` does not matter here and may lie anywhere."
    }
    ja {
        message "変更の日時 `{value}` が、文書の期間（`{attribute}` は `{bound}`）から外れている"
        help "変更をその期間の文書に移すか、`datetime`、`from`、`until` の誤りを直す"
        what "変更リスト、変更ダンプマニフェスト、変更通知では、すべてのエントリの `datetime` が、ルートの `from` から \
             `until` まで（両端を含む）に入ります。"
        why "ハーベスタは期間を信頼し、文書を読み終えると `until` まで同期できたと見なして、その期間の文書を読み飛ばし\
             ます。期間の外の変更は、二重に適用されるか、適用されないままになります。"
        mend "`from` と `until` を書くのと同じ時計で変更を抽出します。現地時刻を UTC として書いていることがよくありま\
             す。`lastmod` はここでは関係なく、期間の外でもかまいません。"
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

fn check(look: &mut Look<'_>, md: &Md) {
    // Kinds whose entries are ordered by `datetime` are those that list the changes of an interval.
    if look.at_root() || look.step != Step::Md(1) || !matches!(look.profile.order, Some((Name::Datetime, _))) {
        return;
    }
    // Where the interval itself is reversed, one finding is enough.
    let _ = report_outside(look, Code::AT_24, md, Name::Datetime, Name::From)
        || report_outside(look, Code::AT_24, md, Name::Datetime, Name::Until);
}
