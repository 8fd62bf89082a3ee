//! `wrong-index`: an `index` link to a document that does not list this one.

use crate::rules::rule;

rule! {
    "wrong-index" reports [LK_10]
    checks in ["source/checks/indexes.rs"]
    message "wrong `index` link to `{uri}`: {problem}"
    help "add the document to that index, or correct the link"
    en {
        what "`index` links to the `sitemapindex` that lists this document."
        why "A harvester that has read one part looks for the others in the index. If it does not find the part there, \
            it cannot tell whether the set is complete."
        fix "Generate the index and its documents from the same list of names, so that every document is in the index \
            to which it links."
    }
    ja {
        message "`{uri}` への誤った `index` リンク（{problem}）"
        help "そのインデックスにこの文書を追加するか、リンクを修正してください"
        what "`index` は、この文書を列挙している `sitemapindex` の文書へのリンクです。"
        why "一部の文書を読んだハーベスタは、残りの文書をインデックスで探します。読んだ文書がそこにないと、セット\
            全体がそろったかどうか判断できません。"
        fix "インデックスと各文書を同じ一覧から生成し、各文書がリンク先のインデックスに必ず列挙されるようにします。"
    }
    wrong ""
    right ""
}
