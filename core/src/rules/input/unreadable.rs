//! `unreadable`: a file or URL that could not be opened or read.

use crate::rules::rule;

rule! {
    "unreadable" reports [INP_01]
    checks in ["package/verify/unpack.rs", "package/verify/verification.rs", "validate/validation.rs"]
    message "could not read the input: {reason}"
    help "check that the input exists and is readable and, for a URL, that the server sends the document"
    en {
        what "An input must exist and be readable to its end to be validated."
        why "This input was not checked, so the verdict is undetermined, not valid. A harvester with the same problem \
            stops here and never sees the documents below this one."
        fix "Check the path or URL for typos, the permissions, and whether the server requires a login or sends an \
            error. Then run again."
    }
    ja {
        message "検証対象を読み取れない（{reason}）"
        help "検証対象が存在し、読み取り権限があること、URL の場合はサーバが文書を返すことを確認してください"
        what "検証するには、対象が存在し、最後まで読み取れることが必要です。"
        why "この対象は検証していないため、判定は「適合」ではなく「判定保留」になります。同じ問題に直面した\
            ハーベスタもここで止まり、その先の文書を発見できません。"
        fix "パスや URL の誤り、読み取り権限、サーバがログインを要求していないか、エラーを返していないかを確認し、\
            もう一度実行します。"
    }
    wrong ""
    right ""
}
