//! `broken-extra`: extra fields that are none.

use crate::rules::rule;

rule! {
    "broken-extra" reports [ZIP_28]
    checks []
    message "the extra fields of `{member}` cannot be read ({problem})"
    help "build the archive anew with a current tool"
    en {
        what "The extra data of a member is a series of fields, each with its length, and none of ours twice."
        why "Readers take different values from it, or refuse the archive."
        mend "Build the archive anew with a current tool, from the files themselves."
    }
    ja {
        message "`{member}` の拡張フィールドを読み取れない（{problem}）"
        help "現行のツールでアーカイブを作り直す"
        what "メンバーの拡張データは、長さの付いたフィールドの並びで、同じものは二度現れません。"
        why "ツールによって異なる値を読み取るか、アーカイブを拒否します。"
        mend "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
