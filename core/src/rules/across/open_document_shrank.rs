//! `open-document-shrank`: an open document that has lost entries.

use crate::rules::rule;

rule! {
    "open-document-shrank" reports [CL_18, CD_19]
    checks []
    message "the open {kind} had {expected} entries when it was looked at before, and has {count} now"
    help "only add to an open document; to begin anew, close it and start another"
    en {
        what "As long as a Change List or Change Dump is open, later changes are added to it."
        why "A harvester goes on from the last entry it has read. When entries vanish it may skip changes without noticing."
        mend "Keep what was published. To keep documents short, close one and start the next, and group them by an index."
    }
    ja {
        message "開いている{kind}のエントリが前回の {expected} 件から {count} 件に減っている"
        help "開いている文書には追加だけを行い、始め直すときは閉じて別の文書を作る"
        what "変更リストや変更ダンプが開いている間は、以後の変更を追加していきます。"
        why "ハーベスタは最後に読んだエントリの続きから読みます。エントリが消えると、気づかないまま変更を読み飛ばすこと\
            があります。"
        mend "公開したエントリは残します。文書を短く保つには、閉じて次を始め、インデックスでまとめます。"
    }
    wrong ""
    right ""
}
