//! `repeated-loc`: unless entries are changes of resources, each `loc` is listed once.

use crate::rules::prelude::*;

rule! {
    "repeated-loc" reports [SD_13, RL_13, FN_16]
    checks [Check::Entry(Depends::State, check)]
    message "duplicate `loc` `{value}`"
    help "keep one entry for each `loc`"
    en {
        what "A Source Description lists each Capability List once, a Resource List each resource, and a Framework \
            Notification each changed document. A `loc` may be repeated only where entries are changes of resources."
        why "A harvester fetches the resource twice, or keeps the entry that it read last. If the entries have \
            different digests or dates, it cannot tell which is right, and an audit fails for one of them."
        fix "Remove the duplicates. When you merge lists, merge them by `loc`. If the entries are meant as a change \
            history, publish a Change List: there the same `loc` may occur once for each change."
    }
    ja {
        message "`loc` の値 `{value}` が重複"
        help "同じ `loc` のエントリは 1 件だけ残してください"
        what "ソース記述は各機能リストを、リソースリストは各リソースを、フレームワーク通知は変更された各文書を、\
            それぞれ 1 回だけ列挙します。`loc` を繰り返せるのは、エントリがリソースの変更を表す場合だけです。"
        why "ハーベスタは同じリソースを 2 回取得するか、後から読んだエントリだけを残します。ダイジェストや日時が異なる\
            場合は、どちらが正しいか判断できず、監査で一方が不一致になります。"
        fix "重複したエントリを削除します。複数のリストを統合する場合は `loc` をキーにします。変更の履歴として\
            書いたのであれば、変更リストを公開します。変更リストでは、変更のたびに同じ `loc` を書くことができます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
  </url>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <url>
    <loc>https://example.com/theses/1.pdf</loc>
  </url>
  <url>
    <loc>https://example.com/theses/2.pdf</loc>
  </url>
</urlset>"#
}

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    // The members of an index have a rule of their own.
    let Need::Unused(code) = cx.profile.same_loc else { return };
    if cx.profile.shape == Shape::SitemapIndex {
        return;
    }
    // Only the start of a truncated text is known, which other entries may share.
    let Some(loc) = entry.loc.first().filter(|loc| !loc.cut) else { return };
    let Some(text) = loc.field.loose().or_else(|| loc.field.value().map(Uri::as_str)) else { return };
    if text.is_empty() {
        return;
    }
    let Some(first) = cx.first_loc.map(|first| first.span(text)) else { return };
    let finding = Finding::new(code).arg("kind", cx.kind()).arg("value", text).related("first", first);
    cx.report_child(finding, "loc", None, loc.field.span());
}
