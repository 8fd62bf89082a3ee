//! `missing-index-link`: a member of an index that does not point at it.

use crate::rules::rule;

rule! {
    "missing-index-link" reports [RL_07, RD_07, CL_07, CD_07, SD_14, GEN_29]
    checks []
    message "the index `{uri}` lists this {kind}, which has no `index` link"
    help "add `<rs:ln rel=\"index\" href=\"{uri}\"/>` below the root"
    en {
        what "A document that is listed in an index points back at it with `rel=\"index\"`."
        why "A harvester that found one part, by a notification or a bookmark, learns in this way that there are others. \
            Without it, it takes the part for the whole."
        mend "Add the link to every part when the index is written; the URI of the index does not change when parts are added."
    }
    ja {
        message "インデックス `{uri}` に載っている{kind}に `index` リンクがない"
        help "ルートの下に `<rs:ln rel=\"index\" href=\"{uri}\"/>` を加える"
        what "インデックスに載っている文書は、`rel=\"index\"` でそのインデックスを指します。"
        why "通知やブックマークから一部だけを見つけたハーベスタは、このリンクでほかの部分の存在を知ります。ないと、一部\
            を全体と取り違えます。"
        mend "インデックスを作るときに各部分へリンクを加えます。部分が増えてもインデックスの URI は変わりません。"
    }
    wrong ""
    right ""
}
