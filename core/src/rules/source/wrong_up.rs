//! `wrong-up`: an `up` link to a document that is not directly above.

use crate::rules::rule;

rule! {
    "wrong-up" reports [LK_08]
    checks in ["source/checks/upward.rs"]
    message "wrong `up` link to `{uri}`: {problem}"
    help "link from a Capability List to its Source Description, and from all other documents to the Capability List that lists them"
    en {
        what "`up` links to the level directly above: from a Capability List to the Source Description, from every \
            other document to the Capability List of its set."
        why "A harvester that found the document in another way reaches the rest of the Source through `up`. A wrong \
            link leads to another set or to a dead end."
        fix "Write into each document the URI of the document that lists it, directly or through an index."
    }
    ja {
        message "`{uri}` への誤った `up` リンク（{problem}）"
        help "機能リストの `up` はソース記述に、ほかの文書の `up` はその文書を列挙している機能リストに向けてください"
        what "`up` は、直接の上位文書へのリンクです。機能リストからはソース記述に、ほかの文書からはそのセットの機能\
            リストにリンクします。"
        why "別の経路で文書を見つけたハーベスタは、`up` をたどってソースの残りの部分に到達します。リンクが\
            誤っていると、別のセットに進むか、行き止まりになります。"
        fix "各文書に、その文書を（直接またはインデックスを通じて）列挙している文書の URI を書きます。"
    }
    wrong ""
    right ""
}
