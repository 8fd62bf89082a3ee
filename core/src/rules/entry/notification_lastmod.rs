//! `notification-lastmod`: a Framework Notification gives the time of a change in `datetime`, not in `lastmod`.

use crate::rules::rule;

rule! {
    "notification-lastmod" reports [FN_13]
    checks in ["rules/profile.rs"]
    message "`lastmod` has no meaning in an entry of a {kind}"
    help "remove `lastmod`; use `datetime` in the `rs:md` of the entry for the time of the change"
    en {
        what "An entry of a Framework Notification consists of `loc`, an `rs:md` with `change`, `capability` and \
            optionally `datetime`, and a link to the index. It has no `lastmod`."
        why "A receiver reads the time of the change from `datetime` and does not expect another one. If the two \
            differ, it cannot tell which is right."
        fix "Remove `lastmod`. If the time matters, write it as `datetime` in the `rs:md` of the entry."
    }
    ja {
        message "{kind}のエントリでは `lastmod` に意味がない"
        help "`lastmod` を削除し、変更の日時はエントリの `rs:md` の `datetime` に書いてください"
        what "フレームワーク通知のエントリは、`loc`、`rs:md`（`change`、`capability`、任意の `datetime`）、\
            インデックスへのリンクで構成され、`lastmod` は含みません。"
        why "受信側は変更の日時を `datetime` から読み取り、ほかの日時を想定していません。両者が異なると、どちらが\
            正しいか判断できません。"
        fix "`lastmod` を削除します。日時を伝える場合は、エントリの `rs:md` に `datetime` として書きます。"
    }
    wrong r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="framework-notification"/>
  <url>
    <loc>https://example.com/theses/changelist.xml</loc>
    <lastmod>2024-04-01T09:30:00Z</lastmod>
    <rs:md change="updated" capability="changelist"/>
  </url>
</urlset>"#
    right r#"<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="framework-notification"/>
  <url>
    <loc>https://example.com/theses/changelist.xml</loc>
    <rs:md change="updated" capability="changelist" datetime="2024-04-01T09:30:00Z"/>
  </url>
</urlset>"#
}
