//! `unreachable-document`: a document in the folder of a Source that nothing leads to.

use crate::rules::rule;

rule! {
    "unreachable-document" reports [ADV_13]
    checks in ["source/checks/unreachable.rs"]
    message "no document of the Source links to `{uri}`"
    help "list it where documents of its kind are listed, or remove it"
    en {
        what "Every document in the folder of a Source is linked from its Source Description, directly or through other \
            documents."
        why "Harvesters find a document only through links. One that nothing links to is never read. It may also be the \
            remainder of an earlier state of the Source, and mislead those who know its URI."
        fix "If the document belongs to the Source, list it: a Capability List in the Source Description, a list, dump or \
            index in its Capability List, a part of a list in the index. If it does not, remove it from the folder."
    }
    ja {
        message "`{uri}` はソースのどの文書からもリンクされていない"
        help "該当する種類の文書を列挙する場所に追加するか、削除してください"
        what "ソースのフォルダにある文書は、ソース記述から直接、またはほかの文書を経由してリンクされている必要があります。"
        why "ハーベスタはリンクをたどって文書を見つけるため、どこからもリンクされていない文書が読まれることはありません。\
            以前の状態の残りである場合は、URI を知っている利用者を誤らせることもあります。"
        fix "ソースの一部であれば、機能リストはソース記述に、リスト・ダンプ・インデックスは機能リストに、分割されたリストはインデックスに\
            追加します。そうでなければ、フォルダから削除します。"
    }
    wrong ""
    right ""
}
