//! `cut-comment`: a comment that is shorter than it says.

use crate::rules::rule;

rule! {
    "cut-comment" reports [ZIP_04]
    checks []
    message "the comment of the archive should have {declared} bytes, and {actual} are there"
    help "publish the file complete"
    en {
        what "The comment at the end of an archive has the length that the end record gives."
        why "The end of the file is missing, so nobody can tell what else is. Many readers do not find the archive's \
            end at all then."
        mend "Compare the size of the published file with that of the original, and copy it again."
    }
    ja {
        message "アーカイブのコメントは {declared} バイトのはずだが、{actual} バイトしかない"
        help "ファイルを完全な形で公開する"
        what "アーカイブ末尾のコメントの長さは、終端レコードの値と一致します。"
        why "ファイルの末尾が欠けており、ほかに何が欠けているか分かりません。終わりを見つけられないツールも多くありま\
            す。"
        mend "公開したファイルと元のファイルのサイズを比べ、コピーし直します。"
    }
    wrong ""
    right ""
}
