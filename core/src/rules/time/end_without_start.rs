//! `end-without-start`: an entry that says when it ends says when it begins.

use crate::{
    diagnostic::{Code, Finding},
    model::{Md, Name},
    rules::{Check, Look, Need, Step, rule},
};

rule! {
    "end-without-start" reports [TA_12]
    checks [Check::Md(check)]
    message "the entry has `{end}` but no `{begin}`"
    help "add `{begin}`, or remove `{end}`"
    en {
        what "In an entry `completed` comes only together with `at`, and `until` only together with `from`."
        why "The end of an interval is of no use to a harvester that does not know where it begins: it cannot tell \
             whether the list or package holds the changes it lacks, and has to fetch it to see."
        mend "Take both from the list or package that the entry stands for: its root `rs:md` has the beginning, which \
             is mandatory there."
    }
    ja {
        message "エントリに `{end}` があるが、`{begin}` がない"
        help "`{begin}` を書き加えるか、`{end}` を削除する"
        what "エントリの `completed` は `at` と、`until` は `from` と組み合わせてだけ使います。"
        why "始まりが分からなければ、期間の終わりだけあってもハーベスタの役に立ちません。足りない変更を含むかどうか\
             判断できず、リストやパッケージを取得して確かめることになります。"
        mend "どちらも、エントリが表すリストやパッケージの値を書き写します。期間の始まりは、そのルートの `rs:md` に\
             必ず書かれています。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
    <rs:md completed="2013-01-03T09:04:00Z"/>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2013-01-03T09:00:00Z"/>
  <sitemap>
    <loc>http://example.com/resourcelist1.xml</loc>
    <rs:md at="2013-01-03T09:00:00Z" completed="2013-01-03T09:04:00Z"/>
  </sitemap>
</sitemapindex>"#
}

fn check(look: &mut Look<'_>, md: &Md) {
    if look.at_root() || look.step != Step::Md(1) {
        return;
    }
    for (begin, end) in [(Name::At, Name::Completed), (Name::From, Name::Until)] {
        let Some(attribute) = md.attributes.get(end) else { continue };
        // Where entries are not dated this way at all, the table of kinds says so.
        let dated = matches!(look.profile.root_need(begin), Need::Wanted(_))
            && !matches!(look.profile.entry_need(begin), Need::Unused(_));
        if dated && md.attributes.get(begin).is_none() {
            let finding = Finding::new(Code::TA_12).arg("begin", begin.as_str()).arg("end", end.as_str());
            look.report_attribute(finding, attribute);
        }
    }
}
