//! `too-many-entries`: more entries than a sitemap may have.

use crate::{
    diagnostic::{Code, Finding},
    limits::STANDARD_ENTRIES,
    model::Entry,
    rules::{Check, Look, rule},
};

rule! {
    "too-many-entries" reports [GEN_18]
    checks [Check::Entry(check)]
    message "this entry goes beyond the {limit} that a document may have"
    help "split the list into several documents and group them by an index"
    en {
        what "A document has at most 50,000 entries, a bound taken over from the Sitemap protocol."
        why "Harvesters and search engines may refuse a longer document, or read the first 50,000 entries and take the others for \
             deleted."
        mend "Start a new document after 50,000 entries, give all parts the same `capability`, and list them in a `sitemapindex` \
              with that `capability`. The Capability List then points at the index."
    }
    ja {
        message "このエントリで文書のエントリ数が上限の {limit} 件を超える"
        help "リストを複数の文書に分け、インデックスでまとめる"
        what "一つの文書に書けるエントリは 50,000 件までです。この上限はサイトマッププロトコルによります。"
        why "ハーベスタや検索エンジンは、これより長い文書を拒否したり、最初の 50,000 件だけを読んで残りは削除されたと見なしたりする\
             ことがあります。"
        mend "50,000 件ごとに新しい文書に分け、すべてに同じ `capability` を付けます。それらを同じ `capability` の `sitemapindex` に列挙し、\
              機能リストからはインデックスを指します。"
    }
    wrong ""
    right ""
}

fn check(look: &mut Look<'_>, entry: &Entry) {
    if look.memory.entries == STANDARD_ENTRIES {
        look.report(Finding::new(Code::GEN_18).arg("limit", STANDARD_ENTRIES), entry.span);
    }
}
