//! `wrong-target`: an entry or link that leads to a document of another kind.

use crate::rules::rule;

rule! {
    "wrong-target" reports [SD_05, SDI_03, GEN_26, CAP_13, LK_33]
    checks []
    message "`{uri}` is a {kind}; a {expectedKind} is announced here"
    help "correct the URI, or publish the document that is announced"
    en {
        what "What an entry or a `contents` link announces is what has to be at its URI: a Capability List in a Source \
            Description, a Source Description in its index, the announced capability in a Capability List, the same capability \
            in an index, the manifest of the dump."
        why "A harvester decides by the announcement whether it wants a document and how to read it. Finding another kind it \
            stops, or applies a list of changes as if it were the whole set."
        mend "Open the document at the URI and compare its root `rs:md` with the entry. Either the URI belongs to another \
            document, or `capability` is wrong in one of the two."
    }
    ja {
        message "`{uri}` は{kind}だが、ここでは{expectedKind}とされている"
        help "URI を訂正するか、示したとおりの文書を公開する"
        what "エントリや `contents` リンクの先には、示された種類の文書が必要です。ソース記述の先は機能リスト、そのインデ\
            ックスの先はソース記述、機能リストの先は示された機能の文書、インデックスの先は同じ機能の文書、ダンプの `contents` の\
            先はそのマニフェストです。"
        why "ハーベスタはこの情報を見て、文書を取得するか、どう読むかを決めます。別の種類の文書があると処理を中断するか、\
            変更の一覧をリソース全体と取り違えます。"
        mend "URI の文書を開き、ルートの `rs:md` とエントリを比べます。URI が別の文書を指しているか、どちらかの `capability` が\
            誤っています。"
    }
    wrong ""
    right ""
}
