//! `wrong-index`: an `index` link to something that does not list the document.

use crate::rules::rule;

rule! {
    "wrong-index" reports [LK_10]
    checks []
    message "`index` leads to `{uri}`: {problem}"
    help "add the document to that index, or correct the link"
    en {
        what "`index` leads to the `sitemapindex` document that lists this one."
        why "A harvester that has read one part looks for the others in the index. It finds other documents there, or not the \
            one it came from, and cannot tell whether the set is complete."
        mend "Write index and parts from one list of names, so that each part is in the index it points at."
    }
    ja {
        message "`index` の先は `{uri}`: {problem}"
        help "そのインデックスにこの文書を加えるか、リンクを訂正する"
        what "`index` は、この文書を載せている `sitemapindex` 文書を指します。"
        why "一部を読んだハーベスタは、残りをインデックスで探します。この文書が載っていないと、集合がそろったかどうか判\
            断できません。"
        mend "インデックスと各部分を同じ一覧から作り、各部分が指すインデックスに自分自身が載るようにします。"
    }
    wrong ""
    right ""
}
