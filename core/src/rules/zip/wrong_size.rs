//! `wrong-size`: a member whose size differs from the declared size.

use crate::rules::rule;

rule! {
    "wrong-size" reports [ZIP_20]
    checks in ["package/unpack.rs"]
    message "the uncompressed size of `{member}` is not the declared {declared} bytes ({problem})"
    help "rebuild the archive; if the declared size is right, the file is corrupted"
    en {
        what "The data of a member decompresses to exactly the declared number of bytes."
        why "Some readers truncate the file, some pad it, some reject it. An understated size is also used to bypass \
            checks for decompression bombs; decompression stopped at the declared size."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "`{member}` の展開後のサイズが、宣言された {declared} バイトと異なる（{problem}）"
        help "アーカイブを作り直してください（宣言されたサイズが正しい場合は、ファイルが破損しています）"
        what "メンバーのデータは、宣言されたとおりのバイト数に展開されます。"
        why "ファイルを途中で切るツール、補うツール、拒否するツールがあります。サイズを小さく宣言する手口は、\
            圧縮爆弾の検査を回避するためにも使われます。そのため、宣言されたサイズで展開を中止しました。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
