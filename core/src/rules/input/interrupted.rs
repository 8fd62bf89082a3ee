//! `interrupted`: the run was stopped before the end of the input.

use crate::rules::rule;

rule! {
    "interrupted" reports [INP_04]
    checks in ["package/verify/verification.rs", "validate/validation.rs"]
    message "the run was interrupted before the end of this input"
    help "run again without interruption"
    en {
        what "Only an input that has been read to its end can be valid."
        why "The rest of the input was not checked, so the verdict is undetermined. The findings up to this point are \
            correct."
        fix "Run again without interruption. If it takes too long, validate fewer inputs at a time, or skip digest \
            verification with `--no-fixity`."
    }
    ja {
        message "最後まで読み取る前に実行が中断された"
        help "もう一度、最後まで実行してください"
        what "「適合」と判定できるのは、最後まで読み取った検証対象だけです。"
        why "残りの部分は検証していないため、判定は「判定保留」になります。ここまでの指摘は有効です。"
        fix "中断せずにもう一度実行します。時間がかかりすぎる場合は、一度に検証する対象を減らすか、`--no-fixity` を\
            指定してダイジェストの検証を省略します。"
    }
    wrong ""
    right ""
}
