//! `open-document-shrank`: an open document with fewer entries than before.

use crate::rules::rule;

rule! {
    "open-document-shrank" reports [CL_18, CD_19]
    checks in ["source/checks/regression.rs"]
    message "the open {kind} had {expected} entries in the earlier report and has {count} now"
    help "only append to an open document; to start over, close it and start a new one"
    en {
        what "As long as a Change List or Change Dump is open, later changes are added to it."
        why "A harvester continues after the last entry it has read. If entries disappear, it may skip changes without \
            noticing."
        fix "Keep published entries. To limit the size of documents, close one, start the next, and group them in an \
            index."
    }
    ja {
        message "開いている{kind}のエントリが、前回のレポートの {expected} 件から {count} 件に減少"
        help "開いている文書には追記だけを行い、作り直す場合は、閉じてから新しい文書を作成してください"
        what "変更リストや変更ダンプが開いている間は、以後の変更がその文書に追加されていきます。"
        why "ハーベスタは、最後に読んだエントリの続きから処理します。エントリが削除されると、気付かないまま変更を読み\
            飛ばすことがあります。"
        fix "公開したエントリは残します。文書が大きくなる場合は、文書を閉じて次の文書を作成し、\
            インデックスでまとめます。"
    }
    wrong ""
    right ""
}
