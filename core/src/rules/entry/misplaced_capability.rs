//! `misplaced-capability`: entries for resources, packages and members of an index have no capability.

use crate::rules::rule;

rule! {
    "misplaced-capability" reports [AT_33]
    checks []
    message "an entry of a {kind} has a `capability`, which only its root has"
    help "remove `capability` from the entry; it stands once, in the `rs:md` below the root"
    en {
        what "Entries have a `capability` in Source Descriptions, Capability Lists and Framework Notifications; in \
              every other kind only the `rs:md` below the root has one."
        why "A harvester knows from the root what the entries are. A `capability` on an entry tells it nothing, and a \
             reader that looks for the first `capability` in the file may take the document for another kind."
        mend "Remove it from the entries. If the entries lead to ResourceSync documents of different kinds, what you \
              have is a Capability List, and the root should say so."
    }
    ja {
        message "{kind}のエントリに、ルートだけで使う `capability` がある"
        help "エントリから `capability` を削除し、ルート直下の `rs:md` だけに書く"
        what "エントリに `capability` を書くのは、ソース記述、機能リスト、フレームワーク通知だけです。ほかの種類の文書では、\
              ルート直下の `rs:md` だけに書きます。"
        why "エントリが何であるかは、ルートの記述で決まります。エントリの `capability` は何も伝えないうえ、ファイル内の\
             最初の `capability` を読む実装が、文書の種類を取り違えるおそれがあります。"
        mend "エントリから削除します。エントリの指す文書の種類がそれぞれ異なるのであれば、その文書は機能リストなので、\
              ルートの `capability` を改めます。"
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
