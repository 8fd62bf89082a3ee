//! `split-without-index`: several documents of one kind for one set, without an index.

use crate::rules::rule;

rule! {
    "split-without-index" reports [GEN_27, RL_16, RD_17, CL_20, CD_18, SDI_01]
    checks in ["source/checks/missing_index.rs"]
    message "this is one of {total} documents of the same kind for the same set (number {count}), without an index"
    help "publish a `sitemapindex` that lists all of them, and link to it"
    en {
        what "If a capability needs more than one document, a `sitemapindex` lists its `urlset` documents. A Source \
            with several Source Descriptions groups them in the same way."
        why "A harvester takes the one document that it finds for the whole. The resources of the other documents are \
            missing from its copy, or are deleted there."
        fix "Write the index, add an `index` link to it to every document, and link to the index from the Capability \
            List (or publish it at the well-known URI)."
    }
    ja {
        message "同じセットに同じ種類の文書が {total} 件あるが（これは {count} 件目）、インデックスがない"
        help "すべての文書を列挙する `sitemapindex` を公開し、それにリンクしてください"
        what "1 件の文書に収まらない機能では、`sitemapindex` で `urlset` の文書を列挙します。複数のソース記述を持つ\
            ソースも、同じ方法でまとめます。"
        why "ハーベスタは、見つけた 1 件の文書を全体とみなします。ほかの文書のリソースはコピーに含まれないか、\
            コピーから削除されます。"
        fix "インデックスを作成し、各文書に `index` リンクを追加して、機能リスト（ソース記述の場合は well-known \
            URI）からインデックスを参照します。"
    }
    wrong ""
    right ""
}
