//! `closed-document-changed`: a closed document that has changed.

use crate::rules::rule;

rule! {
    "closed-document-changed" reports [GEN_33]
    checks []
    message "the document was closed when it was looked at before, and now says something else"
    help "restore it, and publish later changes in a new document"
    en {
        what "A document that once had `until` is not changed any more."
        why "A harvester that has read a closed document never reads it again: what is changed in it afterwards reaches nobody."
        mend "Publish later changes in a new Change List or Change Dump. If the closed one was wrong, publish a new Resource \
            List so that harvesters begin anew."
    }
    ja {
        message "前回の検査で閉じていた文書の内容が変わっている"
        help "元に戻し、以後の変更は新しい文書で公開する"
        what "一度 `until` を書いた文書は、その後変更しません。"
        why "閉じた文書を読み終えたハーベスタは二度と読みません。後から変えた内容は誰にも伝わりません。"
        mend "以後の変更は新しい変更リストや変更ダンプで公開します。閉じた文書に誤りがあった場合は、新しいリソースリスト\
            を公開します。"
    }
    wrong ""
    right ""
}
