//! `notification-attribute`: a Framework Notification says what changed and how, and leaves the rest to the document.

use crate::rules::rule;

rule! {
    "notification-attribute" reports [FN_12]
    checks []
    message "an entry of a {kind} has `{attribute}`, but only `change`, `capability` and `datetime` are for it"
    help "remove `{attribute}`; the document that `loc` leads to says such things itself"
    en {
        what "The `rs:md` of an entry in a Framework Notification has `change` and `capability`, perhaps `datetime`, and \
              nothing else."
        why "A receiver does not read the other attributes. Times or hashes given here are out of date as soon as the \
             document changes again, and a receiver that did trust them would go wrong."
        mend "Remove the attribute. Times belong to the `rs:md` below the root of the changed document; `from` and `until` \
              of the notification itself to the `rs:md` below its own root."
    }
    ja {
        message "{kind}のエントリに `{attribute}` がある（使えるのは `change`、`capability`、`datetime` だけ）"
        help "`{attribute}` を削除する（この情報は `loc` の指す文書自身が示す）"
        what "フレームワーク通知のエントリの `rs:md` に書くのは `change` と `capability`、任意の `datetime` だけです。"
        why "受信側はほかの属性を読みません。ここに書いた日時やハッシュは、文書が再び変わるとすぐに古くなり、それを信じた\
             受信側の処理を誤らせます。"
        mend "該当する属性を削除します。日時は変更された文書のルート直下の `rs:md` に、通知そのものの `from` と `until` は\
              通知のルート直下の `rs:md` に書きます。"
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
