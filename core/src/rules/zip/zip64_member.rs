//! `zip64-member`: ZIP64 sizes of a member that contradict the plain ones.

use crate::rules::rule;

rule! {
    "zip64-member" reports [ZIP_06]
    checks []
    message "the ZIP64 field of `{member}` does not fit its header ({problem})"
    help "build the archive anew with a current tool"
    en {
        what "A member has ZIP64 values for exactly those sizes and offsets that its plain header leaves open."
        why "Readers take different values for size or place, and unpack different bytes."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}` の ZIP64 フィールドがヘッダと合わない（{problem}）"
        help "現行のツールでアーカイブを作り直す"
        what "ZIP64 の値は、通常のヘッダが示さないサイズと位置についてだけ付きます。"
        why "サイズや位置の解釈がツールによって異なり、別のバイト列が展開されます。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
