//! `wrong-count`: a count of members that is not true.

use crate::rules::rule;

rule! {
    "wrong-count" reports [ZIP_24]
    checks []
    message "the archive declares {declared} members and has {actual}"
    help "build the archive anew with a current tool"
    en {
        what "The number of members in the end record is that of the headers in the directory."
        why "A reader that goes by the number does not see the members beyond it."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "アーカイブはメンバーを {declared} 個と宣言しているが、{actual} 個ある"
        help "現行のツールでアーカイブを作り直す"
        what "終端レコードにあるメンバーの数は、ディレクトリのヘッダの数と一致します。"
        why "個数に従うツールには、それを超えるメンバーが見えません。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
