//! `colliding-names`: names that are one name elsewhere.

use crate::rules::rule;

rule! {
    "colliding-names" reports [ZIP_16]
    checks []
    message "`{member}` and `{other}` are one name where case or Unicode form does not count"
    help "give the files names that differ by more than case or form"
    en {
        what "Names of members stay different on file systems that mind neither case nor Unicode form."
        why "On Windows and macOS the second file overwrites the first, and a digest that was right fails."
        mend "Rename one of the two, in the archive and in `path`."
    }
    ja {
        message "`{member}` と `{other}` は、大文字小文字や Unicode の正規化形式を区別しない環境では同じ名前になる"
        help "大文字小文字や正規化形式以外でも異なる名前にする"
        what "メンバーの名前は、大文字小文字や Unicode の正規化形式を区別しないファイルシステムでも重なりません。"
        why "Windows や macOS では二つ目のファイルが一つ目を上書きし、正しかったダイジェストが合わなくなります。"
        mend "アーカイブと `path` の両方で、どちらかの名前を変えます。"
    }
    wrong ""
    right ""
}
