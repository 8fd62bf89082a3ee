//! `header-mismatch`: a local header that contradicts the directory.

use crate::rules::rule;

rule! {
    "header-mismatch" reports [ZIP_09]
    checks []
    message "the local header of `{member}` does not fit the directory (field: {field})"
    help "build the archive anew with a current tool"
    en {
        what "What stands before the data of a member says the same as the directory at the end of the archive."
        why "Readers of streams go by the one, all others by the other: they get different names, sizes or contents."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}` のローカルヘッダがディレクトリと合わない（項目: {field}）"
        help "現行のツールでアーカイブを作り直す"
        what "メンバーのデータの前にあるヘッダは、アーカイブ末尾のディレクトリと同じ内容です。"
        why "ストリームとして読むツールは前者に、ほかのツールは後者に従うため、名前やサイズ、内容が食い違います。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
