//! `broken-extra`: malformed extra fields of a member.

use crate::rules::rule;

rule! {
    "broken-extra" reports [ZIP_28]
    checks in ["package/directory.rs"]
    message "malformed extra fields of `{member}` ({problem})"
    help "rebuild the archive with a current tool"
    en {
        what "The extra data of a member is a sequence of fields, each with its length. No field that this validator \
            reads occurs twice."
        why "Readers extract different values from it, or reject the archive."
        fix "Rebuild the archive from the original files with a current tool."
    }
    ja {
        message "`{member}` の拡張フィールドが不正（{problem}）"
        help "現行のツールでアーカイブを作り直してください"
        what "メンバーの拡張データは、それぞれ長さを持つフィールドの並びです。この検証ツールが読み取る種類の\
            フィールドは、重複しません。"
        why "ツールによって異なる値が読み取られるか、アーカイブが拒否されます。"
        fix "元のファイルから、現行のツールでアーカイブを作り直します。"
    }
    wrong ""
    right ""
}
