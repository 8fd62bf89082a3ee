//! `wrong-descriptor`: a data descriptor that is missing or wrong.

use crate::rules::rule;

rule! {
    "wrong-descriptor" reports [ZIP_10]
    checks []
    message "the descriptor of `{member}` does not tell where its data ends ({problem})"
    help "build the archive anew with a current tool"
    en {
        what "A member that was written as a stream is followed by its true check sum and sizes, and holds nothing that \
            looks like that itself."
        why "Readers of streams rely on it to find where the next member begins."
        mend "Build the archive anew with a current tool, from the files themselves; into a file rather than a pipe, where \
            the data holds such bytes."
    }
    ja {
        message "`{member}` のデータの終わりが記述子から定まらない（{problem}）"
        help "現行のツールでアーカイブを作り直す"
        what "ストリームとして書かれたメンバーの後には、正しいチェックサムとサイズが続きます。データの中に、そこまでの部分と合う\
            記述子はありません。"
        why "ストリームとして読むツールは、これを頼りに次のメンバーの始まりを見つけます。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
