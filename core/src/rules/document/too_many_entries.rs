//! `too-many-entries`: the document exceeds the maximum number of entries of a sitemap.

use crate::{limits::STANDARD_ENTRIES, rules::prelude::*};

rule! {
    "too-many-entries" reports [GEN_18]
    checks [Check::Entry(Depends::State, check)]
    message "this entry exceeds the limit of {limit} entries in a document"
    help "split the list into several documents and group them with an index"
    en {
        what "A document has at most 50,000 entries, a limit inherited from the Sitemap protocol."
        why "Harvesters and search engines may reject a longer document, or read the first 50,000 entries and treat \
            the remaining resources as deleted."
        fix "Start a new document after 50,000 entries, give all parts the same `capability`, and list them in a \
            `sitemapindex` with that `capability`. The Capability List then links to the index."
    }
    ja {
        message "このエントリで、1 文書あたりの上限 {limit} 件を超過"
        help "リストを複数の文書に分割し、インデックスでまとめてください"
        what "1 件の文書に書けるエントリは 50,000 件までです。この上限はサイトマッププロトコルに由来します。"
        why "ハーベスタや検索エンジンは、これより長い文書を拒否したり、最初の 50,000 件だけを読んで残りのリソースを\
            削除されたものとして扱ったりすることがあります。"
        fix "50,000 件ごとに文書を分割し、すべてに同じ `capability` を付けて、同じ `capability` の `sitemapindex` に\
            列挙します。機能リストからは、このインデックスを参照します。"
    }
    wrong ""
    right ""
}

fn check(cx: &mut CheckContext<'_>, entry: &Entry) {
    if cx.memory.entries == STANDARD_ENTRIES {
        cx.report(Finding::new(Code::GEN_18).arg("limit", STANDARD_ENTRIES), entry.span);
    }
}
