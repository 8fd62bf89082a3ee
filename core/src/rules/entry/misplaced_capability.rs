//! `misplaced-capability`: entries for resources, packages and index members have no capability.

use crate::rules::rule;

rule! {
    "misplaced-capability" reports [AT_33]
    checks in ["rules/profile.rs"]
    message "unexpected `capability` in an entry of a {kind}"
    help "remove `capability` from the entry; only the root's `rs:md` has it"
    en {
        what "Entries have a `capability` in Source Descriptions, Capability Lists and Framework Notifications. In all \
            other documents, only the root's `rs:md` has it."
        why "The root element determines what the entries are, so a `capability` on an entry adds nothing. A reader \
            that looks for the first `capability` in the file may even take the document for another kind."
        fix "Remove it from the entries. If the entries refer to ResourceSync documents of different kinds, the \
            document is a Capability List, and its root's `rs:md` should have `capability=\"capabilitylist\"`."
    }
    ja {
        message "{kind}のエントリでは `capability` を使えない"
        help "エントリから `capability` を削除してください（ルート要素の `rs:md` にだけ書きます）"
        what "エントリに `capability` を書くのは、ソース記述、機能リスト、フレームワーク通知だけです。ほかの文書では、\
            ルート要素の `rs:md` にだけ書きます。"
        why "エントリの種類はルート要素で決まるため、エントリの `capability` に意味はありません。ファイル内の最初の \
            `capability` を調べる実装では、文書の種類が誤って判断されるおそれもあります。"
        fix "エントリから削除します。エントリが種類の異なる ResourceSync の文書を指している場合、その文書は機能\
            リストなので、ルート要素の `rs:md` の `capability` を `capabilitylist` に変更します。"
    }
    wrong r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <sitemap>
    <loc>https://example.com/theses/resourcelist1.xml</loc>
    <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
    right r#"<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9" xmlns:rs="http://www.openarchives.org/rs/terms/">
  <rs:ln rel="up" href="https://example.com/theses/capabilitylist.xml"/>
  <rs:md capability="resourcelist" at="2024-04-01T00:00:00Z"/>
  <sitemap>
    <loc>https://example.com/theses/resourcelist1.xml</loc>
    <rs:md at="2024-04-01T00:00:00Z"/>
  </sitemap>
</sitemapindex>"#
}
