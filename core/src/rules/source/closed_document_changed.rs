//! `closed-document-changed`: a closed document whose content has changed.

use crate::rules::rule;

rule! {
    "closed-document-changed" reports [GEN_33]
    checks in ["source/checks/regression.rs"]
    message "the document was closed in the earlier report, but its content has changed since"
    help "restore the document, and publish later changes in a new one"
    en {
        what "A document with `until` does not change any more."
        why "A harvester that has processed a closed document never reads it again, so later changes in it reach \
            nobody."
        fix "Publish later changes in a new Change List or Change Dump. If the closed document was wrong, publish a \
            new Resource List, so that harvesters start from it."
    }
    ja {
        message "前回のレポートで閉じていた文書の内容が変わっている"
        help "文書を元に戻し、以後の変更は新しい文書で公開してください"
        what "`until` のある文書は、それ以後変更されません。"
        why "閉じた文書を処理したハーベスタは、その文書を二度と読みません。後から加えた変更は、誰にも伝わりません。"
        fix "以後の変更は、新しい変更リストまたは変更ダンプで公開します。閉じた文書に誤りがあった場合は、ハーベスタが\
            同期をやり直せるように、新しいリソースリストを公開します。"
    }
    wrong ""
    right ""
}
