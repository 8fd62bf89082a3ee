//! `wrong-count`: a wrong number of members.

use crate::rules::rule;

rule! {
    "wrong-count" reports [ZIP_24]
    checks in ["package/structure.rs"]
    message "the archive declares {declared} members but has {actual}"
    help "rebuild the archive with a current tool"
    en {
        what "The number of members in the end of central directory record is that of the headers in the central \
            directory."
        why "A reader that relies on the number does not see the members beyond it."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "アーカイブのメンバー数が不一致（宣言は {declared} 個、実際は {actual} 個）"
        help "現行のツールでアーカイブを作り直してください"
        what "終端レコードのメンバー数は、セントラルディレクトリのヘッダの数と一致します。"
        why "宣言された数に従うツールからは、それを超えるメンバーが見えません。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
