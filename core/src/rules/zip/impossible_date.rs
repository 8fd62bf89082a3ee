//! `impossible-date`: a date that is none.

use crate::rules::rule;

rule! {
    "impossible-date" reports [ZIP_26]
    checks []
    message "the date of `{member}` does not exist"
    help "set the date of the file, or write no date"
    en {
        what "The date of a member is a day and time that exist."
        why "Some readers fail on such a date, others store the file with a date of their own."
        mend "Set a valid modification time before packing (`touch`)."
    }
    ja {
        message "`{member}` の日付が実在しない"
        help "ファイルの日付を設定するか、日付を書かない"
        what "メンバーの日付は、実在する日時です。"
        why "読み取りに失敗するツールや、別の日付で保存するツールがあります。"
        mend "圧縮する前に、`touch` などで正しい更新日時を設定します。"
    }
    wrong ""
    right ""
}
