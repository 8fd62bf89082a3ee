//! `circular-up`: `up` links that go round in a circle.

use crate::rules::rule;

rule! {
    "circular-up" reports [GEN_30]
    checks []
    message "`up` leads to `{uri}` and from there back to this document"
    help "let `up` of the Capability List lead to the Source Description"
    en {
        what "Whoever follows `up` again and again arrives at the Source Description."
        why "A harvester on its way up never arrives, or gives up and does not find the other sets of the Source."
        mend "Look at the `up` link of the Capability List: it leads to the Source Description, which itself has none."
    }
    ja {
        message "`up` の先の `{uri}` からこの文書に戻ってしまう"
        help "機能リストの `up` をソース記述に向ける"
        what "`up` を繰り返したどると、ソース記述に着く必要があります。"
        why "上へ向かうハーベスタはいつまでも着かないか、あきらめてソースのほかの集合を見つけられません。"
        mend "機能リストの `up` を確認します。先はソース記述であり、ソース記述には `up` がありません。"
    }
    wrong ""
    right ""
}
