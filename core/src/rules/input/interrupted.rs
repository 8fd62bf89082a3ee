//! `interrupted`: an input that was not read to its end because the run was stopped.

use crate::rules::rule;

rule! {
    "interrupted" reports [INP_04]
    checks []
    message "the run was interrupted before the end of this input"
    help "run again and let it finish"
    en {
        what "Only what has been read to its end can be called valid."
        why "What stood after this point is not known, so the verdict is undetermined. The findings up to here stand."
        mend "Run again without interrupting. If the run takes too long, validate fewer inputs at a time or leave out the \
            digests with `--no-fixity`."
    }
    ja {
        message "この入力を読み終わる前に実行が中断された"
        help "もう一度実行し、最後まで待つ"
        what "最後まで読み取ったものだけを有効と判定できます。"
        why "ここから先の内容は不明なため、判定は「未確定」になります。ここまでの指摘はそのまま有効です。"
        mend "中断せずにもう一度実行します。時間がかかりすぎる場合は、一度に検査する入力を減らすか、\
            `--no-fixity` でダイジェストの検査を省きます。"
    }
    wrong ""
    right ""
}
