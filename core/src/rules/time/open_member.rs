//! `open-member`: only the last member of an open index is open.

use crate::{
    diagnostic::{Code, Finding},
    model::{Entry, Kind, Md},
    rules::{Check, Look, Step, rule},
};

rule! {
    "open-member" reports [CLI_14, CLI_15, CDI_12]
    checks [Check::Entry(check_earlier), Check::Md(check_closed)]
    message "the `until` of the member does not fit: {problem}"
    help "write the same `until` into the entry and the list or dump it stands for; leave it out of both only for the \
        last member of an index without `until`"
    en {
        what "In an index of changes without `until` at most the last member is open, that is, has `from` but no \
             `until`; in an index with `until` none is. The entry has `until` exactly when the list or dump it stands \
             for has it."
        why "An open member grows, and a harvester comes back to it again and again. If two grow at once, or one \
             grows in an index that claims to be complete, a new change may be in a place where the harvester has \
             stopped looking."
        mend "Close a list before you begin the next: give it `until` and copy that into its entry. Give the index \
             `until` only when its last member is closed and none will follow."
    }
    ja {
        message "メンバーの `until` が合わない: {problem}"
        help "エントリとそのリストやダンプに同じ `until` を書く。両方で省けるのは、`until` のないインデックスの最後のメンバーだけである"
        what "変更のインデックスに `until` がなければ、開いている（`from` があり `until` がない）エントリは最後の一つ\
             だけです。`until` があれば、開いているエントリはありません。エントリの `until` の有無は、それが指すリストや\
             ダンプと一致します。"
        why "開いているリストには追記があるため、ハーベスタは繰り返し確認します。二つが同時に増えたり、完結したはずの\
             インデックスの中で増えたりすると、もう確認しないと決めた場所に新しい変更が現れます。"
        mend "次のリストを始める前に、今のリストを閉じます。リストに `until` を書き、それをエントリに書き写します。\
             インデックスの `until` は、最後のリストを閉じ、もう追加しない場合にだけ書きます。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
    <rs:md from="2013-01-01T00:00:00Z"/>
  </sitemap>
  <sitemap>
    <loc>http://example.com/changelist2.xml</loc>
    <rs:md from="2013-01-02T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="http://example.com/dataset1/capabilitylist.xml"/>
  <rs:md capability="changelist" from="2013-01-01T00:00:00Z"/>
  <sitemap>
    <loc>http://example.com/changelist1.xml</loc>
    <rs:md from="2013-01-01T00:00:00Z" until="2013-01-02T00:00:00Z"/>
  </sitemap>
  <sitemap>
    <loc>http://example.com/changelist2.xml</loc>
    <rs:md from="2013-01-02T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
}

/// In an open index: the entry before this one is open, so it is not the last.
fn check_earlier(look: &mut Look<'_>, _: &Entry) {
    let (Some((_, open)), Some(earlier)) = (codes(look.kind()), &look.memory.open_member) else { return };
    if !is_closed(look) {
        look.report_earlier(Finding::new(open).arg("problem", "open-member"), earlier);
    }
}

/// In a closed index: this entry is open.
fn check_closed(look: &mut Look<'_>, md: &Md) {
    let Some((closed, _)) = codes(look.kind()) else { return };
    let open = md.attributes.from().is_some() && md.attributes.until().is_none();
    if !look.at_root() && look.step == Step::Md(1) && open && is_closed(look) {
        look.report(Finding::new(closed).arg("problem", "open-member"), md.span);
    }
}

/// What an open member is reported as in a closed index, and in an open one.
fn codes(kind: Kind) -> Option<(Code, Code)> {
    match kind {
        Kind::ChangeListIndex => Some((Code::CLI_14, Code::CLI_15)),
        Kind::ChangeDumpIndex => Some((Code::CDI_12, Code::CDI_12)),
        _ => None,
    }
}

fn is_closed(look: &Look<'_>) -> bool {
    look.memory.md.as_ref().is_some_and(|md| md.attributes.until().is_some())
}
