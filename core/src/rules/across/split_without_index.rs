//! `split-without-index`: several documents of one kind for one set, without an index.

use crate::rules::rule;

rule! {
    "split-without-index" reports [GEN_27, RL_16, RD_17, CL_20, CD_18, SDI_01]
    checks []
    message "this is {count} of {total} documents of one kind for the same set, and no index groups them"
    help "write a `sitemapindex` that lists them all, and link to that"
    en {
        what "A capability that takes more than one document is a `sitemapindex` that lists `urlset` documents. A Source with \
            several Source Descriptions groups them in the same way."
        why "A harvester takes the one document it is led to for the whole. What is in the others is missing in its copy, or \
            deleted there."
        mend "Write the index, give every document an `index` link to it, and let the Capability List (or the well-known URI) \
            lead to the index."
    }
    ja {
        message "同じ集合に同じ種類の文書が {total} 件あり（これは {count} 件目）、まとめるインデックスがない"
        help "すべてを載せた `sitemapindex` を作り、そこへリンクする"
        what "一つの文書に収まらない機能は、`urlset` 文書を並べた `sitemapindex` で表します。ソース記述が複数あるソース\
            も同じ方法でまとめます。"
        why "ハーベスタは、たどり着いた一つの文書を全体と見なします。ほかの文書の内容は複製に入らないか、複製から削除さ\
            れます。"
        mend "インデックスを作り、各文書に `index` リンクを付け、機能リスト（または well-known URI）からインデックスへリ\
            ンクします。"
    }
    wrong ""
    right ""
}
