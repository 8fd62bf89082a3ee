//! `unreadable`: a file or URL that could not be opened or read.

use crate::rules::rule;

rule! {
    "unreadable" reports [INP_01]
    checks []
    message "the input could not be read: {reason}"
    help "check that it exists, that you may read it and, for a URL, that the server answers with the document"
    en {
        what "An input has to be there and to be readable to its end before anything can be said about it."
        why "Nothing of this input was checked, so the verdict is undetermined and not valid. A harvester that meets the \
            same obstacle stops here and never sees what lies below this document."
        mend "Look for a slip in the path or URL, for missing permissions, and for a server that asks for a login or \
            answers with an error; then run again."
    }
    ja {
        message "入力を読み取れない: {reason}"
        help "ファイルや URL が存在すること、読み取り権限があること、URL ならサーバが文書そのものを返すことを確認する"
        what "検査するには、入力が存在し、最後まで読み取れることが必要です。"
        why "この入力は何も検査していないため、判定は「有効」ではなく「未確定」になります。\
            ハーベスタも同じところで止まり、この文書から先にある文書にたどり着けません。"
        mend "パスや URL のつづり、読み取り権限、サーバがログインを求めていないか、エラーを返していないかを確認し、\
            もう一度実行します。"
    }
    wrong ""
    right ""
}
