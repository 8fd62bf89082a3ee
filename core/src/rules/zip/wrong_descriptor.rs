//! `wrong-descriptor`: a data descriptor that is missing or wrong.

use crate::rules::rule;

rule! {
    "wrong-descriptor" reports [ZIP_10]
    checks []
    message "no descriptor after the data of `{member}` has its check sum and sizes"
    help "build the archive anew with a current tool"
    en {
        what "A member that was written as a stream is followed by its true check sum and sizes."
        why "Readers of streams rely on it to find where the next member begins."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}` のデータの後に、チェックサムとサイズの正しい記述子がない"
        help "現行のツールでアーカイブを作り直す"
        what "ストリームとして書かれたメンバーの後には、正しいチェックサムとサイズが続きます。"
        why "ストリームとして読むツールは、これを頼りに次のメンバーの始まりを見つけます。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
