//! `wrong-up`: an `up` link that does not lead to the document above.

use crate::rules::rule;

rule! {
    "wrong-up" reports [LK_08]
    checks []
    message "`up` leads to `{uri}`: {problem}"
    help "let `up` of a Capability List lead to its Source Description, and every other `up` to the Capability List that lists \
        the document"
    en {
        what "`up` leads one step upwards: from a Capability List to the Source Description, from every other document to the \
            Capability List of its set."
        why "A harvester that found a document by another way reaches the rest of the Source by `up`. A wrong link leads it to \
            another set, or nowhere."
        mend "Write into each document the URI of the document whose entry (directly or through an index) leads to it."
    }
    ja {
        message "`up` の先は `{uri}`: {problem}"
        help "機能リストの `up` はソース記述へ、それ以外の文書の `up` はその文書を載せている機能リストへ向ける"
        what "`up` は一段上の文書を指します。機能リストからはソース記述、それ以外の文書からはその集合の機能リストです。"
        why "別の経路で文書を見つけたハーベスタは `up` をたどってソース全体にたどり着きます。誤っていると別の集合へ進む\
            か、行き止まりになります。"
        mend "各文書には、その文書を（直接またはインデックス経由で）載せている文書の URI を書きます。"
    }
    wrong ""
    right ""
}
