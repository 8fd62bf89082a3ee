//! `index-of-indexes`: an index that lists another index.

use crate::rules::rule;

rule! {
    "index-of-indexes" reports [GEN_28]
    checks []
    message "the index lists `{uri}`, which is an index itself"
    help "list the documents of that index here, or link to that index from the Capability List"
    en {
        what "An index lists `urlset` documents. The standard has no index of indexes."
        why "A harvester reads every document of an index as a list of resources or changes. In another index it finds none, \
            and the set looks empty."
        mend "One index holds 50,000 documents of 50,000 entries each. Put all of them into one index."
    }
    ja {
        message "インデックスが別のインデックス `{uri}` を含んでいる"
        help "その中の文書を直接ここに並べるか、機能リストからそのインデックスへリンクする"
        what "インデックスに並ぶのは `urlset` の文書です。インデックスのインデックスは規格にありません。"
        why "ハーベスタはインデックスの各文書をリソースや変更の一覧として読みます。別のインデックスからは何も得られず、\
            集合は空に見えます。"
        mend "一つのインデックスには、5 万エントリの文書を 5 万件まで載せられます。すべてを一つのインデックスにまとめま\
            す。"
    }
    wrong ""
    right ""
}
