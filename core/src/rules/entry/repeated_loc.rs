//! `repeated-loc`: where an entry stands for a thing, not for an event, the thing is listed once.

use crate::{
    diagnostic::Finding,
    model::{AnyField, Entry},
    rules::{Check, Look, Need, rule},
    value::Uri,
};

rule! {
    "repeated-loc" reports [SD_13, RL_13, FN_16]
    checks [Check::Entry(check)]
    message "`{value}` is already listed by an earlier entry"
    help "keep one entry for each `loc`"
    en {
        what "A Source Description lists each Capability List once, a Resource List each resource, and a Framework \
              Notification each document that changed; only where entries are changes of resources may a `loc` recur."
        why "A harvester fetches the resource twice, or keeps whichever of the two entries it read last. Where their \
             hashes or dates differ, it cannot know which is right, and an audit fails for one of them."
        mend "Remove the entries that repeat; when lists are joined, join them by `loc`. If the entries are meant as \
              a history of changes, publish a Change List: there the same `loc` may stand once for every change."
    }
    ja {
        message "`{value}` はすでに前のエントリにある"
        help "`loc` ごとにエントリを一つだけ残す"
        what "ソース記述は機能リストを、リソースリストはリソースを、フレームワーク通知は変更された文書を、それぞれ一度だけ\
              列挙します。同じ `loc` を繰り返してよいのは、エントリがリソースの変更を表す場合だけです。"
        why "ハーベスタは同じリソースを二度取得するか、後に読んだエントリだけを残します。ハッシュや日時が異なると、\
             どちらが正しいのか分からず、監査ではどちらかが不一致になります。"
        mend "重複したエントリを削除します。複数のリストをまとめるときは `loc` で突き合わせます。変更の履歴を示したい場合は\
              変更リストを公開します。変更リストでは、変更の回数だけ同じ `loc` を書くことができます。"
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

fn check(look: &mut Look<'_>, entry: &Entry) {
    let Need::Unused(code) = look.profile.same_loc else { return };
    // Of a text that was cut we have only the beginning, which others may share.
    let Some(loc) = entry.loc.first().filter(|loc| !loc.cut) else { return };
    let Some(text) = loc.field.loose().or_else(|| loc.field.value().map(Uri::as_str)) else { return };
    if text.is_empty() {
        return;
    }
    if let Some(first) = look.loc.and_then(|key| look.memory.same_loc(key, text)) {
        let finding = Finding::new(code).arg("kind", look.kind()).arg("value", text).related("first", first);
        look.report_child(finding, "loc", None, loc.field.span());
    }
}
