//! `index-of-indexes`: an index that lists another index.

use crate::rules::rule;

rule! {
    "index-of-indexes" reports [GEN_28]
    checks in ["source/checks/downward.rs"]
    message "the index lists `{uri}`, which is an index itself"
    help "list the documents of that index here, or link to that index from the Capability List"
    en {
        what "An index lists `urlset` documents. The standard has no index of indexes."
        why "A harvester reads every document of an index as a list of resources or changes. It finds none in another \
            index, and the set looks empty."
        fix "An index can list 50,000 documents with 50,000 entries each. Put all documents into one index."
    }
    ja {
        message "インデックスが別のインデックス `{uri}` を列挙している"
        help "そのインデックスの文書をここに直接列挙するか、機能リストからそのインデックスにリンクしてください"
        what "インデックスが列挙するのは `urlset` の文書です。インデックスのインデックスは、標準に定められていません。"
        why "ハーベスタは、インデックスの各文書をリソースや変更のリストとして読みます。別のインデックスからは何も\
            得られず、セットが空に見えます。"
        fix "1 つのインデックスには、それぞれ 50,000 エントリの文書を 50,000 件まで列挙できます。すべての文書を 1 \
            つのインデックスにまとめます。"
    }
    wrong ""
    right ""
}
