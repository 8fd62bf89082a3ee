//! `dangerous-name`: a name that does harm where it is unpacked.

use crate::rules::rule;

rule! {
    "dangerous-name" reports [ZIP_13]
    checks []
    message "member `{member}` has a name that is not the same file everywhere ({problem})"
    help "give the member a plain name"
    en {
        what "Names of members consist of plain segments that mean one file on every system."
        why "On some systems such a name opens a device, loses its last letters, leads to another drive or cannot be \
            seen. Packages travel, so it is an error wherever it was made."
        mend "Rename the file before it is packed, and write the new name into `path` as well."
    }
    ja {
        message "メンバー `{member}` の名前は、どこでも同じファイルを指すとは限らない（{problem}）"
        help "メンバーに普通の名前を付ける"
        what "メンバーの名前は、どのシステムでも一つのファイルを指す普通の名前からなります。"
        why "システムによっては、デバイスを開いたり、末尾の文字が落ちたり、別のドライブを指したり、見えなかったりします。\
            パッケージは配布されるものなので、どこで作られてもエラーとします。"
        mend "圧縮する前にファイルの名前を変え、`path` にも新しい名前を書きます。"
    }
    wrong ""
    right ""
}
