//! `wrong-crc`: a member with a CRC-32 mismatch.

use crate::rules::rule;

rule! {
    "wrong-crc" reports [ZIP_23]
    checks in ["package/unpack.rs"]
    message "CRC-32 of `{member}` is {actual}, expected {declared}"
    help "rebuild the archive and copy it again"
    en {
        what "The CRC-32 in the archive is that of the uncompressed data of the member."
        why "Readers reject the file as corrupted."
        fix "Compare the file with the original, and rebuild the archive from the original files with a current tool."
    }
    ja {
        message "`{member}` の CRC-32 が不一致（実際は {actual}、記載は {declared}）"
        help "アーカイブを作り直し、コピーし直してください"
        what "アーカイブに記録された CRC-32 は、メンバーの圧縮前のデータから計算したものです。"
        why "ツールは、破損したファイルとして拒否します。"
        fix "ファイルを元のものと比較し、元のファイルから現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
