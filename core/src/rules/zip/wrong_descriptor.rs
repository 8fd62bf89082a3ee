//! `wrong-descriptor`: a data descriptor that is missing or wrong.

use crate::rules::rule;

rule! {
    "wrong-descriptor" reports [ZIP_10]
    checks in ["package/structure.rs", "package/unpack.rs"]
    message "no usable data descriptor for `{member}` ({problem})"
    help "rebuild the archive with a current tool"
    en {
        what "The data of a member that was written as a stream is followed by a data descriptor with its checksum and \
            sizes. The data itself contains nothing that looks like its descriptor."
        why "Streaming readers need the descriptor to find the beginning of the next member."
        fix "Rebuild the archive from the original files with a current tool. If the data contains a matching \
            descriptor, write to a file instead of a pipe."
    }
    ja {
        message "`{member}` に有効なデータディスクリプタがない（{problem}）"
        help "現行のツールでアーカイブを作り直してください"
        what "ストリームとして書き込まれたメンバーのデータの後には、チェックサムとサイズを示すデータディスクリプタが\
            続きます。データの中に、そのディスクリプタとみなせるバイト列はありません。"
        why "ストリームとして読むツールは、ディスクリプタによって次のメンバーの先頭を判断します。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。データの中に一致するバイト列がある場合は、\
            パイプではなくファイルに書き出します。"
    }
    wrong ""
    right ""
}
