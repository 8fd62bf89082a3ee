//! `wrong-target`: an entry or link whose target is a document of another kind.

use crate::rules::rule;

rule! {
    "wrong-target" reports [SD_05, SDI_03, GEN_26, CAP_13, LK_33, FN_07]
    checks in ["source/checks/downward.rs"]
    message "`{uri}` is a {kind}, expected a {expectedKind}"
    help "correct the URI, or publish the expected document there"
    en {
        what "The document at the URI of an entry or a `contents` link is of the announced kind: a Capability List in \
            a Source Description, a Source Description in its index, the given capability in a Capability List or a \
            Framework Notification, the same capability in an index, the manifest in a dump."
        why "A harvester decides by this information whether to fetch a document and how to read it. If it gets \
            another kind, it stops, or treats a list of changes as the complete set."
        fix "Open the document at the URI and compare its root's `rs:md` with the entry. Either the URI is that of \
            another document, or one of the two `capability` values is wrong."
    }
    ja {
        message "`{uri}` が{expectedKind}ではなく{kind}"
        help "URI を修正するか、想定される文書をその URI で公開してください"
        what "エントリや `contents` リンクの URI には、示された種類の文書が必要です。ソース記述では機能リスト、ソース\
            記述インデックスではソース記述、機能リストとフレームワーク通知では示された機能の文書、インデックスでは同じ機能の文書、ダンプの \
            `contents` リンクではマニフェストです。"
        why "ハーベスタはこの情報をもとに、文書を取得するかどうか、どのように読むかを決めます。別の種類の文書を受け\
            取ると、処理を中止するか、変更のリストをリソース全体として扱います。"
        fix "URI の文書を開き、ルート要素の `rs:md` とエントリを比較します。URI が別の文書を指しているか、どちらかの \
            `capability` が誤っています。"
    }
    wrong ""
    right ""
}
