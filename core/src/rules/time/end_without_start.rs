//! `end-without-start`: an entry with the end of an interval or snapshot also has its beginning.

use crate::rules::prelude::*;

rule! {
    "end-without-start" reports [TA_12]
    checks [Check::Md(Depends::Shape, check)]
    message "the entry has `{end}` without `{begin}`"
    help "add `{begin}`, or remove `{end}`"
    en {
        what "In an entry, `completed` is used only together with `at`, and `until` only together with `from`."
        why "The end of an interval is useless to a harvester that does not know its beginning: it cannot tell whether \
            the list or package contains the changes it needs, and has to fetch it to find out."
        fix "Copy both values from the list or package that the entry refers to. The beginning is mandatory in its \
            root `rs:md`."
    }
    ja {
        message "エントリに `{begin}` がなく `{end}` だけがある"
        help "`{begin}` を追加するか、`{end}` を削除してください"
        what "エントリでは、`completed` は `at` と、`until` は `from` と組み合わせた場合にだけ使います。"
        why "開始日時が分からなければ、終了日時だけあってもハーベスタの役に立ちません。必要な変更が含まれるかどうかを\
            判断できず、リストやパッケージを取得して確かめることになります。"
        fix "どちらの値も、エントリが指すリストやパッケージからコピーします。開始日時は、そのルート要素の `rs:md` に\
            必ずあります。"
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

fn check(cx: &mut CheckContext<'_>, md: &Md) {
    if cx.at_root() || cx.step != PathStep::Md(1) {
        return;
    }
    for (begin, end) in [(Name::At, Name::Completed), (Name::From, Name::Until)] {
        let Some(attribute) = md.attributes.get(end) else { continue };
        // If entries must not have such datetimes at all, the table of kinds reports it.
        let dated = matches!(cx.profile.root_need(begin), Need::Wanted(_))
            && !matches!(cx.profile.entry_need(begin), Need::Unused(_));
        if dated && md.attributes.get(begin).is_none() {
            let finding = Finding::new(Code::TA_12).arg("begin", begin.as_str()).arg("end", end.as_str());
            cx.report_attribute(finding, attribute);
        }
    }
}
