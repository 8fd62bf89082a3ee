//! `cut-comment`: an archive comment that is shorter than declared.

use crate::rules::rule;

rule! {
    "cut-comment" reports [ZIP_04]
    checks in ["package/end.rs"]
    message "truncated archive comment: {declared} bytes declared, {actual} present"
    help "publish the complete file"
    en {
        what "The comment at the end of an archive has the length declared in the end of central directory record."
        why "The end of the file is missing, and possibly more. Many readers do not find the end of such an archive at \
            all."
        fix "Compare the size of the published file with that of the original, and copy it again."
    }
    ja {
        message "アーカイブのコメントが途中で切れている（宣言は {declared} バイト、実際は {actual} バイト）"
        help "完全なファイルを公開してください"
        what "アーカイブ末尾のコメントの長さは、終端レコード（end of central directory record）の宣言と一致します。"
        why "ファイルの末尾が欠けており、ほかにも欠けている可能性があります。多くのツールは、このようなアーカイブの\
            終わりを見つけられません。"
        fix "公開したファイルと元のファイルのサイズを比較し、コピーし直します。"
    }
    wrong ""
    right ""
}
