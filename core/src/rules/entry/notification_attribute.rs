//! `notification-attribute`: entries of a Framework Notification have only `change`, `capability` and `datetime`.

use crate::rules::rule;

rule! {
    "notification-attribute" reports [FN_12]
    checks in ["rules/profile.rs"]
    message "unexpected `{attribute}` in an entry of a {kind}; only `change`, `capability` and `datetime` are allowed"
    help "remove `{attribute}`; this information belongs in the document at `loc`"
    en {
        what "The `rs:md` of an entry in a Framework Notification has `change` and `capability`, optionally \
            `datetime`, and nothing else."
        why "A receiver ignores the other attributes. Times or digests given here are outdated as soon as the document \
            changes again, and a receiver that relied on them would be misled."
        fix "Remove the attribute. Times belong in the root's `rs:md` of the changed document; `from` and `until` of \
            the notification belong in its own root's `rs:md`."
    }
    ja {
        message "{kind}のエントリでは `{attribute}` を使えない（使えるのは `change`、`capability`、`datetime` だけ）"
        help "`{attribute}` を削除してください（この情報は `loc` の文書に書きます）"
        what "フレームワーク通知のエントリの `rs:md` に書くのは、`change` と `capability`、および任意の `datetime` \
            だけです。"
        why "受信側はほかの属性を無視します。ここに書いた日時やダイジェストは、文書が再び変更されると古くなり、それに\
            頼った受信側は誤った処理をします。"
        fix "属性を削除します。日時は変更された文書のルート要素の `rs:md` に、通知自体の `from` と `until` は通知の\
            ルート要素の `rs:md` に書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="framework-notification"/>
  <url>
    <loc>https://example.com/theses/resourcelist.xml</loc>
    <rs:md change="updated" capability="resourcelist" datetime="2024-04-01T09:30:00Z" type="application/xml"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="framework-notification"/>
  <url>
    <loc>https://example.com/theses/resourcelist.xml</loc>
    <rs:md change="updated" capability="resourcelist" datetime="2024-04-01T09:30:00Z"/>
  </url>
</urlset>"#
}
