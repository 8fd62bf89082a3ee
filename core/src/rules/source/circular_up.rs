//! `circular-up`: `up` links that form a loop.

use crate::rules::rule;

rule! {
    "circular-up" reports [GEN_30]
    checks in ["source/checks/upward.rs"]
    message "`up` link to `{uri}` leads back to this document"
    help "change the `up` link of the Capability List to the Source Description"
    en {
        what "Following `up` links leads to the Source Description."
        why "A harvester that navigates upwards runs into a loop, or gives up and does not find the other sets of the \
            Source."
        fix "Check the `up` link of the Capability List: it refers to the Source Description, which has no `up` link \
            itself."
    }
    ja {
        message "`{uri}` への `up` リンクが、この文書に戻る循環になっている"
        help "機能リストの `up` リンクをソース記述に向けてください"
        what "`up` リンクをたどると、ソース記述に到達します。"
        why "上位にさかのぼるハーベスタは循環に陥るか、処理を中止して、ソースのほかのセットを発見できません。"
        fix "機能リストの `up` リンクを確認します。リンク先はソース記述で、ソース記述自体に `up` リンクはありません。"
    }
    wrong ""
    right ""
}
