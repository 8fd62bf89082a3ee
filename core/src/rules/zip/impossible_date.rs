//! `impossible-date`: a modification date that does not exist.

use crate::rules::rule;

rule! {
    "impossible-date" reports [ZIP_26]
    checks in ["package/directory.rs"]
    message "the modification date of `{member}` does not exist"
    help "set the modification date of the file, or omit the date"
    en {
        what "The modification date of a member is an existing date and time."
        why "Some readers fail on such a date, others store the file with a different date."
        fix "Set a valid modification time before you package the file (`touch`)."
    }
    ja {
        message "`{member}` の更新日時が実在しない日時"
        help "ファイルの更新日時を設定するか、日時を省略してください"
        what "メンバーの更新日時は、実在する日時です。"
        why "このような日時で読み取りに失敗するツールや、別の日時でファイルを保存するツールがあります。"
        fix "パッケージ化する前に、`touch` などで有効な更新日時を設定します。"
    }
    wrong ""
    right ""
}
