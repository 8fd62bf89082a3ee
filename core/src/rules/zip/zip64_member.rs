//! `zip64-member`: ZIP64 values of a member that contradict its header.

use crate::rules::rule;

rule! {
    "zip64-member" reports [ZIP_06]
    checks in ["package/directory.rs"]
    message "the ZIP64 extra field of `{member}` contradicts its header ({problem})"
    help "rebuild the archive with a current tool"
    en {
        what "A member has ZIP64 values for exactly those sizes and offsets that its regular header delegates to ZIP64."
        why "Readers use different values for the size or the offset and unpack different bytes."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "`{member}` の ZIP64 拡張フィールドがヘッダと矛盾（{problem}）"
        help "現行のツールでアーカイブを作り直してください"
        what "ZIP64 の値は、通常のヘッダが ZIP64 に委ねているサイズとオフセットについてだけ記録されます。"
        why "ツールによってサイズやオフセットの値が異なり、別のバイト列が展開されます。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
