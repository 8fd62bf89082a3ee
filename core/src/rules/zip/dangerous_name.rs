//! `dangerous-name`: a member name that is unsafe or not portable.

use crate::rules::rule;

rule! {
    "dangerous-name" reports [ZIP_13]
    checks in ["package/name.rs"]
    message "member name `{member}` is not portable ({problem})"
    help "give the member a plain name"
    en {
        what "Member names consist of plain segments that identify the same file on every system."
        why "On some systems such a name opens a device, loses its last characters, refers to another drive or is \
            invisible. Packages are distributed, so this is an error wherever the package was made."
        fix "Rename the file before you package it, and write the new name into `path` as well."
    }
    ja {
        message "移植性のないメンバー名 `{member}`（{problem}）"
        help "メンバーに通常の名前を付けてください"
        what "メンバー名は、どのシステムでも同じファイルを指す、通常のセグメントで構成されます。"
        why "システムによっては、このような名前でデバイスが開かれたり、末尾の文字が失われたり、別のドライブを\
            指したり、ファイルが見えなくなったりします。パッケージは広く配布されるため、作成環境を問わず\
            エラーとしています。"
        fix "パッケージに入れる前にファイル名を変更し、`path` にも新しい名前を書きます。"
    }
    wrong ""
    right ""
}
