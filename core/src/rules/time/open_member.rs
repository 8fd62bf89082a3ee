//! `open-member`: only the last member of an open index is open.

use crate::rules::prelude::*;

rule! {
    "open-member" reports [CLI_14, CLI_15, CDI_12]
    checks [Check::Entry(Depends::State, check_earlier), Check::Md(Depends::State, check_closed)]
    message "inconsistent `until` of an index member: {problem}"
    help "use the same `until` in the entry and in its list or dump; omit it from both only for the last member of an index without `until`"
    en {
        what "In an index of changes without `until`, at most the last member is open, that is, has `from` but no \
            `until`. In an index with `until`, none is open. An entry has `until` exactly if the list or dump it \
            refers to has it."
        why "An open member grows, so a harvester checks it again and again. If two members grow at the same time, or \
            one grows in an index that claims to be closed, new changes appear where the harvester no longer looks."
        fix "Close a list before starting the next: add `until` to it and copy the value to its entry. Add `until` to \
            the index only when its last member is closed and no further one will be added."
    }
    ja {
        message "インデックスのエントリの `until` が不整合（{problem}）"
        help "エントリとその参照先のリストやダンプに同じ `until` を書いてください（両方で省略できるのは、`until` のないインデックスの最後のエントリだけです）"
        what "変更のインデックスに `until` がない場合、開いている（`from` があり `until` がない）エントリは最後の 1 \
            件だけです。`until` がある場合、開いているエントリはありません。エントリの `until` の有無は、参照先の\
            リストやダンプと一致します。"
        why "開いているリストには変更が追記されるため、ハーベスタは繰り返し確認します。2 件のリストに同時に\
            追記されたり、完結したはずのインデックスのリストに追記されたりすると、ハーベスタがもう確認しない場所に\
            新しい変更が現れます。"
        fix "次のリストを作り始める前に、現在のリストを閉じます。リストに `until` を追加し、その値をエントリに\
            コピーします。インデックスの `until` は、最後のリストを閉じ、これ以上追加しない場合にだけ書きます。"
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
fn check_earlier(cx: &mut CheckContext<'_>, _: &Entry) {
    let (Some((_, open)), Some(earlier)) = (codes(cx.kind()), &cx.memory.open_member) else { return };
    if !is_closed(cx) {
        cx.report_earlier(Finding::new(open).arg("problem", "open-member"), earlier);
    }
}

/// In a closed index: this entry is open.
fn check_closed(cx: &mut CheckContext<'_>, md: &Md) {
    let Some((closed, _)) = codes(cx.kind()) else { return };
    let open = md.attributes.from().is_some() && md.attributes.until().is_none();
    if !cx.at_root() && cx.step == PathStep::Md(1) && open && is_closed(cx) {
        cx.report(Finding::new(closed).arg("problem", "open-member"), md.span);
    }
}

/// The codes for an open member in a closed index, and in an open one.
fn codes(kind: Kind) -> Option<(Code, Code)> {
    match kind {
        Kind::ChangeListIndex => Some((Code::CLI_14, Code::CLI_15)),
        Kind::ChangeDumpIndex => Some((Code::CDI_12, Code::CDI_12)),
        _ => None,
    }
}

fn is_closed(cx: &CheckContext<'_>) -> bool {
    cx.memory.md.as_ref().is_some_and(|md| md.attributes.until().is_some())
}
