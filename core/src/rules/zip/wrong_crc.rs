//! `wrong-crc`: a member whose check sum is another.

use crate::rules::rule;

rule! {
    "wrong-crc" reports [ZIP_23]
    checks []
    message "the CRC-32 of `{member}` is {actual}, not {declared}"
    help "build the archive anew and copy it again"
    en {
        what "The CRC-32 in the archive is that of the member's data."
        why "Readers refuse the file as damaged."
        mend "Compare the file with the original. Build the archive anew with a current tool, from the files \
            themselves."
    }
    ja {
        message "`{member}` の CRC-32 は {actual} であり、{declared} ではない"
        help "アーカイブを作り直し、コピーし直す"
        what "アーカイブにある CRC-32 は、メンバーのデータのものです。"
        why "ツールは壊れたファイルとして読み取りを拒否します。"
        mend "元のファイルと比べ、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
