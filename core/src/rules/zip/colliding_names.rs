//! `colliding-names`: member names that collide on some file systems.

use crate::rules::rule;

rule! {
    "colliding-names" reports [ZIP_16]
    checks in ["package/name_collision.rs"]
    message "`{member}` and `{other}` collide on case-insensitive or Unicode-normalizing file systems"
    help "use names that differ in more than letter case or Unicode normalization"
    en {
        what "Member names remain distinct on file systems that ignore letter case or normalize Unicode."
        why "On Windows and macOS the second file overwrites the first, and digest verification fails."
        fix "Rename one of the two, both in the archive and in `path`."
    }
    ja {
        message "`{member}` と `{other}` は、大文字と小文字や Unicode 正規化形式を区別しないファイルシステムで衝突"
        help "大文字と小文字や Unicode 正規化形式以外の違いがある名前にしてください"
        what "メンバー名は、大文字と小文字や Unicode 正規化形式を区別しないファイルシステムでも重複しません。"
        why "Windows や macOS では、2 つ目のファイルが 1 つ目のファイルを上書きし、ダイジェストの検証が失敗します。"
        fix "アーカイブと `path` の両方で、どちらかの名前を変更します。"
    }
    wrong ""
    right ""
}
